"""Pages of profiles, leaderboards and the monthly ranking."""
