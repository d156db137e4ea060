"""Commands of `python -m bot`, one module each; `bot.__main__` lists them.

A command module has `NAME` and `HELP`, `add_arguments` for its part of the command line, and
`carry_out`, which does the work and returns the exit status. Slow imports are inside `carry_out`.
"""
