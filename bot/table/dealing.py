"""Where decks come from: a secret that was committed before, and words of the players.

Pure functions from a table to the next. `sealed` is the secret of the next deal, drawn when the
deal before is made; whatever shows one asks `revealed` or a commitment, never the table's secrets.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.table.details import DealSecrets
from bot.table.permission import own_seat
from bot.table.state import Game, Lobby, OpenTable
from engine import Card, NotationError, Phase, Seat
from engine.fair_deal import LONGEST_WORD, SECRET_BYTES, FairDeal, clean_word, commitment

Words = tuple[tuple[Seat, str], ...]
"""Seats, ascending, with what was said there."""


class Prepared(NamedTuple):
    """What is not to be drawn. For tests and the demo."""

    dealer: Seat | None = None
    """The first dealer."""
    deck: Sequence[Card] | None = None
    """A whole deck order."""


DrawSecret = Callable[[], bytes]
"""Draws a secret."""
Prepare = Callable[[OpenTable], Prepared]
"""Says before each deal what is not to be drawn."""

_Table = TypeVar("_Table", Lobby, Game)


def new_secret() -> bytes:
    """32 bytes from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


def nothing_prepared(table: OpenTable) -> Prepared:
    """Every deal is drawn."""
    return Prepared()


class NextDeal(NamedTuple):
    """A deal about to be made."""

    secrets: DealSecrets
    """The secrets of the table once it is made: the next one is drawn."""
    source: FairDeal | Sequence[Card]
    """What the deck is made from."""
    first_dealer: Seat
    """Who deals if this is the first deal of a match."""


def seal(table: _Table, draw: DrawSecret) -> _Table:
    """The table with a secret for its next deal; one that it has already stays."""
    if table.deal.sealed:
        return table
    return table.with_deal(sealed=draw().hex())


def next_deal(table: OpenTable, draw: DrawSecret, prepared: Prepared) -> NextDeal:
    """The next deal of a table: its secret and words are used up, another secret is drawn."""
    sealed = table.deal.sealed or draw().hex()
    fair = FairDeal(bytes.fromhex(sealed), table.id, words_of(table))
    dealer = table.options.first_dealer
    if prepared.dealer is not None:
        dealer = prepared.dealer
    if dealer is None:
        dealer = fair.first_dealer(len(table.chairs))
    if prepared.deck is not None:  # the secret stays sealed for a deal that is drawn
        return NextDeal(DealSecrets(sealed=sealed), prepared.deck, dealer)
    return NextDeal(DealSecrets(sealed=draw().hex(), dealt=sealed), fair, dealer)


def cut(table: _Table, user_id: UserId, word: str) -> _Table:
    """The table with this person's word for the next deal, in place of the one before."""
    own_seat(table, user_id)
    try:
        cleaned = clean_word(word)
    except NotationError:
        raise Refused(Reason.WORD, limit=LONGEST_WORD) from None
    seated = table.user_ids()
    words = {user: said for user, said in table.deal.words.items() if user in seated}
    return table.with_deal(words={**words, user_id: cleaned})


def words_of(table: OpenTable) -> Words:
    """What the people at the table have said for the next deal."""
    words = table.deal.words
    return tuple((c.seat, words[c.user_id]) for c in table.people() if c.user_id in words)


def next_commitment(table: OpenTable) -> str | None:
    """The commitment of the next deal, if its secret is drawn and it may still be made."""
    if not table.open or not table.deal.sealed:
        return None
    return commitment(bytes.fromhex(table.deal.sealed))


def commitment_on_table(table: OpenTable) -> str | None:
    """The commitment of the deal on the table, unless that is an old or prepared one."""
    return commitment(bytes.fromhex(table.deal.dealt)) if table.deal.dealt else None


def revealed(table: OpenTable) -> str | None:
    """The secret of the deal on the table, once its round will not be played on."""
    over = isinstance(table, Game) and table.phase in (Phase.ROUND_END, Phase.MATCH_END)
    if over or table.status in ("finished", "stopped"):
        return table.deal.dealt or None
    return None
