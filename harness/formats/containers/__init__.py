"""What holds requests and conversations, one file each; their messages are read by whichever dialect fits."""
