"""The rules of Tichu as pure functions: no Discord, no clock, no disk, no randomness, no logging.

This is the public API: other packages import from here, and from `engine.fair_deal`. Numbers in
docstrings (N28, section 6, C11, O4) are those of docs/rules.md.

A game is its options, its deck orders and its actions. The same input gives the same output:

>>> match = new_match(Options("nanjing", target=500), first_dealer=0)
>>> match, events = deal(match, range(DECK_SIZE))
>>> events
[RoundDealt(number=1, dealer=0)]
>>> match, events = apply(match, read_action(0, "grand:no"))
>>> view(match, 1).actions
(<1 grand:yes>, <1 grand:no>)
>>> verify(match, Pass(0))
Traceback (most recent call last):
engine.errors.IllegalAction: wrong-phase (N17): phase=GRAND

`apply` raises what `verify` raises and then changes nothing; `can` returns whether it would
succeed. Only `view` may show a position to a person or a computer player.

Sets of cards are numbers, and plays are readings of them, the highest first:

>>> readings(read_cards("S5 P5 S6 P6 PHOENIX"))
(<full house S5,P5,PHOENIX=6,S6,P6>, <full house PHOENIX=5,S5,P5,S6,P6>)
>>> nine, eight = (readings(read_cards(text))[0] for text in ("S9", "P8"))
>>> beats(nine, eight)
True
>>> hand = Hand(read_cards("J8 S8 P8 T8 S9"))
>>> hand.bombs()
[<bomb of four J8,S8,P8,T8>]
>>> hand.beating(eight)
[<single S9>, <bomb of four J8,S8,P8,T8>]
"""

from __future__ import annotations

from .actions import (
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
from .cards import (
    CARDS_OF_RANK,
    CARDS_OF_SUIT,
    DECK_SIZE,
    DOG,
    DOGS,
    DRAGON,
    DRAGONS,
    MAHJONG,
    MAHJONGS,
    NATURALS,
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
from .combinations import (
    BOMBS,
    LED_PHOENIX_KEY,
    Combination,
    Kind,
    beats,
    readings,
    with_key_on,
)
from .errors import AmbiguousAction, IllegalAction, NotationError, Reason, TichuError
from .events import (
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
from .forced_end import only_course
from .hand import Hand
from .legal import after_quiet_window, legal_actions, legal_plays, may_pass, possible_bombs
from .match import apply, can, deal, new_match, verify
from .notation import read_action, read_play, write_combination
from .options import TARGETS, WINDOW_LENGTHS_MS, Options
from .position import read_position, write_position
from .round import (
    PLAY_PHASES,
    WINDOW_PHASES,
    Call,
    Opening,
    Phase,
    Round,
    RoundResult,
    Seating,
    Trick,
    TrickStep,
)
from .state import Match
from .trick import BOMB_SIZE, fulfilling_plays
from .types import Card, CardSet, Column, Gifts, Points, Rank, RankSet, Seat, SeatSet, Team
from .variants import VARIANTS, Gift, Variant
from .variants.base import ranking
from .view import SeatView, View, view
