"""The past of the demo's server: matches that computer players have played in people's names.

`python -m demo.past --make` plays them and writes them down; the demo loads them when it starts.
"""
