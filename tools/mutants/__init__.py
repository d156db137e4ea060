"""Mutation sampling: does the test suite notice small mistakes in the code? For developers only."""
