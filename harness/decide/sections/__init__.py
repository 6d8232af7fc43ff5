"""The report of a decision."""
