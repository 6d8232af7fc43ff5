"""Suites: what to run, in one TOML file, for `harness run` and `harness nightly`."""
