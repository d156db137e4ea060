"""Inspection of all output of the bot: which cards it reveals to whom.

Cards are found in notation, as signs, words and pictures, and as numbers in controls.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from simcord import HttpLogEntry

from bot.table.state import Game
from engine import DECK_SIZE, Phase, card_set, card_text, indices, read_card
from tests.cogs.worlds import DECK, World
from tests.simcord_clicks import Wire

_NOTATION = re.compile(r"\b(?:[JSPT](?:[2-9]|10|[JQKA])|DRAGON|PHOENIX|DOG|MAHJONG)\b")
_PLAIN = re.compile(r"(10|[2-9JQKA])([◎⚔🏯★])")
_WORDS = re.compile(
    r"(10|[2-9JQKA]) of (jade|swords|pagodas|stars)|(Mah Jong|Dog|Phoenix|Dragon)\b"
)
_PICTURE = re.compile(
    r"\b(?P<suit>jade|sword|pagoda|star)_(?P<rank>[2-9JQKA]|10)\b"
    r"|(?:^|<:)(?P<special>dragon|phoenix|dog|mah_jong)(?::\d|$)"
)
"""Emoji names in a text or of a control."""
_CHOICE = re.compile(
    r"(?:b:\d+:\d+(?:@\d+)?:(?:do:)?play[:>]"
    r"|[bs]:\d+:\d+(?:@\d+)?:(?:do:)?(?:wish[:>]|bomb[:>][\d.]+,))([0-9a-f]+)"
)
"""Cards in the id of a control; in a select of plays the number means something else."""
_SUITS = {"◎": "J", "⚔": "S", "🏯": "P", "★": "T"}
_SUIT_WORDS = {"jade": "J", "swords": "S", "pagodas": "P", "stars": "T"}
_SPECIAL_SIGNS = {"🐦": "MAHJONG", "🐶": "DOG", "🔥": "PHOENIX", "🐲": "DRAGON"}
_SPECIAL_WORDS = {"Mah Jong": "MAHJONG", "Dog": "DOG", "Phoenix": "PHOENIX", "Dragon": "DRAGON"}
_NAMED = {"jade": "J", "sword": "S", "pagoda": "P", "star": "T"}
_SPECIAL = {"mah_jong": "MAHJONG", "dog": "DOG", "phoenix": "PHOENIX", "dragon": "DRAGON"}
_RULES = re.compile(r"s:(?:\d+:\d+:)?rules:")
PUBLIC = -1
"""Reader that stands for everybody."""


def cards_in_text(text: str) -> Iterator[int]:
    """Yield every card that a text names in any form."""
    for found in _NOTATION.findall(text):
        yield read_card(found)
    for rank, sign in _PLAIN.findall(text):
        yield read_card(_SUITS[sign] + rank)
    for rank, suit, special in _WORDS.findall(text):
        yield read_card(_SPECIAL_WORDS[special] if special else _SUIT_WORDS[suit] + rank)
    for found in _PICTURE.finditer(text):
        special = found["special"]
        yield read_card(_SPECIAL[special] if special else _NAMED[found["suit"]] + found["rank"])
    for sign, card in _SPECIAL_SIGNS.items():
        if sign in text:
            yield read_card(card)
    for cards in _CHOICE.findall(text):
        yield from indices(int(cards, 16))


def cards_in(body: Any) -> Iterator[int]:
    """Yield every card in the body of a request, including options of a select."""
    if isinstance(body, str):
        yield from cards_in_text(body)
    elif isinstance(body, Mapping):
        if re.match(r"s:\d+:\d+(?:@\d+)?:(play|bomb):", str(body.get("custom_id"))):
            for option in body.get("options") or ():
                yield from indices(int(option["value"].partition(".")[0], 16))
        for value in body.values():
            yield from cards_in(value)
    elif isinstance(body, list | tuple):
        for value in body:
            yield from cards_in(value)


class Secrets:
    """Cards known only to their holders, at running tables."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._seen = 0
        self._held: dict[tuple[int, int, int], int] = {}  # table, round, user: cards held so far

    def hidden_from(self, reader: int | None, table_id: int | None = None) -> int:
        """Return the cards in hands and stocks that this user (`None`: the public) has never seen.

        At one table, or at all of them. Both copies of a card look alike, so with two decks a card
        is hidden only if both copies are.
        """
        states = {what.after.id: what.after for what in self._world.history}
        for what in self._world.history[self._seen :]:
            if isinstance(what.after, Game):
                self._remember(what.after)
        self._seen = len(self._world.history)
        hidden = 0
        for state in states.values():
            if isinstance(state, Game) and table_id in (None, state.id):
                number = state.round.number
                known = self._held.get((state.id, number, reader or 0), 0)
                known |= self._held.get((state.id, number, PUBLIC), 0)
                hands = sum(hand.cards for hand in state.round.hands)
                unknown = (hands | sum(state.round.opening.stock)) & ~known
                deck = card_set(state.options.game.deck(state.options.rules))
                seen = deck & ~unknown
                alike = (seen | seen >> DECK_SIZE) & DECK
                hidden |= unknown & ~(alike | alike << DECK_SIZE)
        return hidden

    def _remember(self, state: Game) -> None:
        dealer_sees_table = state.round.phase is not Phase.GRAND
        all_see_table = dealer_sees_table and state.round.phase is not Phase.EXCHANGE
        for seat, hand in enumerate(state.round.hands):
            if seat < len(state.chairs):  # everybody sees their own
                self._note(state, state.chairs[seat].user_id, hand.cards)
            elif dealer_sees_table:  # the Table of Trichu (T5, T7)
                self._note(state, state.chairs[state.round.dealer].user_id, hand.cards)
                self._note(state, PUBLIC if all_see_table else None, hand.cards)

    def _note(self, state: Game, user_id: int | None, cards: int) -> None:
        if user_id is not None:
            key = state.id, state.round.number, user_id
            self._held[key] = self._held.get(key, 0) | cards


class Eyes(Wire):
    """Requests of the bot, each checked with its readers when it is made."""

    def __init__(self, world: World) -> None:
        self.secrets = Secrets(world)
        self.leaks: list[str] = []
        self.told: dict[int | None, int] = {}
        self._on_message: dict[str, int] = {}  # path of an edit: cards shown there before
        super().__init__(world.env)

    def append(self, entry: HttpLogEntry, /) -> None:
        """Check one request."""
        super().append(entry)
        sent = self.sent[-1]
        if _RULES.search(json.dumps(sent.body, default=str)):
            return  # the rules name cards that nobody holds
        cards = 0
        for card in cards_in(sent.body):
            cards |= 1 << card
        self.told[sent.reader] = self.told.get(sent.reader, 0) + cards.bit_count()
        # The table of a finished round shows its cards once more when it loses its buttons.
        public = sent.reader is None and sent.method == "PATCH"
        new = cards & ~self._on_message.get(sent.path, 0) if public else cards
        self._on_message[sent.path] = self._on_message.get(sent.path, 0) | cards
        for card in indices(new & self.secrets.hidden_from(sent.reader)):
            self.leaks.append(f"{card_text(card)} to {sent.reader}: {sent.method} {sent.body}")


class LogEyes(io.StringIO):
    """Log stream that fails on any card in a hand."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.secrets = Secrets(world)
        self.leaks: list[str] = []

    def write(self, text: str, /) -> int:
        """Check one line."""
        cards = 0
        for card in cards_in_text(text):
            cards |= 1 << card
        if cards & self.secrets.hidden_from(None):
            self.leaks.append(text)
        return super().write(text)
