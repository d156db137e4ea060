"""Ratings, tallies and the ledger that keeps them: numbers in, numbers out."""
