"""Boards: deals that several people play, each alone with the same computer players."""
