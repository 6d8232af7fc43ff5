"""Which of two families of policies is better, and at which budget."""
