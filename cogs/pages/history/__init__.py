"""Pages of past matches: lists, replays, and the check that they were dealt fairly."""
