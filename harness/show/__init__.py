"""What commands print: text and JSON made from data, for `harness.cli`."""
