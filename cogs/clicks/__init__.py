"""A click in, one command to the tables or one page out."""
