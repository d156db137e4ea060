"""The pages of Learn Tichu."""
