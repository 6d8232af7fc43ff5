"""What a report says of a tuning and of a match."""
