"""Matches that are over, their replays, and whether they were dealt fairly."""
