"""Ratings, tallies and the ledger: pure computations without storage."""
