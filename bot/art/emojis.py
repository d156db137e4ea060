"""Pictures as emojis in texts and on buttons, with plain text as a fallback.

Pages call `card` and `icon` for pictures in texts, `card_emoji` and `icon_emoji` for pictures on
buttons and in selects. `bot.art.uploads` uploads the pictures to Discord.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import discord

from bot.art import names


class Emojis:
    """Emojis of the pictures that Discord has; other pictures are replaced by plain text."""

    def __init__(self, usable: Mapping[str, discord.PartialEmoji] = MappingProxyType({})) -> None:
        self._usable = dict(usable)
        """Current name of a picture (`bot.art.names`) -> its emoji."""

    @classmethod
    def plain(cls) -> Emojis:
        """Return an instance without pictures, for tests and before the bot has logged in."""
        return Emojis()

    def card(self, card: str) -> str:
        """Return a card (in notation) for a text: the markup of its emoji, or `8⚔`."""
        emoji = self.card_emoji(card)
        return str(emoji) if emoji else names.card_plain(card)

    def card_emoji(self, card: str) -> discord.PartialEmoji | None:
        """Return the emoji of a card (in notation) for a button or a select, if any."""
        return self._usable.get(names.card_name(card))

    def icon(self, icon: str) -> str:
        """Return an icon for a text: the markup of its emoji, or a Unicode emoji."""
        emoji = self.icon_emoji(icon)
        return str(emoji) if emoji else names.icon_plain(icon)

    def icon_emoji(self, icon: str) -> discord.PartialEmoji | None:
        """Return the emoji of an icon for a button or a select, if any."""
        return self._usable.get(names.icon_name(icon))
