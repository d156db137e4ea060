"""Standings on boards: match points, their means, and how sure these are. Pure computations."""
