"""The tasks as they are written (one file a family), and what makes the JSON lines from them."""
