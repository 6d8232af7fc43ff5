"""How many tasks and repetitions a comparison of arms takes to say what is wanted of it."""
