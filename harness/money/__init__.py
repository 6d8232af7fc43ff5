"""Money: rules of prefix caches, a dated price snapshot, and the bill of a request."""
