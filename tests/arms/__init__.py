"""Comparisons of live runs."""
