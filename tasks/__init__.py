"""What the harness measures on: recordings, engine tasks, loop tasks, suites."""
