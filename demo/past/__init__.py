"""Past of the demo's server: matches of computer players under people's names.

`python -m demo.past --make` plays them and writes them to a file, which the demo loads at its
start.
"""
