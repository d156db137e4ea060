"""Pictures of cards and signs as Discord application emojis.

`names` maps notation to names, `emojis` keeps them uploaded: these are what the bot uses.
`draw`, with `shapes`, `letters`, `symbols`, `beasts` and `signs`, redraws the files: tools only.
"""
