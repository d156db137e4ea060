"""Finished matches: lists, replays, seat history and proofs of deals."""
