"""Which answers of a corpus are one: across lines, files, folders, archives and formats (METHOD, section 1).

`trace` takes from a transcript what its answers are known by, `Index` gathers that over a corpus, and `Index.copies`
says which requests are counted elsewhere. Readers know nothing of it.
"""
