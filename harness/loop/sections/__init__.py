"""The part of a report on the live loop: what passed at what cost, handles, and how far off the estimate is.

One file a subject. `part` puts the sections in order.
"""
