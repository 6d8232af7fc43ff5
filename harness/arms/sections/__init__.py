"""What a comparison of arms says."""
