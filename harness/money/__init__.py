"""Money: rules of prefix caches, a dated price snapshot, and the bill of a request."""

AUTO = "auto"
"""In place of a model: each request has its own."""
