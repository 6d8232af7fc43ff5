"""The project's own recordings, and their maker."""
