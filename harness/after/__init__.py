"""What agents did after a result that was clipped, spilled or previewed (METHOD, section 8).

harness after my-sessions/
"""
