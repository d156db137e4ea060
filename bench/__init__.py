"""Benchmarks: the engine on one core, and the whole stack in a simulated Discord."""
