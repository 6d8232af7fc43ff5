"""The report of a re-drive."""
