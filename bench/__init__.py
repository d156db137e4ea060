"""Benchmarks, from the engine on one core to the whole stack in a simulated Discord."""
