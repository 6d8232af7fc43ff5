"""The part of a report on a replay. `part` puts the sections in order."""
