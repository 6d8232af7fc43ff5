"""Contract tests and packages to start from."""
