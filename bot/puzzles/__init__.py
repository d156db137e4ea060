"""Puzzles: positions of self-play with one choice that is clearly the best."""
