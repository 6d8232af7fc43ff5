"""JSON as the reference reads and writes it, values whose numbers keep their notation."""
