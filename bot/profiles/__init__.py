"""Careers, achievements and monthly awards, computed from stored scores."""
