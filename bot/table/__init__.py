"""Pure functions from one state of a table to the next, without I/O."""
