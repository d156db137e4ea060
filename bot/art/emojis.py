"""The pictures as emojis in texts and on buttons. Without a picture it is plain text.

Pages ask `card` and `icon` for pictures in texts, `card_emoji` and `icon_emoji` for pictures on
buttons and in selects. `bot.art.uploads` brings the pictures to Discord.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import discord

from bot.art import names


class Emojis:
    """The pictures that Discord has; for all others there is plain text.

    They are given by their names today (`bot.art.names`).
    """

    def __init__(self, usable: Mapping[str, discord.PartialEmoji] = MappingProxyType({})) -> None:
        self._usable = dict(usable)

    @classmethod
    def plain(cls) -> Emojis:
        """No pictures at all, for tests and before the bot has logged in."""
        return Emojis()

    def card(self, card: str) -> str:
        """Return a card (in notation) in a text: the markup of its emoji, or `8⚔`."""
        emoji = self.card_emoji(card)
        return str(emoji) if emoji else names.card_plain(card)

    def card_emoji(self, card: str) -> discord.PartialEmoji | None:
        """Return a card (in notation) on a button or in a select; `None` while there is no picture."""
        return self._usable.get(names.card_name(card))

    def icon(self, icon: str) -> str:
        """Return a sign in a text: the markup of its emoji, or a Unicode emoji."""
        emoji = self.icon_emoji(icon)
        return str(emoji) if emoji else names.icon_plain(icon)

    def icon_emoji(self, icon: str) -> discord.PartialEmoji | None:
        """Return a sign on a button or in a select; `None` while there is no picture."""
        return self._usable.get(names.icon_name(icon))
