"""The report on what agents did after a cut."""
