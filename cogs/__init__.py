"""The Discord surface: commands, buttons and selects in, pages out. No rule is decided here."""
