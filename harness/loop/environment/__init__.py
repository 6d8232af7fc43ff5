"""Environments made from a seed: tools that really run inside a folder, a service on loopback, invented words."""
