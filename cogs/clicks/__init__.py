"""Handlers of clicks: each executes at most one command at a table, and shows one page."""
