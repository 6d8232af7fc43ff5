"""Run directories: the journal that a run is resumed from, its tables, and the manifest that ends it."""
