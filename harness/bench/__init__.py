"""Measure engines: tasks, scoring, grounding, throughput."""
