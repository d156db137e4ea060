"""Logs of Nanjing as BrettspielWelt writes them: read, checked against the engine, and written."""
