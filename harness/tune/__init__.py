"""Which settings of a policy cost least at a given loss of evidence."""
