"""Scheduling of computer players, and the worker processes in which they compute."""
