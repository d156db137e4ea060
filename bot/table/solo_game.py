"""Solo games: the round of one person on a board, alone with three computer players.

The computers answer at once, so every state is one in which the person decides, or the end. It has
no timers, and follows from the deal and the actions alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from bot.board_records import BoardKind, SoloResult, SoloRound
from bot.boards.board import Board
from bot.boards.days import ends_at
from bot.ids import BoardId, ChannelId, Revision, TableId
from bot.table.batch import makes_buttons_stale
from bot.table.computer_names import NAMES
from bot.table.details import KeptChoices, SeatNotes, Timers
from bot.table.options import TURN_BASED_S, TableOptions
from bot.table.private_game import GameForOne
from bot.table.results import CALLS
from bot.table.state import Chair, window_id
from engine import (
    Action,
    Event,
    Match,
    Seat,
    apply,
    read_action,
    write_action,
)
from players.boards import PERSON

SOLO_IDS = 2**43
"""Offset of the ids of solo games, above those of all other private games."""
_OPTIONS = TableOptions(turn_limit_s=TURN_BASED_S[1])
"""Options of a solo game; at turn-based pace a bomb window waits for its person."""
_COMPUTERS = NAMES["steady"][:3]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SoloGame(GameForOne):
    """Round of one person on a board, with three computers, which ends with this round."""

    round_id: int
    """Number of the stored round."""
    board_id: BoardId
    """Board that is played."""
    kind: BoardKind
    """Kind of the board."""
    number: int
    """Number of the board: of the deal of the day, or in the challenge."""
    practice: bool
    """True if the round counts for nobody."""
    counts_until: datetime | None
    """End of the day, after which an action makes the round practice; `None` in a challenge."""
    seed: bytes
    """Seed of the computers, from which their hidden choices follow."""

    @property
    def window_keeper(self) -> Seat | None:
        """Seat of the person if a bomb window is open, because it waits for them only."""
        return PERSON if self.running and self.window_open else None


def solo_game(round_: SoloRound, board: Board) -> SoloGame:
    """Return the game of a stored round. Raises `NotationError` and `IllegalAction`."""
    person = Chair(seat=PERSON, kind="person", user_id=round_.user_id, name=round_.name)
    computers = (
        Chair(seat=seat, kind="computer", name=name) for seat, name in enumerate(_COMPUTERS, 1)
    )
    dealt = SoloGame(
        id=TableId(SOLO_IDS + round_.id),
        guild_id=round_.guild_id,
        channel_id=ChannelId(0),
        parent_channel_id=None,
        host_id=round_.user_id,
        status="playing",
        options=_OPTIONS,
        chairs=(person, *computers),
        created_at=round_.begun_at,
        match=board.dealt(),
        seq=0,
        round_id=round_.id,
        board_id=round_.board_id,
        kind=board.kind,
        number=board.number,
        practice=round_.practice,
        counts_until=None if board.day is None else ends_at(board.day),
        seed=board.computer_seed,
    )
    return played(dealt, read_actions(round_.actions)).game


class Played(NamedTuple):
    """A solo game after some actions."""

    game: SoloGame
    events: tuple[Event, ...]
    """Events of the engine."""


def played(game: SoloGame, actions: Iterable[Action]) -> Played:
    """Return the game after these actions, in which only cards, calls and time of play matter.

    Choices made in advance and all notes are dropped, because they are not stored. Raises
    `IllegalAction`.
    """
    match, seq, revision = game.match, game.seq, game.revision
    all_events: list[Event] = []
    for action in actions:
        match, events = apply(match, action)
        seq += 1
        if any(map(makes_buttons_stale, events)):
            revision = Revision(seq)
        all_events += events
    game = replace(
        game,
        match=match,
        seq=seq,
        revision=revision,
        kept=KeptChoices(),
        notes=SeatNotes(),
        timers=Timers(),
    )
    if game.window_open:  # the computers do not bomb, so it closes with the person's choice
        game = game.with_timers(open_window=window_id(game.round))
    return Played(game.ended_with_round(), tuple(all_events))


def written(actions: Iterable[Action]) -> tuple[str, ...]:
    """Return actions as they are stored."""
    return tuple(f"{action.seat}:{write_action(action)}" for action in actions)


def read_actions(texts: Iterable[str]) -> list[Action]:
    """Return stored actions; raise `NotationError`."""
    actions = []
    for text in texts:
        seat, _, action = text.partition(":")
        actions.append(read_action(int(seat), action))
    return actions


def result_of(game: SoloGame) -> SoloResult | None:
    """Return the result of the person, or `None` while the round is played."""
    return None if game.running else result_of_seat(game.match)


def result_of_seat(match: Match) -> SoloResult:
    """Return the result of the person's seat in the round that is over."""
    assert match.round is not None
    result = match.results[-1]
    own = match.variant.column(match.round, PERSON)
    others = sum(score for column, score in enumerate(result.score) if column != own)
    calls = {seat: (CALLS[call], made) for seat, call, made in result.calls}
    call, made = calls.get(PERSON, (None, None))
    place = result.out.index(PERSON) + 1 if PERSON in result.out else None
    return SoloResult(result.score[own] - others, call, made, place)
