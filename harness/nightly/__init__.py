"""Suites, run as a whole or every night against a baseline: what changed, why, and whether it is worse."""
