"""Tasks for engines, and their maker."""
