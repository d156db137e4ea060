"""Pages of the deal of the day, and of hands that are played alone."""
