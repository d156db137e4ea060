"""The commands of `python -m bot`, a module for each. `bot.__main__` lists them.

A command module has `NAME` and `HELP`, `add_arguments` for its part of the command line, and
`carry_out`, which does the work and returns the exit status. It imports what takes long to load
only inside `carry_out`, so that `python -m bot health` answers at once.
"""
