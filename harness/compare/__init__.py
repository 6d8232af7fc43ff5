"""Comparing: paired statistics, verdicts, tuning."""
