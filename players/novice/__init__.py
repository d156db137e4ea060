"""The Novice: a player of all four games that decides at once, by rules of thumb."""
