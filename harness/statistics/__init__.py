"""Statistics of paired comparisons: intervals, tests, calibration. It compares; it does not judge."""
