"""The Novice: answers at once, in all four games, by rules of thumb."""
