"""The part of a report on engines: how often they are right and grounded, how fast they are, what they cost in memory.

One file a section. `part` puts them in order.
"""
