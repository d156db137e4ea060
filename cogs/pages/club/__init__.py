"""Pages of the events of a club."""
