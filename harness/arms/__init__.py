"""Live runs of the same tasks under different settings, compared by what really happened."""
