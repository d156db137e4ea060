"""Sources of decks: a committed secret and words of the players.

Pure functions from one table to the next. `sealed` is the secret of the next deal, which is drawn
when the previous deal is made. Other code must not show a table's secrets (`DealSecrets`), but only
what `revealed_secret` and the functions for commitments return.

If all tables of a round of an event play the same deals, their secrets are drawn before the tables
are opened. Then nobody can add a word, each deal draws its dealer, and `bot.history.shared_deals`
says when the secrets are public.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.table.details import DealSecrets
from bot.table.permission import own_seat
from bot.table.state import Game, Lobby, OpenTable, TableState
from engine import Card, NotationError, Phase, Seat
from engine.fair_deal import LONGEST_WORD, SECRET_BYTES, FairDeal, clean_word, commitment

Words = tuple[tuple[Seat, str], ...]
"""Words of seats, ascending by seat."""


class Prepared(NamedTuple):
    """Parts of a deal that are not drawn, for tests and the demo."""

    dealer: Seat | None = None
    """The first dealer."""
    deck: Sequence[Card] | None = None
    """A whole deck order."""


DrawSecret = Callable[[], bytes]
"""Source of secrets."""
Prepare = Callable[[OpenTable], Prepared]
"""Hook called before each deal, which returns the parts that are not drawn."""

_Table = TypeVar("_Table", Lobby, Game)


def new_secret() -> bytes:
    """Return 32 random bytes from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


def nothing_prepared(table: OpenTable) -> Prepared:
    """Return an empty preparation, so that every deal is drawn."""
    return Prepared()


class NextDeal(NamedTuple):
    """A deal about to be made."""

    secrets: DealSecrets
    """Secrets of the table after the deal, including a new one for the deal after it."""
    source: FairDeal | Sequence[Card]
    """Source of the deck."""
    first_dealer: Seat
    """Dealer if this is the first deal of a match."""


def shared_deals(boards: Sequence[str]) -> DealSecrets:
    """Return the secrets of a new table that plays these deals, or none."""
    return DealSecrets(sealed=boards[0], later=tuple(boards[1:])) if boards else DealSecrets()


def plays_shared_deals(table: TableState) -> bool:
    """Return whether other tables play the same deals as this one."""
    return table.options.event is not None and table.options.event.same_deals


def deal_number(table: TableState) -> int:
    """Return the number in the table's deals: its own, or that of the event if they are shared."""
    event = table.options.event
    return event.event if event is not None and event.same_deals else table.id


def seal(table: _Table, draw: DrawSecret) -> _Table:
    """Return the table with a secret for its next deal, drawn only if there is none yet."""
    if table.deal.sealed:
        return table
    return table.with_deal(sealed=draw().hex())


def next_deal(table: OpenTable, draw: DrawSecret, prepared: Prepared) -> NextDeal:
    """Return the next deal of a table, and draw a secret for the deal after it."""
    sealed, later = table.deal.sealed or draw().hex(), table.deal.later
    shared = plays_shared_deals(table)
    fair = FairDeal(bytes.fromhex(sealed), deal_number(table), deal_words(table), shared)
    dealer = None if shared else table.options.first_dealer
    if prepared.dealer is not None:
        dealer = prepared.dealer
    if dealer is None:
        dealer = fair.first_dealer(len(table.chairs))
    if prepared.deck is not None:  # the secret is kept for a deal that is drawn
        return NextDeal(DealSecrets(sealed=sealed, later=later), prepared.deck, dealer)
    following = later[0] if later else "" if shared else draw().hex()
    return NextDeal(DealSecrets(sealed=following, later=later[1:], dealt=sealed), fair, dealer)


def cut(table: _Table, user_id: UserId, word: str) -> _Table:
    """Return the table with this person's word for the next deal."""
    own_seat(table, user_id)
    if plays_shared_deals(table):
        raise Refused(Reason.SHARED_DEALS)
    try:
        cleaned = clean_word(word)
    except NotationError:
        raise Refused(Reason.WORD, limit=LONGEST_WORD) from None
    seated = table.user_ids()
    words_of_seated = {user: text for user, text in table.deal.words.items() if user in seated}
    return table.with_deal(words={**words_of_seated, user_id: cleaned})


def deal_words(table: OpenTable) -> Words:
    """Return the words for the next deal by seat."""
    words = table.deal.words
    return tuple(
        (chair.seat, words[chair.user_id]) for chair in table.people() if chair.user_id in words
    )


def next_commitment(table: OpenTable) -> str | None:
    """Return the commitment of the next deal, if there is one."""
    if not table.open or not table.deal.sealed:
        return None
    return commitment(bytes.fromhex(table.deal.sealed))


def commitment_on_table(table: OpenTable) -> str | None:
    """Return the commitment of the current deal, `None` for a prepared deal."""
    return commitment(bytes.fromhex(table.deal.dealt)) if table.deal.dealt else None


def revealed_secret(table: OpenTable) -> str | None:
    """Return the secret of the current deal if its round is over, else `None`.

    If other tables play the same deals, return `None`: `bot.history.shared_deals` decides.
    """
    if plays_shared_deals(table):
        return None
    round_over = isinstance(table, Game) and table.phase in (Phase.ROUND_END, Phase.MATCH_END)
    if round_over or table.status in ("finished", "stopped"):
        return table.deal.dealt or None
    return None
