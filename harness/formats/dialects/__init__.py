"""Shapes of messages, one file each: the messages of one API or library into those of a transcript."""
