"""Leads, plays, passes, bomb windows, the Dog and the Dragon's gift (rules sections 3 to 5).

Functions named ``check_...`` raise `IllegalAction` for a forbidden action. The others carry out a
checked action: they return the new match and append to `events`.
"""

from __future__ import annotations

from typing import NamedTuple

from .actions import Bomb, CloseWindow, GiveTrick, Pass, Play, Waive
from .cards import CARDS_OF_RANK, MAHJONGS, PHOENIXES, points_of, rank_text
from .combinations import Combination, Kind, beats, readings, with_key_on
from .errors import AmbiguousAction, IllegalAction, Reason
from .events import (
    BombsReturned,
    DragonGiven,
    Event,
    LeadGiven,
    Passed,
    Played,
    TrickTaken,
    WentOut,
)
from .hand import Hand
from .round import WINDOW_PHASES, Phase, Round, Trick, TrickStep
from .scoring import finish_by_penalty, finish_round
from .state import Match
from .types import Rank, Seat, Team

BOMB_SIZE = 4
"""The number of cards of the smallest bomb. A smaller hand publicly cannot bomb (section 3)."""


def check_play(match: Match, round_: Round, action: Play) -> Combination:
    """Return the combination of this play, with the ranks of its Phoenixes (N17, N46).

    Raises `IllegalAction` if it may not be laid now.
    """
    seat, top = action.seat, round_.top
    _check_turn(round_, seat)
    if action.cards & ~round_.hands[seat].cards or not action.cards:
        raise IllegalAction(Reason.NOT_HELD, "N13")
    combination = _stated_combination(action, top)
    if top is not None:
        _check_beats(combination, top)
    if action.wish is not None:
        if not action.cards & MAHJONGS:
            raise IllegalAction(Reason.WISH_WITHOUT_MAHJONG, "N26")
        if action.wish not in CARDS_OF_RANK or action.wish == 1:
            raise IllegalAction(Reason.WISH_RANK, "N26")
    targets = match.variant.dog_targets(round_, seat) if combination.kind is Kind.DOG else ()
    if action.partner not in (targets or (None,)):  # without a choice there is no partner to state
        raise IllegalAction(Reason.DOG_TARGET, "N39")
    if round_.wish is not None and not match.options.wish_penalty:
        _check_wish(match, round_, seat, combination)
    return combination


def _check_beats(new: Combination, top: Combination) -> None:
    """Raise `IllegalAction` unless `new` beats the play on the table (N17, N38, N45, N55)."""
    if new.kind is Kind.DOG:
        raise IllegalAction(Reason.DOG_ONLY_LEADS, "N38")
    if beats(new, top):
        return
    if top.is_dragon and new.cards & PHOENIXES and new.size == 1:
        raise IllegalAction(Reason.PHOENIX_ON_DRAGON, "N45")
    raise IllegalAction(Reason.DOES_NOT_BEAT, "N55" if top.is_bomb else "N17")


def _check_turn(round_: Round, seat: Seat) -> None:
    """Raise `IllegalAction` unless this seat has to lead or to follow now (N17, N23, N60)."""
    if round_.phase is Phase.LEAD or round_.phase is Phase.TURN:
        if round_.turn != seat:
            if not round_.has_cards(seat):
                raise IllegalAction(Reason.ALREADY_OUT, "N23")
            raise IllegalAction(Reason.NOT_YOUR_TURN, "N17", turn=round_.turn)
    elif round_.phase in WINDOW_PHASES:
        raise IllegalAction(Reason.WINDOW_OPEN, "N60")
    else:
        raise IllegalAction(Reason.WRONG_PHASE, "N17", phase=round_.phase.value)


def _stated_combination(action: Play, top: Combination | None) -> Combination:
    """Return the stated combination of these cards, or the highest if none is stated (N46).

    Raises `IllegalAction` if the cards are no combination, and `AmbiguousAction` if they are not
    the stated one.
    """
    found = readings(action.cards)
    if not found:
        raise IllegalAction(Reason.NO_COMBINATION, "N13")
    if action.phoenix:
        stated = tuple(sorted(action.phoenix))
        for reading in found:
            if reading.phoenix == stated:
                return reading
        texts = [rank_text(rank) if rank in CARDS_OF_RANK else str(rank) for rank in stated]
        raise AmbiguousAction(Reason.PHOENIX_RANK, "N46", ranks=" ".join(texts))
    return with_key_on(found[0], top)  # if the highest does not beat the top, no other one does


def _check_wish(match: Match, round_: Round, seat: Seat, play: Combination | None) -> None:
    """Raise `IllegalAction` if the seat must fulfil a wish and this play does not (N28).

    `play` is `None` for a pass.
    """
    fulfilling = fulfilling_plays(match, round_, seat)
    if fulfilling and play not in fulfilling:
        assert round_.wish is not None
        raise IllegalAction(Reason.WISH_DUTY, "N28", wish=rank_text(round_.wish))


def _misses_wish(match: Match, round_: Round, seat: Seat, play: Combination | None) -> bool:
    """Return whether this play misses a wish and is punished for it (N37).

    `play` is `None` for a pass.
    """
    if round_.wish is None or not match.options.wish_penalty:
        return False
    fulfilling = fulfilling_plays(match, round_, seat)
    return bool(fulfilling) and play not in fulfilling


def play(
    match: Match, round_: Round, action: Play, combination: Combination, events: list[Event]
) -> Match:
    """Lay a checked play (section 3, steps 1, 2, 4 and 6)."""
    if _misses_wish(match, round_, action.seat, combination):
        return finish_by_penalty(match, round_, events, action.seat)
    if combination.kind is Kind.DOG:
        return _lay_dog(match, round_, action, combination, events)
    return _lay_play(match, round_, action.seat, combination, action.wish, events)


class _AfterPlay(NamedTuple):
    """The fields of a round that change when a play leaves a hand."""

    hands: tuple[Hand, ...]
    """The hands, by seat."""
    out: tuple[Seat, ...]
    """The order of going out."""
    wish: Rank | None
    """The open wish."""


def _take_from_hand(
    round_: Round, seat: Seat, combination: Combination, wish: Rank | None, events: list[Event]
) -> _AfterPlay:
    """Take the cards of a play out of the hand (section 3, steps 1 and 6; N26, N32).

    `wish` is the rank wished for with this play, if any.
    """
    hands, out, open_wish = round_.hands, round_.out, round_.wish
    hand = hands[seat].without(combination.cards)
    fulfilled = open_wish is not None and combination.cards & CARDS_OF_RANK[open_wish] != 0
    events.append(Played(seat, combination, wish, open_wish if fulfilled else None))
    if not hand.size:
        out = (*out, seat)
        events.append(WentOut(seat, len(out)))
    if wish is not None:
        open_wish = wish
    elif fulfilled:
        open_wish = None
    return _AfterPlay((*hands[:seat], hand, *hands[seat + 1 :]), out, open_wish)


def _end_of_round(match: Match, round_: Round) -> tuple[bool, Team | None]:
    """Return whether the round is over, and the team that made a sweep (N64, N70).

    The team is `None` without a sweep, also when the round is over.
    """
    if not round_.out:
        return False, None
    team = match.variant.sweep(round_)
    return team is not None or len(round_.out) >= len(round_.hands) - 1, team


def _lay_play(
    match: Match,
    round_: Round,
    seat: Seat,
    combination: Combination,
    wish: Rank | None,
    events: list[Event],
) -> Match:
    """Add a combination to the trick and open a bomb window (section 3, steps 1, 2 and 6)."""
    after = _take_from_hand(round_, seat, combination, wish, events)
    went_out = len(after.out) > len(round_.out)
    round_ = round_._replace(
        phase=Phase.WINDOW,
        hands=after.hands,
        started=round_.started | 1 << seat,
        trick=(*round_.trick, TrickStep(seat, combination, wish)),
        trick_cards=round_.trick_cards | combination.cards,
        top=combination,
        top_seat=seat,
        passes=0,
        submitted=(),
        waived=0,
        wish=after.wish,
        out=after.out,
        turn=round_.seating.next_with_cards(seat, after.hands),
    )
    if went_out:
        over, team = _end_of_round(match, round_)
        if team is not None:
            return finish_round(match, round_, events, team)
        if over:
            return _gather_trick(match, round_, events)
    return _open_window(match, round_, events)


def _lay_dog(
    match: Match, round_: Round, action: Play, combination: Combination, events: list[Event]
) -> Match:
    """Lay the Dog, which passes on the lead without a trick or a window (N39-N41)."""
    seat = action.seat
    after = _take_from_hand(round_, seat, combination, None, events)
    round_ = round_._replace(
        hands=after.hands,
        started=round_.started | 1 << seat,
        out=after.out,
        discards=round_.discards | combination.cards,
    )
    step = (TrickStep(seat, combination),)
    over, team = _end_of_round(match, round_)
    if over:
        round_ = round_._replace(past=(*round_.past, Trick(step, -1)))
        return finish_round(match, round_, events, team)
    leader = match.variant.lead_after_dog(round_, seat, action.partner)
    events.append(LeadGiven(seat, leader))
    past = (*round_.past, Trick(step, -1, leader))
    return match.with_round(round_._replace(phase=Phase.LEAD, turn=leader, past=past))


def _open_window(match: Match, round_: Round, events: list[Event]) -> Match:
    """Open a bomb window, or skip it if nobody has four cards (section 3, steps 2 and 5)."""
    for hand in round_.hands:
        if hand.size >= BOMB_SIZE:
            return match.with_round(round_)
    return _end_window(match, round_, events)


def _end_window(match: Match, round_: Round, events: list[Event]) -> Match:
    """Lay the first sealed bomb in turn order, or continue without one (section 3, step 3; N61)."""
    if round_.submitted:
        bombs = dict(round_.submitted)
        order = [seat for seat in round_.seating.after(round_.top_seat) if seat in bombs]
        if order[1:]:
            events.append(BombsReturned(tuple(order[1:])))
        return _lay_play(match, round_, order[0], bombs[order[0]], None, events)
    if round_.waived:
        round_ = round_._replace(waived=0)
    if round_.phase is Phase.WINDOW:
        return match.with_round(
            round_.with_turn(Phase.TURN, round_.turn, round_.trick, round_.passes)
        )
    return _gather_trick(match, round_, events)


def _gather_trick(match: Match, round_: Round, events: list[Event]) -> Match:
    """Give the trick to its winner, who chooses a receiver if the Dragon won (N21, N49, N52)."""
    winner = round_.top_seat
    assert round_.top is not None
    if round_.top.is_dragon and match.variant.gift_receivers(round_, winner):
        return match.with_round(round_._replace(phase=Phase.GIFT, turn=winner))
    points = points_of(round_.trick_cards) if match.variant.scored else 0
    events.append(TrickTaken(winner, points))
    return _next_trick(match, round_, winner, Trick(round_.trick, winner), events)


def _next_trick(
    match: Match, round_: Round, owner: Seat, trick: Trick, events: list[Event]
) -> Match:
    """Add the trick to the pile of `owner` and start the next or end the round (N21, N22, N64).

    `owner` is the winner, or the receiver of a trick that the Dragon won. The winner leads in both
    cases.
    """
    piles, discards = round_.piles, round_.discards
    if match.variant.scored:
        piles = (*piles[:owner], piles[owner] | round_.trick_cards, *piles[owner + 1 :])
    else:
        discards |= round_.trick_cards
    winner = round_.top_seat
    round_ = round_._replace(
        phase=Phase.LEAD,
        turn=winner if round_.has_cards(winner) else round_.next_with_cards(winner),
        piles=piles,
        discards=discards,
        past=(*round_.past, trick),
        trick=(),
        trick_cards=0,
        top=None,
        top_seat=-1,
        passes=0,
    )
    over, team = _end_of_round(match, round_)
    return finish_round(match, round_, events, team) if over else match.with_round(round_)


def check_pass(match: Match, round_: Round, action: Pass) -> None:
    """Raise `IllegalAction` unless this seat may pass now (N18, N28)."""
    _check_turn(round_, action.seat)
    if round_.phase is Phase.LEAD:
        raise IllegalAction(Reason.MUST_LEAD, "N18")
    if round_.wish is not None and not match.options.wish_penalty:
        _check_wish(match, round_, action.seat, None)


def pass_turn(match: Match, round_: Round, action: Pass, _: None, events: list[Event]) -> Match:
    """Pass; the last pass opens the window that closes the trick (N20, N60)."""
    seat = action.seat
    if _misses_wish(match, round_, seat, None):
        return finish_by_penalty(match, round_, events, seat)
    events.append(Passed(seat))
    top_seat, hands = round_.top_seat, round_.hands
    top_active = hands[top_seat].size > 0
    trick, passes = (*round_.trick, TrickStep(seat, None)), round_.passes + 1
    others_with_cards = len(hands) - len(round_.out) - top_active
    if passes < others_with_cards:
        return match.with_round(
            round_.with_turn(Phase.TURN, round_.next_with_cards(seat), trick, passes)
        )
    leader = top_seat if top_active else round_.next_with_cards(top_seat)
    return _open_window(match, round_.with_turn(Phase.CLOSING, leader, trick, passes), events)


def check_bomb(_: Match, round_: Round, action: Bomb) -> Combination:
    """Return the combination of this bomb (N53).

    Raises `IllegalAction` unless the seat may throw it now, out of its turn (N56, N58, N61).
    """
    seat = action.seat
    if round_.phase is Phase.LEAD:
        raise IllegalAction(Reason.LEAD_NOT_BOMBABLE, "N58")
    if round_.phase not in WINDOW_PHASES and round_.phase is not Phase.TURN:
        raise IllegalAction(Reason.WRONG_PHASE, "N56", phase=round_.phase.value)
    if not round_.has_cards(seat):
        raise IllegalAction(Reason.ALREADY_OUT, "N23")
    if round_.phase is Phase.TURN and round_.turn == seat:
        raise IllegalAction(Reason.BOMB_IN_OWN_TURN, "N33")
    if action.cards & ~round_.hands[seat].cards or not action.cards:
        raise IllegalAction(Reason.NOT_HELD, "N56")
    found = readings(action.cards)
    if not found or not found[0].is_bomb:
        raise IllegalAction(Reason.NOT_A_BOMB, "N53")
    assert round_.top is not None
    if not beats(found[0], round_.top):
        raise IllegalAction(Reason.DOES_NOT_BEAT, "N55")
    if any(other == seat for other, _ in round_.submitted):
        raise IllegalAction(Reason.ALREADY_SUBMITTED, "N61")
    if round_.phase in WINDOW_PHASES and round_.waived >> seat & 1:
        raise IllegalAction(Reason.ALREADY_WAIVED, "N61")
    return found[0]


def bomb(
    match: Match, round_: Round, action: Bomb, combination: Combination, events: list[Event]
) -> Match:
    """Seal a bomb in a window, or throw it at once in another seat's turn (steps 2 and 4)."""
    if round_.phase is Phase.TURN:
        return _lay_play(match, round_, action.seat, combination, None, events)
    return match.with_round(
        round_._replace(submitted=(*round_.submitted, (action.seat, combination)))
    )


def check_waive(_: Match, round_: Round, action: Waive) -> None:
    """Raise `IllegalAction` unless the seat could still bomb in the window (section 3, step 2)."""
    seat = action.seat
    if round_.phase not in WINDOW_PHASES:
        raise IllegalAction(Reason.NO_WINDOW, "N60")
    if round_.hands[seat].size < BOMB_SIZE or round_.waived >> seat & 1:
        raise IllegalAction(Reason.ALREADY_WAIVED, "N61")
    if any(other == seat for other, _ in round_.submitted):
        raise IllegalAction(Reason.ALREADY_SUBMITTED, "N61")


def waive(match: Match, round_: Round, action: Waive, _: None, events: list[Event]) -> Match:
    """Record a waiver; close the window once all seats that could bomb have waived."""
    waived = round_.waived | 1 << action.seat
    round_ = round_._replace(waived=waived)
    for seat, hand in enumerate(round_.hands):
        if hand.size >= BOMB_SIZE and not waived >> seat & 1:
            return match.with_round(round_)
    return _end_window(match, round_, events)


def check_close(_match: Match, round_: Round, _: CloseWindow) -> None:
    """Raise `IllegalAction` unless a window is open (section 3, step 3)."""
    if round_.phase not in WINDOW_PHASES:
        raise IllegalAction(Reason.NO_WINDOW, "N60")


def close_window(
    match: Match, round_: Round, _: CloseWindow, _none: None, events: list[Event]
) -> Match:
    """Close the open window (section 3, step 3)."""
    return _end_window(match, round_, events)


def check_gift(match: Match, round_: Round, action: GiveTrick) -> None:
    """Raise `IllegalAction` unless this seat may give its Dragon trick to the receiver (N49)."""
    if round_.phase is not Phase.GIFT:
        raise IllegalAction(Reason.NO_GIFT_DUE, "N49")
    if round_.turn != action.seat:
        raise IllegalAction(Reason.NOT_YOUR_TURN, "N49", turn=round_.turn)
    if action.receiver not in match.variant.gift_receivers(round_, action.seat):
        raise IllegalAction(Reason.GIFT_TO_OPPONENT, "N49")


def give_trick(
    match: Match, round_: Round, action: GiveTrick, _: None, events: list[Event]
) -> Match:
    """Give the Dragon's trick to an opponent; its winner still leads (N49, N50)."""
    seat, receiver = action
    events.append(DragonGiven(seat, receiver, points_of(round_.trick_cards)))
    return _next_trick(match, round_, receiver, Trick(round_.trick, seat, receiver), events)


def possible_plays(round_: Round, seat: Seat) -> list[Combination]:
    """Return all plays that the seat could lay on the trick, ignoring turn and wish."""
    hand = round_.hands[seat]
    return hand.all() if round_.top is None else hand.beating(round_.top)


def fulfilling_plays(match: Match, round_: Round, seat: Seat) -> list[Combination]:
    """Return the plays that fulfil the open wish, of which the seat must make one (section 6).

    The list is empty if the wish does not bind the seat. A play fulfils the wish with a natural
    card of the rank, not with a Phoenix that stands for it (N29). Only leads and plays in turn are
    considered, because bombs out of turn are exempt (N33).
    """
    wish = round_.wish
    if wish is None:
        return []
    wished = CARDS_OF_RANK[wish]
    if not round_.hands[seat].cards & wished or not match.variant.bound_by_wish(round_, seat):
        return []
    return [play for play in possible_plays(round_, seat) if play.cards & wished]
