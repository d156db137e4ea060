"""The private hand page and its rows."""
