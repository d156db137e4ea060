"""Where decks come from: a secret that was committed before, and words of the players.

Pure functions from a table state to the next. `sealed` is the secret of the next deal, drawn when
the deal before is made; whatever shows one asks `revealed` or a commitment, never the desk.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.errors import Reason, Refused
from bot.table.state import Desk, TableState
from engine.errors import NotationError
from engine.fair_deal import LONGEST_WORD, SECRET_BYTES, FairDeal, clean_word, commitment
from engine.state import Phase

Words = tuple[tuple[int, str], ...]
"""Seats, ascending, with what was said there."""


class Prepared(NamedTuple):
    """What is not to be drawn: the first dealer, a whole deck order. For tests."""

    dealer: int | None = None
    deck: Sequence[int] | None = None


Secrets = Callable[[], bytes]
Prepare = Callable[[TableState], Prepared]


def new_secret() -> bytes:
    """32 bytes from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


def nothing_prepared(state: TableState) -> Prepared:
    """Every deal is drawn."""
    return Prepared()


class NextDeal(NamedTuple):
    """The table with its next secret drawn, the deal to be made there, and who deals first."""

    state: TableState
    deal: FairDeal | Sequence[int]
    first_dealer: int


def seal(state: TableState, draw: Secrets) -> TableState:
    """The table with a secret for its next deal; one that it has already stays."""
    return state if state.desk.sealed else _with(state, sealed=draw().hex())


def first_deal(state: TableState, draw: Secrets, prepared: Prepared) -> NextDeal:
    """The first deal of a lobby, which begins to play."""
    state = seal(state, draw)
    desk = Desk(sealed=state.desk.sealed, words=state.desk.words)
    return next_deal(replace(state, status="playing", desk=desk), draw, prepared)


def next_deal(state: TableState, draw: Secrets, prepared: Prepared) -> NextDeal:
    """The next deal of a table: its secret and words are used up, another secret is drawn."""
    state = seal(state, draw)
    fair = FairDeal(bytes.fromhex(state.desk.sealed), state.id, words_of(state))
    dealer = state.options.first_dealer
    if prepared.dealer is not None:
        dealer = prepared.dealer
    if dealer is None:
        dealer = fair.first_dealer(state.options.chairs)
    if prepared.deck is not None:  # the secret stays sealed for a deal that is drawn
        return NextDeal(_with(state, dealt="", words={}), prepared.deck, dealer)
    after = _with(state, sealed=draw().hex(), dealt=state.desk.sealed, words={})
    return NextDeal(after, fair, dealer)


def cut(state: TableState, user_id: int, word: str) -> TableState:
    """The table with this person's word for the next deal, in place of the one before."""
    if state.seat_of(user_id) is None:
        raise Refused(Reason.NOT_SEATED)
    try:
        cleaned = clean_word(word)
    except NotationError:
        raise Refused(Reason.WORD, limit=LONGEST_WORD) from None
    seated = {chair.user_id for chair in state.people()}
    words = {user: said for user, said in state.desk.words.items() if user in seated}
    return _with(state, words={**words, user_id: cleaned})


def words_of(state: TableState) -> Words:
    """What the people at the table have said for the next deal."""
    words = state.desk.words
    return tuple((c.seat, words[c.user_id]) for c in state.people() if c.user_id in words)


def next_commitment(state: TableState) -> str | None:
    """The commitment of the next deal, if its secret is drawn and it may still be made."""
    if state.status not in ("lobby", "playing") or not state.desk.sealed:
        return None
    return commitment(bytes.fromhex(state.desk.sealed))


def commitment_on_table(state: TableState) -> str | None:
    """The commitment of the deal on the table, unless that is an old or prepared one."""
    return commitment(bytes.fromhex(state.desk.dealt)) if state.desk.dealt else None


def revealed(state: TableState) -> str | None:
    """The secret of the deal on the table, once its round will not be played on."""
    over = state.phase in (Phase.ROUND_END, Phase.MATCH_END)
    if over or state.status in ("finished", "stopped"):
        return state.desk.dealt or None
    return None


def _with(state: TableState, **values: object) -> TableState:
    return replace(state, desk=state.desk.model_copy(update=values))
