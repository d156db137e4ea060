"""Pictures of cards and signs, as application emojis of Discord.

`names` says what each picture is called, `emojis` uploads them and finds them again. The pictures
themselves are drawn by `tools.art`.
"""
