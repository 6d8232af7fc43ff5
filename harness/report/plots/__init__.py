"""How plots look, and how they become files: each is laid out once, however many exporters want it."""
