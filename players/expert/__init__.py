"""The Expert: compares choices in playouts over random deals of the hidden cards.

`players.expert.thinking` is the entry point. Most of the other modules are compiled by numba.
"""
