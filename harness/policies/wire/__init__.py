"""A proxy between agent and provider, played a recorded session."""
