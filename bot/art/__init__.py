"""Pictures of cards and icons, as application emojis of Discord.

`names` defines their names, `emojis` finds them, and `uploads` uploads them. `tools.art` draws the
pictures.
"""
