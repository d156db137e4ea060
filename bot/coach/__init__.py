"""Reviews of rounds: made by the workers, and stored."""
