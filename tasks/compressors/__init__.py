"""The table of docs/compressors.md: real tools over the bundled recordings."""
