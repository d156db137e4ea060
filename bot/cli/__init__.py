"""What `python -m bot` does beside running the bot, a module for each command."""
