"""Private games: one person plays on from a position, with Experts.

It is one of a past match, or of a puzzle. The games have no message in a channel and are never
stored, so nothing counts, and a restart ends them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple, Self

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.table.computer_names import computer_name
from bot.table.details import Timers
from bot.table.options import TableOptions
from bot.table.state import Chair, Game, shared_fields
from engine import Match, Phase, RoundResult, Seat, only_course

_OVER = (Phase.ROUND_END, Phase.MATCH_END)
_NO_TABLE = TableId(0)


class Attempt(NamedTuple):
    """Decision of a review that its person tries again."""

    mark: str
    """The decision, as the buttons of its page have it."""
    result: RoundResult
    """Result of the round as it was played."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GameForOne(Game):
    """Game of one person with computers, only on their private pages; it ends with its round."""

    @property
    def yields(self) -> bool:
        """Return False, because it occupies no channel."""
        return False

    def ended_with_round(self) -> Self:
        """Return this game, with the status "finished" if its round is over."""
        over = self.phase in _OVER
        return replace(self, status="finished", timers=Timers()) if over else self


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PrivateGame(GameForOne):
    """Game of one person with Experts, from a position of a past match or of a puzzle."""

    replayed: TableId
    """Table of the past match; 0 for a puzzle."""
    position: str
    """Replayed position, as the buttons of the replay page have it, or the name of the puzzle."""
    attempt: Attempt | None = None
    """Decision that is tried again; `None` for a game from a replay page."""

    @property
    def of_puzzle(self) -> bool:
        """Return whether the position is that of a puzzle."""
        return self.replayed == _NO_TABLE


def new_private_game(
    past: Game,
    person: Chair,
    channel_id: ChannelId,
    position: str,
    attempt: Attempt | None = None,
) -> PrivateGame:
    """Return the game in which this person plays on from a position of a past match.

    `channel_id` is the channel of the person's private page. Computers replace the other people, of
    whom nothing is kept.
    """
    table = past.with_chair(person)
    for chair in past.people():
        if chair.seat != person.seat:
            name = computer_name(table)
            table = table.with_chair(Chair(seat=chair.seat, kind="computer", name=name))
    own = {"computers": "expert", "turn_limit_s": TableOptions().turn_limit_s, "event": None}
    fields = shared_fields(table) | {
        "channel_id": channel_id,
        "parent_channel_id": None,
        "host_id": person.user_id,
        "status": "playing",
        "options": past.options.model_copy(update=own),
    }
    return PrivateGame(
        **fields,
        match=past.match,
        seq=0,
        replayed=past.id,
        position=position,
        attempt=attempt,
    )


def game_without_table(
    match: Match, chairs: Sequence[Chair], guild_id: GuildId = GuildId(0)
) -> Game:
    """Return a game that belongs to no table, as in a lesson or a puzzle."""
    return Game(
        id=_NO_TABLE,
        guild_id=guild_id,
        channel_id=ChannelId(0),
        parent_channel_id=None,
        host_id=UserId(0),
        status="playing",
        options=TableOptions(rules=match.options),
        chairs=tuple(chairs),
        created_at=datetime.min.replace(tzinfo=UTC),
        match=match,
        seq=0,
    )


def has_choice_ahead(game: Game, chair: Seat) -> bool:
    """Return whether this chair may still choose something in the current round."""
    if game.phase in _OVER or only_course(game.match):
        return False
    round_ = game.round
    return any(
        round_.has_cards(seat) or (game.gift_due and round_.top_seat == seat)
        for seat in game.seats_of_chair(chair)
    )
