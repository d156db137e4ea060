"""Slash commands and menus that are not about a table in play."""
