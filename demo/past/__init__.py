"""The past of the demo's server: matches that computer players have played under people's names.

`python -m demo.past --make` plays them and writes them to a file. The demo loads that file when it
starts.
"""
