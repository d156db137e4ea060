"""Matches that are over: lists of them, replays, who sat where, proofs of deals."""
