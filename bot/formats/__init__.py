"""Matches as files: JSON, plain text, and the logs of BrettspielWelt."""
