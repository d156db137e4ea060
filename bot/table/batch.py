"""Batches of actions on one table, with their immediate consequences.

A batch applies actions through the engine, carries out decisions of computer players and kept
pre-moves, and ends in one new table state with the change that stores it. It does no I/O and
computes no decisions. A refusal (`IllegalAction`) leaves the table unchanged.
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
from bot.table.action_log import deal_from, write_deal, write_start
from bot.table.attribution import add_count, is_turn
from bot.table.decisions import Decisions, resulting_action, still_asked
from bot.table.details import SeatNotes
from bot.table.match_length import first_match
from bot.table.outcome import Outcome, outcome_of_actions
from bot.table.state import (
    Game,
    Lobby,
    OpenTable,
    begin_game,
    play_to_beat_id,
    trick_id,
    window_id,
)
from bot.table.turn_based import count_missed
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
    Phase,
    Play,
    RoundDealt,
    RoundEnded,
    Seat,
    StopMatch,
    TrickTaken,
    apply,
    can,
    only_course,
    write_action,
)
from engine.fair_deal import FairDeal

SAME_TIME_SECONDS = 1.0
"""Seconds within which calls of partners count as simultaneous (C21)."""


class Batch:
    """A batch of actions, from the state before to the state after."""

    def __init__(self, game: Game, now: datetime) -> None:
        self.before: OpenTable = game
        self.events: list[Event] = []
        self._game = kept_choices.without_computers(game)
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
        """Return a batch that starts a match and deals its first round.

        `source` is the source of the deck, `ratings` are those of the players by user, and `notes`
        are the notes about their seats. Raises `IllegalAction` for a dealer who does not sit there.
        """
        rounds = None if lobby.options.event is None else lobby.options.event.rounds
        match = first_match(lobby.options.rules, first_dealer, rounds)
        dealt, events = deal_from(match, source)
        batch = cls(begin_game(lobby, dealt, ratings, notes), now)
        batch.before = lobby
        batch._record_action(CLOCK, write_start(first_dealer, rounds), round_number=0)
        batch._advance(CLOCK, write_deal(source), dealt, events)
        return batch

    @property
    def match(self) -> Match:
        """Current match of this batch."""
        return self._game.match

    # --- actions of a player ---------------------------------------------------------------------

    def deal(self, source: FairDeal | Sequence[Card]) -> None:
        """Deal the next round with the deck made from `source`."""
        match, events = deal_from(self.match, source)
        self._advance(CLOCK, write_deal(source), match, events)
        self.catch_up()

    def stop(self) -> None:
        """End an open-ended match between two rounds, with its current result (G27)."""
        self._apply(StopMatch())

    def take(self, action: Action, actor_id: UserId | None = None) -> None:
        """Apply an action, or keep it as a pre-move during a window."""
        if isinstance(action, CallTichu) and self._partner_just_called(action.seat):
            action = action._replace(same=True)
        if kept_choices.is_premove(self._game, action):
            self._game = kept_choices.keep_premove(self._game, action)
        else:
            self._apply(action, actor_id)
        self._game = kept_choices.clear_dropped_notice(self._game, action.seat)
        self.catch_up()

    def bomb(self, seat: Seat, cards: CardSet, target: str, actor_id: UserId | None = None) -> None:
        """Throw a bomb out of turn, or as a play on turn.

        Raises `Stale` unless `target` is still the play to beat; passes since then do not matter.
        """
        round_ = self._game.round
        if play_to_beat_id(round_) != target:
            raise Stale
        on_turn = round_.phase is Phase.TURN and round_.turn == seat
        self.take(Play(seat, cards) if on_turn else Bomb(seat, cards), actor_id)

    def pass_this_trick(self, seat: Seat, on: bool, trick: str | None = None) -> None:
        """Pass for this seat until the trick is gathered, or stop doing so.

        Raises `Stale` if the current trick is not `trick` (see `trick_id`).
        """
        if trick not in (None, trick_id(self._game.round)):
            raise Stale
        self._game = kept_choices.pass_this_trick(self._game, seat, on)
        self.catch_up()

    def move_automatically(self) -> None:
        """Make the automatic move of the seat on turn, if it has chosen that."""
        move = auto_pass.automatic_move(self._game)
        if move is not None:
            self.take(move, self._game.chairs[self._game.decider(move.seat)].user_id)

    def take_back(self, seat: Seat) -> None:
        """Remove the pre-move of this seat."""
        self._game = kept_choices.take_back(self._game, seat)

    def end_window(self, chair: Seat) -> None:
        """Stop keeping the bomb window open for this chair's person, at turn-based pace.

        Raises `Refused` (``not-your-turn``) if no window waits for them.
        """
        seat = self._game.awaited_in_window
        if seat is None or self._game.decider(seat) != chair:
            raise Refused(Reason.NOT_YOUR_TURN)
        self._game = self._game.with_kept(gone_on=window_id(self._game.round))
        self.catch_up()

    def play_for_absent(self, answers: Decisions) -> None:
        """Make these moves for people who have missed their turns at turn-based pace.

        Unlike at live pace, these people do not become away. If a bomb window has waited for one of
        them, it ends first. Then their move is not made if somebody has bombed in the window, or if
        a computer player is next.
        """
        game = self._game
        chairs = frozenset(game.decider(question.seat) for question in answers)
        self._game = count_missed(game, chairs)
        if game.awaited_in_window is not None:
            self.end_window(game.decider(game.awaited_in_window))
        self.carry_out(answers)

    def mark_away(self, seats: Iterable[Seat]) -> None:
        """Mark the people who decide for these seats as away."""
        away = {*self._game.notes.away, *map(self._game.decider, seats)}
        self._game = self._game.with_notes(away=tuple(sorted(away)))

    def _partner_just_called(self, seat: Seat) -> bool:
        """Return whether a partner called a small Tichu within the last second (N78)."""
        game, called_at = self._game, self._game.notes.called_at
        return any(
            game.round.calls[partner] is Call.TICHU
            and game.decider(partner) != game.decider(seat)  # one person plays both hands (T8)
            and partner in called_at
            and (self._now - called_at[partner]).total_seconds() <= SAME_TIME_SECONDS
            for partner in game.round.seating.partners(seat)
        )

    # --- decisions of computer players -----------------------------------------------------------

    def carry_out(self, decisions: Decisions) -> None:
        """Carry out decisions in order, until a question has changed."""
        for question, decision in decisions.items():
            if not still_asked(self._game, question):
                return
            action = resulting_action(self._game, question, decision)
            if action is not None:
                self.take(action)

    def close_window(self, bombs: Decisions) -> None:
        """Close the bomb window when its time is up, after computer players' bombs.

        Computer players neither waive nor bomb early, so the length of a window reveals nothing. At
        turn-based pace the window stays open as long as a person has to go on.
        """
        self.carry_out(bombs)
        if self._game.awaited_in_window is None:
            self.take(CloseWindow())
        else:
            self._game = self._game.with_timers(open_window=window_id(self._game.round))

    # --- consequences ----------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Carry out everything that follows from the position without a further decision.

        These are the decided end of the match, the end of a bomb window that waits for nobody any
        more (turn-based), kept choices that are due, and the rest of a round in which nobody has a
        choice. `take` calls this after each action; callers that change the chairs must call it,
        too.
        """
        while True:
            if self._game.last_round and can(self.match, StopMatch()):
                self._apply(StopMatch())
            if self._window_may_close():
                self._apply(CloseWindow())
            self._game, action = kept_choices.take_due_choice(self._game)
            if action is not None:
                chooser = self._game.chairs[self._game.decider(action.seat)]
                self._apply(action, chooser.user_id)
            elif not self._play_only_course():
                return

    def _play_only_course(self) -> bool:
        """Play the round to its end, if nobody has a choice any more; return whether it did."""
        course = only_course(self.match)
        if course:
            self._game = kept_choices.clear_choices(self._game, range(len(self._game.round.hands)))
        for action in course:
            self._apply(action, self._actor_id(action.seat))
        return bool(course)

    def _actor_id(self, seat: Seat) -> UserId | None:
        """Return the person who moves for this seat, or `None` for a computer or the clock."""
        if seat == CLOCK or self._game.computer(seat):
            return None
        return self._game.chairs[self._game.decider(seat)].user_id

    def _window_may_close(self) -> bool:
        """Return whether a window that has had its usual time waits for nobody any more.

        Only at turn-based pace a window stays open after its usual time.
        """
        game = self._game
        if not game.window_open or game.awaited_in_window is not None:
            return False
        return game.timers.open_window == window_id(game.round)

    def _apply(self, action: Action, actor_id: UserId | None = None) -> None:
        """Apply an action to the match and record it."""
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
        """Record one action, and continue with the match after it and its events.

        With `turn`, the action is counted as a turn of the person who took it.
        """
        assert match.round is not None, "a game begins with its first deal"
        seq = self._record_action(seat, text, match.round.number, actor_id)
        buttons_stale = any(map(makes_buttons_stale, events))
        revision = seq if buttons_stale else self._game.revision
        game = replace(self._game, match=match, seq=seq, revision=Revision(revision))
        if turn:
            turns = add_count(game.credits.turns, game.decider(seat), actor_id)
            game = game.with_credits(turns=turns)
        for event in events:
            game = _note_event(kept_choices.after_event(game, event), event, self._now)
        self._game = game
        self.events += events

    def _record_action(
        self, seat: Seat, text: str, round_number: Count, actor_id: UserId | None = None
    ) -> Seq:
        """Record one action and return its number, one more than the last."""
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

    # --- outcome ---------------------------------------------------------------------------------

    def finish(self) -> Outcome:
        """Return the state after the batch, and the change to commit for it."""
        return outcome_of_actions(self.before, self._game, self._records, self.events, self._now)


def makes_buttons_stale(event: Event) -> bool:
    """Return whether this event makes existing buttons stale.

    A call makes them stale only if cards that were passed must be passed again. A gathered trick
    does not, because the next leader could already choose a lead in the bomb window before it.
    """
    return event.reopened if isinstance(event, Called) else not isinstance(event, TrickTaken)


def _note_event(game: Game, event: Event, now: datetime) -> Game:
    """Return the game with its notes changed by this event.

    A deal clears the notes about the previous round. Only the former players of that round
    (`SeatNotes.played`) are kept until the new round is over.
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
