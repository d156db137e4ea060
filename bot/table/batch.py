"""A batch of actions on one table: what somebody did and all that follows from it at once.

Applies actions through the engine, carries out what computer players have decided, lays kept
pre-moves, and ends in one new table state with the change that stores it. Nothing here waits,
thinks, sends or stores; a refusal (`IllegalAction`) leaves the table as it was.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Self

from bot.errors import Stale
from bot.records import ActionRecord, Change, RoundRecord
from bot.table.action_log import deck_of, write_deal, write_start
from bot.table.attribution import counted, is_turn
from bot.table.deadlines import deadlines
from bot.table.decisions import Question, in_place_of_a_person
from bot.table.desk import Credits, KeptChoices, Turns
from bot.table.outcome import Outcome, write_desk
from bot.table.presence import pauses_now
from bot.table.results import match_record, round_record, rounds_counted
from bot.table.state import Chair, Game, Lobby, OpenTable, play_to_beat, trick_on_table
from engine import (
    CLOCK,
    WINDOWS,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    Call,
    Called,
    CallTichu,
    CloseWindow,
    DragonGiven,
    Event,
    GiveTrick,
    LeadGiven,
    Match,
    MatchEnded,
    Pass,
    Phase,
    Play,
    Played,
    Round,
    RoundDealt,
    RoundEnded,
    StopMatch,
    TrickTaken,
    after_quiet_window,
    apply,
    can,
    deal,
    legal,
    may_pass,
    new_match,
    verify,
    write_action,
)
from engine.fair_deal import FairDeal

log = logging.getLogger(__name__)

SAME_TIME_SECONDS = 1.0
"""Partners calling within this time called at the same time (C21)."""

Answers = Mapping[Question, Action | None]
"""Decisions of computer players by question. `None`: take any legal action that is not a call."""


_TAKEN_OVER = (
    *("id", "guild_id", "channel_id", "parent_channel_id", "host_id", "options", "chairs"),
    *("created_at", "messages", "deal"),
)
"""What a game takes over from its lobby as it is."""


class Batch:
    """One batch of actions, from the state before to the state after."""

    def __init__(self, game: Game, now: datetime) -> None:
        self.before: OpenTable = game
        self.events: list[Event] = []
        self._game = game
        self._now = now
        self._match = game.match
        self._records: list[ActionRecord] = []
        self._premoves = dict(game.kept.premoves)
        self._auto_pass = {seat for seat in game.kept.auto_pass if not game.computer(seat)}
        self._dropped = set(game.kept.dropped)
        self._waits = dict(game.notes.waits)
        self._votes = game.notes.votes
        self._left = game.notes.left
        self._called_at = dict(game.notes.called_at)
        self._away = set(game.notes.away)
        self._turns: Turns = game.credits.turns
        self._buttons_expire = False

    @classmethod
    def start(
        cls,
        lobby: Lobby,
        now: datetime,
        first_dealer: int,
        source: FairDeal | Sequence[int],
        ratings: Mapping[int, int],
    ) -> Self:
        """The batch that starts the match of a lobby and deals its first round.

        `source` is what the deck is made from, `ratings` are those of its people by user. Raises
        `IllegalAction` for a dealer who does not sit there.
        """
        begun = new_match(lobby.options.rules, first_dealer)
        match, events = deal(begun, deck_of(begun, source))
        game = Game(
            **{name: getattr(lobby, name) for name in _TAKEN_OVER},
            status="playing",
            match=match,
            seq=0,
            credits=Credits(ratings=dict(ratings)),
        )
        batch = cls(game, now)
        batch.before = lobby
        batch._write_down(CLOCK, write_start(first_dealer), begun, [])
        batch._write_down(CLOCK, write_deal(source), match, events)
        batch._react()
        return batch

    @property
    def match(self) -> Match:
        """The match as it stands in this batch."""
        return self._match

    # --- what somebody does --------------------------------------------------------------------

    def deal(self, source: FairDeal | Sequence[int]) -> None:
        """Deal the next round with the deck that is made from `source`."""
        match, events = deal(self._match, deck_of(self._match, source))
        self._write_down(CLOCK, write_deal(source), match, events)
        self._react()

    def stop(self) -> None:
        """End an open-ended match between two rounds, with what has been reached (G27)."""
        self._apply(StopMatch())

    def take(self, action: Action, actor_id: int | None = None) -> None:
        """Apply an action, or keep it as a pre-move while a bomb window is open."""
        if isinstance(action, CallTichu) and self._called_just_now(action.seat):
            action = action._replace(same=True)
        if self._is_premove(action):
            self._keep(action)
        else:
            self._apply(action, actor_id)
            self._dropped.discard(action.seat)
        self._react()

    def bomb(self, seat: int, cards: int, target: str, actor_id: int | None = None) -> None:
        """Throw a bomb: out of turn, or as a play when it is this seat's turn by now.

        `Stale` unless `target` still is the play to beat; passes since then do not matter.
        """
        if play_to_beat(self._round) != target:
            raise Stale
        round_ = self._round
        on_turn = round_.phase is Phase.TURN and round_.turn == seat
        self.take(Play(seat, cards) if on_turn else Bomb(seat, cards), actor_id)

    def pass_this_trick(self, seat: int, on: bool, trick: str | None = None) -> None:
        """Pass for this seat whenever it may, until the trick is gathered (or no longer).

        `Stale` unless it is `trick` that is being played (see `trick_on_table`).
        """
        if trick not in (None, trick_on_table(self._round)):
            raise Stale
        if on:
            self._auto_pass.add(seat)
        else:
            self._auto_pass.discard(seat)
        self._react()

    def take_back(self, seat: int) -> None:
        """Forget the pre-move of this seat."""
        self._premoves.pop(seat, None)

    def catch_up(self) -> None:
        """Do what follows at once, after the chairs have changed."""
        self._react()

    def let_time_out(self, seats: Iterable[int]) -> None:
        """Note that whoever decides for these seats is away from now on."""
        self._away |= {self._chair(seat).seat for seat in seats}

    @property
    def _round(self) -> Round:
        round_ = self._match.round
        assert round_ is not None
        return round_

    def _is_premove(self, action: Action) -> bool:
        round_ = self._round
        return (
            isinstance(action, Play | Pass | GiveTrick)
            and round_.phase in WINDOWS
            and not round_.asked
            and round_.turn == action.seat
        )

    def _keep(self, action: Action) -> None:
        verify(after_quiet_window(self._match), action)
        self._premoves[action.seat] = action
        self._dropped.discard(action.seat)

    def _called_just_now(self, seat: int) -> bool:
        """Whether a partner called a small Tichu within the last second (N78)."""
        round_ = self._round
        return any(
            round_.calls[partner] is Call.TICHU
            and self._chair(partner) != self._chair(seat)  # one person plays both hands (T8)
            and partner in self._called_at
            and (self._now - self._called_at[partner]).total_seconds() <= SAME_TIME_SECONDS
            for partner in round_.seating.partners(seat)
        )

    # --- what follows at once ------------------------------------------------------------------

    def _apply(self, action: Action, actor_id: int | None = None) -> None:
        """Apply an action to the match and write it down."""
        match, events = apply(self._match, action)
        self._write_down(action.seat, write_action(action), match, events, actor_id)

    def _write_down(
        self,
        seat: int,
        text: str,
        match: Match,
        events: Sequence[Event],
        actor_id: int | None = None,
    ) -> None:
        """Note one record, the match after it and what it caused."""
        self._match = match
        self._records.append(
            ActionRecord(
                seq=self._game.seq + len(self._records) + 1,
                round=match.round.number if match.round is not None else 0,
                seat=seat,
                actor_id=actor_id,
                text=text,
                at=self._now,
            )
        )
        if seat != CLOCK and is_turn(text):
            self._turns = counted(self._turns, self._chair(seat).seat, actor_id)
        self.events += events
        for event in events:
            self._follow(event)

    def _follow(self, event: Event) -> None:
        """Keep the choices and notes in step with what has happened."""
        if isinstance(event, Called):
            self._called_at[event.seat] = self._now
            self._buttons_expire |= event.reopened
            return
        # Who leads next could choose the lead already while the closing window was open.
        self._buttons_expire |= not isinstance(event, TrickTaken)
        if isinstance(event, Played):
            self._dropped |= {seat for seat in self._premoves if seat != event.seat}
            self._premoves.clear()
        elif isinstance(event, TrickTaken | DragonGiven | LeadGiven | RoundDealt):
            self._auto_pass.clear()
            self._dropped.clear()
        if isinstance(event, RoundDealt):
            self._votes = self._left = ()
            self._waits.clear()
            self._called_at.clear()
            self._turns = {}

    def _react(self) -> None:
        """Everything that needs no further waiting, until nothing of the kind is left."""
        while (reaction := self._next_reaction()) is not None:
            self._apply(*reaction)

    def _next_reaction(self) -> tuple[Action, int | None] | None:
        """The action that follows now, and the person who has chosen it before."""
        if self._game.last_round and can(self._match, StopMatch()):
            return StopMatch(), None
        if self._match.phase in (Phase.ROUND_END, Phase.MATCH_END):
            return None
        round_ = self._round
        if round_.phase in (Phase.LEAD, Phase.TURN, Phase.GIFT) and not round_.asked:
            chooser = self._chair(round_.turn).user_id
            kept = self._premoves.pop(round_.turn, None)
            if kept is not None:
                if can(self._match, kept):
                    return kept, chooser
                self._dropped.add(round_.turn)
            if round_.turn in self._auto_pass and may_pass(self._match, round_.turn):
                return Pass(round_.turn), chooser
        return None

    def _chair(self, seat: int) -> Chair:
        """The chair of whoever decides for this seat."""
        return self._game.chairs[self._match.variant.actor(self._round, seat)]

    # --- what computer players have decided ----------------------------------------------------

    def carry_out(self, answers: Answers) -> None:
        """Do what was decided, one seat after another, as long as the questions stay the same."""
        for question, action in answers.items():
            round_ = self._round
            if self._buttons_expire or (round_.calls, round_.asked) != (
                question.calls,
                question.asked,
            ):
                return
            self._decided(question, action)

    def _decided(self, question: Question, action: Action | None) -> None:
        """Do what was decided for one seat; what is wrong must not stop the table, nor bet."""
        seat = question.seat
        if action is not None and self._game.stands_in(seat):
            action = in_place_of_a_person(action)
        if question.subject == "bomb":
            if isinstance(action, Bomb) and can(self._match, action):
                self.take(action)
            return
        if action is None or not can(self._match, action):
            if action is not None:
                log.error("table %s: a computer player chose what is not legal", self._game.id)
            action = next((a for a in legal(self._match, seat) if not _is_bet(a)), None)
        if action is not None:
            self.take(action)

    def close_window(self, bombs: Answers) -> None:
        """Close the bomb window, as its time is up; first computer players' bombs go face down.

        None of them ever waives, and none is early: how long a window stays open tells nothing.
        """
        self.carry_out(bombs)
        self.take(CloseWindow())

    # --- the outcome ---------------------------------------------------------------------------

    def finish(self) -> Outcome:
        """The state after the batch, and the change to be committed for it."""
        after = self._after()
        if any(isinstance(event, MatchEnded) for event in self.events):
            after = replace(after, status="finished")
        if pauses_now(after):
            after = replace(after, timers=replace(after.timers, paused=True))
        times = deadlines(self.before, after, self._now)
        after = replace(after, timers=replace(after.timers, deadlines=times))
        rounds: list[RoundRecord] = []
        for event in self.events:
            if isinstance(event, RoundEnded):
                record = round_record(after, event.result, self._now)
                rounds.append(record)
                counted_ = rounds_counted(after, record)
                after = replace(after, credits=replace(after.credits, rounds=counted_))
        return Outcome(after, self._change(after, rounds), self.events)

    def _after(self) -> Game:
        """The table with what the batch has gathered; its deadlines are still those before."""
        game = self._game
        seq = game.seq + len(self._records)
        return replace(
            game,
            match=self._match,
            seq=seq,
            revision=seq if self._buttons_expire else game.revision,
            kept=KeptChoices(
                premoves=self._premoves,
                auto_pass=tuple(sorted(self._auto_pass)),
                dropped=tuple(sorted(self._dropped)),
            ),
            notes=replace(
                game.notes,
                waits=self._waits,
                votes=self._votes,
                left=self._left,
                called_at=self._called_at,
                away=tuple(sorted(self._away)),
            ),
            credits=replace(game.credits, turns=self._turns),
        )

    def _change(self, after: Game, rounds: Sequence[RoundRecord]) -> Change:
        """What is stored of the batch."""
        ending: dict[str, Any] = {}
        if after.status == "finished":
            ending["match"] = match_record(after, self._now, "finished")
            ending["ended_at"] = self._now
        return Change(
            expected_seq=self._game.seq,
            actions=tuple(self._records),
            desk=write_desk(after),
            status=after.status,
            round=rounds[-1] if rounds else None,
            **ending,
        )


def _is_bet(action: Action) -> bool:
    """Whether this is a call, or the end of one: nothing that is done for want of a decision."""
    return (
        isinstance(action, CallTichu)
        or (isinstance(action, AnswerGrand) and action.call)
        or (isinstance(action, AnswerWithdraw) and action.withdraw)
    )
