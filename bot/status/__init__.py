"""How the bot tells whoever runs it how it is: figures, whether it lives, whether it is ready."""
