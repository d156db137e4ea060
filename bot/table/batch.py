"""A batch of actions on one table: what somebody did and all that follows from it at once.

Applies actions through the engine, carries out what computer players have decided, lays kept
pre-moves, and ends in one new table state with the change that stores it. Nothing here waits,
thinks, sends or stores; a refusal (`IllegalAction`) leaves the table as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Self

from bot.errors import Reason, Refused, Stale
from bot.ids import Revision, UserId
from bot.records import ActionRecord, Count, Seq
from bot.table import auto_pass, kept_choices
from bot.table.action_log import deck_of, write_deal, write_start
from bot.table.attribution import counted, is_turn
from bot.table.decisions import Decisions, carried_out, still_asked
from bot.table.details import SeatNotes
from bot.table.outcome import Outcome, outcome_of_actions
from bot.table.state import (
    Game,
    Lobby,
    OpenTable,
    begun,
    play_to_beat,
    trick_on_table,
    window_on_table,
)
from bot.table.turn_based import missed
from engine import (
    CLOCK,
    Action,
    Bomb,
    Call,
    Called,
    CallTichu,
    Card,
    CardSet,
    CloseWindow,
    Event,
    Match,
    Pass,
    Phase,
    Play,
    RoundDealt,
    RoundEnded,
    Seat,
    StopMatch,
    TrickTaken,
    apply,
    can,
    deal,
    new_match,
    write_action,
)
from engine.fair_deal import FairDeal

SAME_TIME_SECONDS = 1.0
"""Partners calling within this time called at the same time (C21)."""


class Batch:
    """One batch of actions, from the state before to the state after."""

    def __init__(self, game: Game, now: datetime) -> None:
        self.before: OpenTable = game
        self.events: list[Event] = []
        self._game = kept_choices.only_of_people(game)
        self._now = now
        self._records: list[ActionRecord] = []

    @classmethod
    def start(
        cls,
        lobby: Lobby,
        now: datetime,
        first_dealer: Seat,
        source: FairDeal | Sequence[Card],
        ratings: Mapping[UserId, int],
        notes: SeatNotes,
    ) -> Self:
        """The batch that starts the match of a lobby and deals its first round.

        `source` is what the deck is made from, `ratings` are those of its people by user, `notes`
        what is noted about their seats. Raises `IllegalAction` for a dealer who does not sit there.
        """
        match = new_match(lobby.options.rules, first_dealer)
        dealt, events = deal(match, deck_of(match, source))
        batch = cls(begun(lobby, dealt, ratings, notes), now)
        batch.before = lobby
        batch._write_down(CLOCK, write_start(first_dealer), round_number=0)
        batch._advance(CLOCK, write_deal(source), dealt, events)
        return batch

    @property
    def match(self) -> Match:
        """The match as it stands in this batch."""
        return self._game.match

    # --- what somebody does --------------------------------------------------------------------

    def deal(self, source: FairDeal | Sequence[Card]) -> None:
        """Deal the next round with the deck that is made from `source`."""
        match, events = deal(self.match, deck_of(self.match, source))
        self._advance(CLOCK, write_deal(source), match, events)
        self.catch_up()

    def stop(self) -> None:
        """End an open-ended match between two rounds, with what has been reached (G27)."""
        self._apply(StopMatch())

    def take(self, action: Action, actor_id: UserId | None = None) -> None:
        """Apply an action, or keep it as a pre-move while a bomb window is open."""
        if isinstance(action, CallTichu) and self._partner_just_called(action.seat):
            action = action._replace(same=True)
        if kept_choices.is_premove(self._game, action):
            self._game = kept_choices.keep(self._game, action)
        else:
            self._apply(action, actor_id)
        self._game = kept_choices.acted(self._game, action.seat)
        self.catch_up()

    def bomb(self, seat: Seat, cards: CardSet, target: str, actor_id: UserId | None = None) -> None:
        """Throw a bomb: out of turn, or as a play when it is this seat's turn by now.

        `Stale` unless `target` still is the play to beat; passes since then do not matter.
        """
        round_ = self._game.round
        if play_to_beat(round_) != target:
            raise Stale
        on_turn = round_.phase is Phase.TURN and round_.turn == seat
        self.take(Play(seat, cards) if on_turn else Bomb(seat, cards), actor_id)

    def pass_this_trick(self, seat: Seat, on: bool, trick: str | None = None) -> None:
        """Pass for this seat whenever it may, until the trick is gathered (or no longer).

        `Stale` unless it is `trick` that is being played (see `trick_on_table`).
        """
        if trick not in (None, trick_on_table(self._game.round)):
            raise Stale
        self._game = kept_choices.pass_this_trick(self._game, seat, on)
        self.catch_up()

    def pass_by_itself(self) -> None:
        """Pass for the seat on turn, if its person has chosen that and it has nothing to play."""
        seat = auto_pass.passes_by_itself(self._game)
        if seat is not None:
            self.take(Pass(seat), self._game.chairs[self._game.decider(seat)].user_id)

    def take_back(self, seat: Seat) -> None:
        """Forget the pre-move of this seat."""
        self._game = kept_choices.take_back(self._game, seat)

    def go_on(self, chair: Seat) -> None:
        """Let the bomb window end that this chair's person keeps open, at turn-based pace.

        `Refused` (``not-your-turn``) if none waits for them.
        """
        seat = self._game.going_on
        if seat is None or self._game.decider(seat) != chair:
            raise Refused(Reason.NOT_YOUR_TURN)
        self._game = self._game.with_kept(gone_on=window_on_table(self._game.round))
        self.catch_up()

    def miss(self, answers: Decisions) -> None:
        """Make these moves for people who have missed their turns at turn-based pace.

        They are not away for it. A bomb window that waited for one of them ends first, and if
        somebody has bombed in it, no move is left to make; nor is one if a computer player is next.
        """
        game = self._game
        chairs = frozenset(game.decider(question.seat) for question in answers)
        self._game = missed(game, chairs)
        if game.going_on is not None:
            self.go_on(game.decider(game.going_on))
        self.carry_out(answers)

    def mark_away(self, seats: Iterable[Seat]) -> None:
        """Note that whoever decides for these seats is away from now on."""
        away = {*self._game.notes.away, *map(self._game.decider, seats)}
        self._game = self._game.with_notes(away=tuple(sorted(away)))

    def _partner_just_called(self, seat: Seat) -> bool:
        """Whether a partner called a small Tichu within the last second (N78)."""
        game, called_at = self._game, self._game.notes.called_at
        return any(
            game.round.calls[partner] is Call.TICHU
            and game.decider(partner) != game.decider(seat)  # one person plays both hands (T8)
            and partner in called_at
            and (self._now - called_at[partner]).total_seconds() <= SAME_TIME_SECONDS
            for partner in game.round.seating.partners(seat)
        )

    # --- what computer players have decided ----------------------------------------------------

    def carry_out(self, decisions: Decisions) -> None:
        """Do what was decided, one seat after another, as long as the questions stay the same."""
        for question, decision in decisions.items():
            if not still_asked(self._game, question):
                return
            action = carried_out(self._game, question, decision)
            if action is not None:
                self.take(action)

    def close_window(self, bombs: Decisions) -> None:
        """Close the bomb window, as its time is up; first computer players' bombs go face down.

        Computer players neither waive nor bomb early, so how long a window is open tells nothing.
        At turn-based pace it stays open for as long as a person has to go on.
        """
        self.carry_out(bombs)
        if self._game.going_on is None:
            self.take(CloseWindow())
        else:
            self._game = self._game.with_timers(open_window=window_on_table(self._game.round))

    # --- what follows at once ------------------------------------------------------------------

    def catch_up(self) -> None:
        """Do all that needs no further waiting: kept choices, and the end that was voted for.

        At turn-based pace a bomb window ends for which nobody has to wait any more.

        It is done after each action by itself; whoever has changed the chairs asks for it.
        """
        while True:
            if self._game.last_round and can(self.match, StopMatch()):
                self._apply(StopMatch())
            if self._window_waited_for_nothing():
                self._apply(CloseWindow())
            self._game, action = kept_choices.due(self._game)
            if action is None:
                return
            chooser = self._game.chairs[self._game.decider(action.seat)]
            self._apply(action, chooser.user_id)

    def _window_waited_for_nothing(self) -> bool:
        """Whether the open bomb window has had its time, and nobody keeps it open any more."""
        game = self._game
        if not game.window_open or game.going_on is not None:
            return False
        return game.timers.open_window == window_on_table(game.round)

    def _apply(self, action: Action, actor_id: UserId | None = None) -> None:
        """Apply an action to the match and write it down."""
        match, events = apply(self.match, action)
        text, turn = write_action(action), is_turn(action)
        self._advance(action.seat, text, match, events, actor_id, turn=turn)

    def _advance(
        self,
        seat: Seat,
        text: str,
        match: Match,
        events: Sequence[Event],
        actor_id: UserId | None = None,
        *,
        turn: bool = False,
    ) -> None:
        """Write down one action, and go on with the match after it and what it caused.

        If it was a `turn` it is counted.
        """
        assert match.round is not None, "a game begins with its first deal"
        seq = self._write_down(seat, text, match.round.number, actor_id)
        stale = any(map(_makes_buttons_stale, events))
        revision = seq if stale else self._game.revision
        game = replace(self._game, match=match, seq=seq, revision=Revision(revision))
        if turn:
            turns = counted(game.credits.turns, game.decider(seat), actor_id)
            game = game.with_credits(turns=turns)
        for event in events:
            game = _with_notes_of(kept_choices.after_event(game, event), event, self._now)
        self._game = game
        self.events += events

    def _write_down(
        self, seat: Seat, text: str, round_number: Count, actor_id: UserId | None = None
    ) -> Seq:
        """Note the record of one action. Returns its number: one more than the last."""
        seq = self._records[-1].seq + 1 if self._records else self._game.seq + 1
        self._records.append(
            ActionRecord(
                seq=seq,
                round=round_number,
                seat=seat,
                actor_id=actor_id,
                text=text,
                at=self._now,
            )
        )
        return seq

    # --- the outcome ---------------------------------------------------------------------------

    def finish(self) -> Outcome:
        """The state after the batch, and the change to be committed for it."""
        return outcome_of_actions(self.before, self._game, self._records, self.events, self._now)


def _makes_buttons_stale(event: Event) -> bool:
    """Whether the buttons of before mean something else, or nothing, when this has happened.

    A call leaves them as they are, unless cards that were passed must be passed again. So does a
    gathered trick: who leads next could choose the lead already while the closing window was open.
    """
    return event.reopened if isinstance(event, Called) else not isinstance(event, TrickTaken)


def _with_notes_of(game: Game, event: Event, now: datetime) -> Game:
    """The game with notes of this event; those about a round end with the next deal.

    Who played the round before is known until this one is over.
    """
    if isinstance(event, RoundEnded):
        return game.with_notes(played={})
    if isinstance(event, Called):
        return game.with_notes(called_at={**game.notes.called_at, event.seat: now})
    if isinstance(event, RoundDealt):
        return game.with_notes(
            votes=(), against=(), ready=(), left=(), waits={}, called_at={}
        ).with_credits(turns={})
    return game
