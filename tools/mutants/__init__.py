"""Mutation sampling: measures whether the tests notice small mistakes in the code."""
