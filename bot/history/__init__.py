"""Matches that are over: lists, playback, who sat where, proofs of deals."""
