"""Events of a club: people sign up, matches are paired, played at tables, and compared."""
