"""Pictures of cards and signs as Discord application emojis.

`names` maps notation to names, `emojis` keeps the pictures uploaded. `tools.art` redraws them.
"""
