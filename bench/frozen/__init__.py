"""Computer players as they once were, kept to play against: see the package of each of them."""
