"""How good somebody is: profiles, leaderboards, the table of honour."""
