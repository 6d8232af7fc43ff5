"""What a run with a model that is paid for needs: what it may spend, what it has paid, what it will cost."""
