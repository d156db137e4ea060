"""Redraws the pictures of cards and signs in `bot/art`; needs Pillow."""
