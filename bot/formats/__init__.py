"""Finished rounds as files: JSON, plain text, and logs of BrettspielWelt in both directions."""
