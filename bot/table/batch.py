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

from bot.errors import Stale
from bot.records import ActionRecord, Change
from bot.table.action_log import step, text_of, write_deal, write_start
from bot.table.attribution import Turns, counted, is_turn
from bot.table.deadlines import deadlines
from bot.table.decisions import Question, in_place_of_a_person
from bot.table.presence import pauses_now
from bot.table.results import match_record, round_record, rounds_counted
from bot.table.state import Chair, TableState, play_to_beat
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
    Play,
    StopMatch,
)
from engine.events import (
    Called,
    DragonGiven,
    Event,
    LeadGiven,
    MatchEnded,
    Played,
    RoundDealt,
    RoundEnded,
    TrickTaken,
)
from engine.fair_deal import FairDeal
from engine.foresight import after_quiet_window
from engine.legal import legal, may_pass
from engine.match import can, verify
from engine.notation import read_action
from engine.state import WINDOWS, Call, Match, Phase
from engine.view import view

log = logging.getLogger(__name__)

SAME_TIME_SECONDS = 1.0
"""Partners calling within this time called at the same time (C21)."""


Answers = Mapping[Question, Action | None]
"""What computer players have decided; `None` for whatever the rules allow that bets nothing."""


class Course:
    """One batch of actions, from the state before to the state after."""

    def __init__(self, state: TableState, now: datetime) -> None:
        self.before = state
        self.events: list[Event] = []
        self._now = now
        self._match = state.match
        self._records: list[ActionRecord] = []
        self._premoves = dict(state.desk.premoves)
        self._auto_pass = {seat for seat in state.desk.auto_pass if not state.computer(seat)}
        self._dropped = set(state.desk.dropped)
        self._waits = dict(state.desk.waits)
        self._votes = state.desk.votes
        self._left = state.desk.left
        self._called_at = dict(state.desk.called_at)
        self._away = set(state.desk.away)
        self._turns: Turns = state.desk.turns
        self._stamped = False

    @property
    def match(self) -> Match:
        """The match as it stands in this batch."""
        assert self._match is not None
        return self._match

    # --- what somebody does --------------------------------------------------------------------

    def start(self, first_dealer: int, deal: FairDeal | Sequence[int]) -> None:
        """Start the match and deal its first round."""
        self._record(CLOCK, write_start(first_dealer))
        self.deal(deal)

    def deal(self, deal: FairDeal | Sequence[int]) -> None:
        """Deal the next round."""
        self._record(CLOCK, write_deal(deal))
        self._react()

    def stop(self) -> None:
        """End an open-ended match between two rounds, with what has been reached (G27)."""
        self._record(CLOCK, text_of(StopMatch()))

    def take(self, action: Action, actor_id: int | None = None) -> None:
        """Apply an action, or keep it as a pre-move while a bomb window is open."""
        if isinstance(action, CallTichu) and self._called_just_now(action.seat):
            action = action._replace(same=True)
        if self._is_premove(action):
            self._keep(action)
        else:
            self._record(action.seat, text_of(action), actor_id)
            self._dropped.discard(action.seat)
        self._react()

    def bomb(self, seat: int, cards: int, target: str, actor_id: int | None = None) -> None:
        """Throw a bomb: out of turn, or as a play when it is this seat's turn by now.

        `Stale` unless `target` still is the play to beat; passes since then do not matter.
        """
        if play_to_beat(view(self.match, seat)) != target:
            raise Stale
        round_ = self.match.round
        on_turn = round_ is not None and round_.phase is Phase.TURN and round_.turn == seat
        self.take(Play(seat, cards) if on_turn else Bomb(seat, cards), actor_id)

    def pass_this_trick(self, seat: int, on: bool, trick: str | None = None) -> None:
        """Pass for this seat whenever it may, until the trick is gathered (or no longer).

        `Stale` unless it is `trick`: the round and the number of tricks before, as in ``2.5``.
        """
        round_ = self.match.round
        if round_ is None or trick not in (None, f"{round_.number}.{len(round_.past)}"):
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
        """Do what follows at once; after the chairs have changed."""
        self._react()

    def miss(self, seats: Iterable[int]) -> None:
        """Whoever decides for these seats is away from now on."""
        self._away |= {self._chair(seat).seat for seat in seats}

    def _is_premove(self, action: Action) -> bool:
        round_ = self.match.round
        return (
            isinstance(action, Play | Pass | GiveTrick)
            and round_ is not None
            and round_.phase in WINDOWS
            and not round_.asked
            and round_.turn == action.seat
        )

    def _keep(self, action: Action) -> None:
        verify(after_quiet_window(self.match), action)
        self._premoves[action.seat] = text_of(action)
        self._dropped.discard(action.seat)

    def _called_just_now(self, seat: int) -> bool:
        """Whether a partner called a small Tichu within the last second (N78)."""
        round_ = self.match.round
        if round_ is None:
            return False
        return any(
            round_.calls[partner] is Call.TICHU
            and self._chair(partner) != self._chair(seat)  # the dealer, for himself and the Table
            and partner in self._called_at
            and (self._now - self._called_at[partner]).total_seconds() <= SAME_TIME_SECONDS
            for partner in round_.seating.partners(seat)
        )

    # --- what follows at once ------------------------------------------------------------------

    def _record(self, seat: int, text: str, actor_id: int | None = None) -> None:
        """Apply one record to the match, and keep the desk in step with what it caused."""
        self._match, events = step(self._match, self.before.options.rules(), seat, text)
        round_ = self.match.round
        self._records.append(
            ActionRecord(
                seq=self.before.seq + len(self._records) + 1,
                round=round_.number if round_ is not None else 0,
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
        if isinstance(event, Called):
            self._called_at[event.seat] = self._now
            self._stamped |= event.reopened
            return
        # Who leads next could choose his lead already while the closing window was open.
        self._stamped |= not isinstance(event, TrickTaken)
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
        while (record := self._next_reaction()) is not None:
            self._record(*record)

    def _next_reaction(self) -> tuple[int, str, int | None] | None:
        """Seat and text of what follows now, and the person who has chosen it before."""
        round_ = self.match.round
        if self.before.desk.last_round and can(self.match, StopMatch()):
            return CLOCK, text_of(StopMatch()), None
        if round_ is None or self.match.phase in (Phase.ROUND_END, Phase.MATCH_END):
            return None
        if round_.phase in (Phase.LEAD, Phase.TURN, Phase.GIFT) and not round_.asked:
            chooser = self._chair(round_.turn).user_id
            kept = self._premoves.pop(round_.turn, None)
            if kept is not None:
                if can(self.match, read_action(round_.turn, kept)):
                    return round_.turn, kept, chooser
                self._dropped.add(round_.turn)
            if round_.turn in self._auto_pass and may_pass(self.match, round_.turn):
                return round_.turn, text_of(Pass(round_.turn)), chooser
        return None

    def _chair(self, seat: int) -> Chair:
        round_ = self.match.round
        assert round_ is not None
        return self.before.chairs[self.match.variant.actor(round_, seat)]

    # --- what computer players have decided ----------------------------------------------------

    def carry_out(self, answers: Answers) -> None:
        """Do what was decided, one seat after another, as long as the questions stay the same."""
        for question, action in answers.items():
            round_ = self.match.round
            assert round_ is not None
            if self._stamped or (round_.calls, round_.asked) != (question.calls, question.asked):
                return
            self._decided(question, action)

    def _decided(self, question: Question, action: Action | None) -> None:
        """Do what was decided for one seat; what is wrong must not stop the table, nor bet."""
        seat = question.seat
        if action is not None and self.before.stands_in(seat):
            action = in_place_of_a_person(action)
        if question.subject == "bomb":
            if isinstance(action, Bomb) and can(self.match, action):
                self.take(action)
            return
        if action is None or not can(self.match, action):
            if action is not None:
                log.error("table %s: a computer player chose what is not legal", self.before.id)
            action = next((a for a in legal(self.match, seat) if not _is_bet(a)), None)
        if action is not None:
            self.take(action)

    def close_window(self, bombs: Answers) -> None:
        """The time of the bomb window is up; computer players' bombs go face down before it is.

        None of them ever waives, and none is early: how long a window stays open tells nothing.
        """
        self.carry_out(bombs)
        self.take(CloseWindow())

    # --- the outcome ---------------------------------------------------------------------------

    def finish(self) -> tuple[TableState, Change]:
        """The state after the batch, and the change to be committed for it."""
        before = self.before
        seq = before.seq + len(self._records)
        desk = before.desk.model_copy(
            update={
                "stamp": seq if self._stamped else before.desk.stamp,
                "premoves": self._premoves,
                "auto_pass": tuple(sorted(self._auto_pass)),
                "dropped": tuple(sorted(self._dropped)),
                "waits": self._waits,
                "votes": self._votes,
                "left": self._left,
                "called_at": self._called_at,
                "away": tuple(sorted(self._away)),
                "turns": self._turns,
            }
        )
        after = replace(before, match=self._match, seq=seq, desk=desk)
        ended = any(isinstance(event, MatchEnded) for event in self.events)
        if ended:
            after = replace(after, status="finished")
        if pauses_now(after):
            desk = desk.model_copy(update={"paused": True})
            after = replace(after, desk=desk)
        after = replace(
            after,
            desk=desk.model_copy(update={"deadlines": deadlines(before, after, self._now)}),
        )
        change: dict[str, object] = {
            "expected_seq": before.seq,
            "actions": tuple(self._records),
            "desk": after.desk.model_dump_json(),
            "status": after.status,
        }
        for event in self.events:
            if isinstance(event, RoundEnded):
                record = round_record(after, event.result, self._now)
                desk = after.desk.model_copy(update={"rounds": rounds_counted(after, record)})
                after = replace(after, desk=desk)
                change |= {"round": record, "desk": desk.model_dump_json()}
        if ended:
            change["match"] = match_record(after, self._now, "finished")
            change["ended_at"] = self._now
        return after, Change.model_validate(change)


def _is_bet(action: Action) -> bool:
    """Whether this is a call, or the end of one: nothing that is done for want of a decision."""
    return (
        isinstance(action, CallTichu)
        or (isinstance(action, AnswerGrand) and action.call)
        or (isinstance(action, AnswerWithdraw) and action.withdraw)
    )
