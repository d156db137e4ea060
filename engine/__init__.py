"""The rules of Tichu as pure functions: no Discord, no clock, no disk, no randomness, no logging.

This is the door: callers outside import from here, such as ``from engine import apply, new_match``.
Numbers in docstrings (N28, section 6, C11, O4) are those of docs/rules.md.

A game is its options, its deck orders and its list of actions::

    match = new_match(Options(), first_dealer=0)
    match, events = deal(match, deck)
    match, events = apply(match, AnswerGrand(seat=0, call=False))

The same input gives the same output, for ever. `verify` raises what `apply` would raise, `can` asks
only whether it would; a refused action raises `IllegalAction` and changes nothing. Only `view` may
show a position to a person or a computer player. Verifiable deals have a room of their own,
`engine.fair_deal`.
"""

from __future__ import annotations

from engine.actions import (
    CLOCK,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    CloseWindow,
    GiveTrick,
    Pass,
    PassCards,
    Play,
    StopMatch,
    Waive,
    write_action,
)
from engine.cards import (
    DECK_SIZE,
    DOG,
    DOGS,
    DRAGON,
    DRAGONS,
    MAHJONG,
    MAHJONGS,
    NATURALS,
    OF_RANK,
    OF_SUIT,
    PHOENIX,
    PHOENIXES,
    RANKS,
    SPECIALS,
    SUITS,
    bits,
    card_set,
    card_text,
    cards_text,
    indices,
    points_of,
    rank_of,
    rank_text,
    read_card,
    read_cards,
    read_rank,
    sort_key,
    suit_of,
    write_play,
)
from engine.combinations import BOMBS, PHOENIX_LED, Combination, Kind, beats, on_top, readings
from engine.errors import AmbiguousAction, IllegalAction, NotationError, Reason, TichuError
from engine.events import (
    BombsReturned,
    Called,
    CallsOpened,
    CardsPassed,
    DragonGiven,
    Event,
    LeadGiven,
    MatchEnded,
    Passed,
    Played,
    RoundDealt,
    RoundEnded,
    TrickTaken,
    WentOut,
    Withdrawn,
)
from engine.foresight import after_quiet_window
from engine.hand import Hand
from engine.legal import legal, legal_plays, may_pass, possible_bombs
from engine.match import apply, can, deal, new_match, verify
from engine.notation import read_action, read_play, write_combination
from engine.options import TARGETS, WINDOWS_MS, Options
from engine.position import read_position, write_position
from engine.state import (
    PLAYING,
    WINDOWS,
    Call,
    Laid,
    Match,
    Opening,
    Phase,
    Round,
    RoundResult,
    Seating,
    Trick,
)
from engine.trick import BOMB_SIZE
from engine.types import Card, CardSet, Column, Gifts, Points, Rank, RankSet, Seat, SeatSet, Team
from engine.variants import VARIANTS, Gift, Variant
from engine.variants.base import ranking
from engine.view import SeatView, View, view
from engine.wish import fulfilling_plays

__all__ = [
    # What is done
    "new_match",
    "deal",
    "apply",
    "verify",
    "can",
    "view",
    "legal",
    "legal_plays",
    "may_pass",
    "possible_bombs",
    "fulfilling_plays",
    "after_quiet_window",
    # Actions
    "CLOCK",
    "Action",
    "AnswerGrand",
    "AnswerWithdraw",
    "CallTichu",
    "PassCards",
    "Play",
    "Pass",
    "Bomb",
    "Waive",
    "CloseWindow",
    "GiveTrick",
    "StopMatch",
    # Events
    "Event",
    "RoundDealt",
    "CallsOpened",
    "Called",
    "Withdrawn",
    "CardsPassed",
    "Played",
    "Passed",
    "BombsReturned",
    "LeadGiven",
    "TrickTaken",
    "DragonGiven",
    "WentOut",
    "RoundEnded",
    "MatchEnded",
    # Errors
    "TichuError",
    "NotationError",
    "IllegalAction",
    "AmbiguousAction",
    "Reason",
    # Positions
    "Match",
    "Round",
    "RoundResult",
    "Opening",
    "Seating",
    "Trick",
    "Laid",
    "Phase",
    "Call",
    "PLAYING",
    "WINDOWS",
    "BOMB_SIZE",
    "View",
    "SeatView",
    "Hand",
    "ranking",
    # Games and their options
    "VARIANTS",
    "Variant",
    "Gift",
    "Options",
    "TARGETS",
    "WINDOWS_MS",
    # Cards and combinations
    "DECK_SIZE",
    "SUITS",
    "RANKS",
    "SPECIALS",
    "MAHJONG",
    "DOG",
    "PHOENIX",
    "DRAGON",
    "MAHJONGS",
    "DOGS",
    "PHOENIXES",
    "DRAGONS",
    "NATURALS",
    "OF_RANK",
    "OF_SUIT",
    "rank_of",
    "sort_key",
    "suit_of",
    "points_of",
    "bits",
    "indices",
    "card_set",
    "Combination",
    "Kind",
    "BOMBS",
    "PHOENIX_LED",
    "readings",
    "beats",
    "on_top",
    # Notation
    "card_text",
    "cards_text",
    "rank_text",
    "read_card",
    "read_cards",
    "read_rank",
    "read_play",
    "write_play",
    "write_combination",
    "read_action",
    "write_action",
    "read_position",
    "write_position",
    # What an int means
    "Card",
    "CardSet",
    "Rank",
    "RankSet",
    "Seat",
    "SeatSet",
    "Team",
    "Column",
    "Points",
    "Gifts",
]
