"""Careers, achievements and the awards of a season, from what is stored."""
