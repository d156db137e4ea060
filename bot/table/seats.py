"""Changes of owner of a seat at a running table.

Pure functions from one table to the next; they raise `Refused` if the action is not possible.
Everything of the previous owner is removed from the seat: kept choices, offers, votes, elapsed
time. The previous owner knows a hand of this round, so they may take another seat only when the
round is over.
"""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime, timedelta

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.records import PersonalSettings
from bot.table.computer_names import computer_name
from bot.table.details import Asked, Newcomer
from bot.table.interruptions import keep_votes_of_seated
from bot.table.kept_choices import clear_choices
from bot.table.permission import may_sit, own_seat, require_entrant, seats_for
from bot.table.personal import NOTHING_CHOSEN, with_settings
from bot.table.presence import with_arrival
from bot.table.quiet_hours import quiet_hours
from bot.table.state import Chair, Game, seats_to_act
from bot.table.turn_based import keep_turn_ids
from engine import Phase, Seat

NOTIFY_AGAIN_AFTER = timedelta(minutes=10)
"""Shortest time between two notifications of a person about the same seat."""
OFFERS_A_MINUTE = 3
"""Number of times that a seat may be offered within a minute."""
_MINUTE = timedelta(minutes=1)


def leave_to_computer(game: Game, user_id: UserId) -> Game:
    """Return the table with a computer player permanently in this person's seat."""
    seat = own_seat(game, user_id)
    if game.alone:
        raise Refused(Reason.LAST_PERSON)
    return _with_owner(game, Chair(seat=seat, kind="computer", name=computer_name(game)))


def offer(
    game: Game,
    user_id: UserId,
    member_id: UserId,
    name: str,
    now: datetime,
    *,
    is_bot: bool = False,
    quiet: bool = False,
) -> Game:
    """Return the table with this person's seat offered to a member.

    It replaces an earlier offer. The member is not notified if the offer is `quiet`, or if they
    were notified of an offer of this seat within `NOTIFY_AGAIN_AFTER`. A seat may be offered
    `OFFERS_A_MINUTE` times per minute.
    """
    seat = own_seat(game, user_id)
    if is_bot:
        raise Refused(Reason.MEMBER_IS_BOT, name=name)
    if game.seat_of(member_id) is not None:
        raise Refused(Reason.MEMBER_SEATED, name=name)
    require_entrant(game, member_id)
    if seat not in seats_for(game, member_id):
        raise Refused(Reason.ENTRANTS_ONLY)
    if game.notes.offers.get(seat) == member_id:
        return game
    recent = [asked for asked in game.notes.asked if now - asked.at < NOTIFY_AGAIN_AFTER]
    last_minute = [asked.at for asked in recent if asked.seat == seat and now - asked.at < _MINUTE]
    if len(last_minute) >= OFFERS_A_MINUTE:
        wait = last_minute[-OFFERS_A_MINUTE] + _MINUTE - now
        raise Refused(Reason.ASKED_JUST_NOW, seconds=math.ceil(wait.total_seconds()))
    already_notified = any(
        asked.seat == seat and asked.user_id == member_id and asked.notified for asked in recent
    )
    new_offer = Asked(
        seat=seat, user_id=member_id, at=now, notified=not (already_notified or quiet)
    )
    offers = {**game.notes.offers, seat: member_id}
    return game.with_notes(offers=offers, asked=(*recent, new_offer))


def offer_notifies(game: Game, seat: Seat) -> bool:
    """Return whether the last offer of this seat notifies the member."""
    notified = [asked.notified for asked in game.notes.asked if asked.seat == seat]
    return not notified or notified[-1]


def withdraw_offer(game: Game, user_id: UserId) -> Game:
    """Return the table without this person's offer; unchanged if there is none."""
    seat = own_seat(game, user_id)
    if seat not in game.notes.offers:
        return game
    return _without_offer(game, seat)


def decline(game: Game, user_id: UserId, seat: Seat) -> Game:
    """Return the table without the offer of this seat, which this person declines."""
    _require_offer(game, user_id, seat)
    return _without_offer(game, seat)


def accept(
    game: Game,
    user_id: UserId,
    name: str,
    seat: Seat,
    now: datetime,
    settings: PersonalSettings = NOTHING_CHOSEN,
) -> Game:
    """Return the table with this person in the seat that was offered to them.

    `settings` are their personal settings.
    """
    _require_offer(game, user_id, seat)
    return _with_person(game, user_id, name, seat, now, settings)


def take_over(
    game: Game,
    user_id: UserId,
    name: str,
    seat: Seat | None,
    now: datetime,
    settings: PersonalSettings = NOTHING_CHOSEN,
) -> Game:
    """Return the table with a newcomer in a computer player's seat, by default the first.

    Between two rounds they sit down at once. Within a round they may have seen another hand, so the
    seat is only reserved until the round is over. A reservation is refused while the round is
    paused, because the round may never end. `settings` are their personal settings.
    """
    if game.seat_of(user_id) is not None:
        raise Refused(Reason.ALREADY_SEATED)
    require_entrant(game, user_id)
    free = free_seats(game, user_id)
    if seat is None and not free:
        raise Refused(Reason.NO_COMPUTER)
    seat = free[0] if seat is None else seat
    if seat not in free:
        raise Refused(Reason.SEAT_TAKEN)
    if game.phase is Phase.ROUND_END:
        return _with_person(game, user_id, name, seat, now, settings)
    if game.timers.paused:
        raise Refused(Reason.PAUSED)
    coming = cancel_reservation(game, user_id).notes.coming
    newcomer = Newcomer(
        user_id=user_id,
        name=name,
        auto_pass=settings.auto_pass,
        more_time=settings.more_time,
        quiet=quiet_hours(settings),
    )
    return game.with_notes(coming={**coming, seat: newcomer})


def cancel_reservation(game: Game, user_id: UserId) -> Game:
    """Return the table without this person's reservation of a seat, if any."""
    if reserved_seat(game, user_id) is None:
        return game
    coming = {seat: who for seat, who in game.notes.coming.items() if who.user_id != user_id}
    return game.with_notes(coming=coming)


def seat_newcomers(game: Game, now: datetime) -> Game:
    """Return the table after the round, with the newcomers in their reserved seats.

    A reservation lapses if the newcomer already sits there, or if the chair is not a computer
    player's any more.
    """
    newcomers = game.notes.coming
    game = game.with_notes(coming={})
    for seat, newcomer in newcomers.items():
        if game.chairs[seat].kind == "computer" and game.seat_of(newcomer.user_id) is None:
            settings = _settings(newcomer)
            game = _with_person(game, newcomer.user_id, newcomer.name, seat, now, settings)
    return game


def _settings(newcomer: Newcomer) -> PersonalSettings:
    """Return the personal settings stored with a newcomer's reservation."""
    quiet = newcomer.quiet
    return PersonalSettings(
        auto_pass=newcomer.auto_pass,
        more_time=newcomer.more_time,
        zone=quiet.zone if quiet is not None else NOTHING_CHOSEN.zone,
        quiet=(quiet.begin, quiet.end) if quiet is not None else None,
    )


def free_seats(game: Game, user_id: UserId | None = None) -> tuple[Seat, ...]:
    """Return the seats of computer players that are not reserved for others.

    With `user_id` there are none where this person may not sit.
    """
    if user_id is not None and not may_sit(game, user_id):
        return ()
    own = range(len(game.chairs)) if user_id is None else seats_for(game, user_id)
    others = [seat for seat, who in game.notes.coming.items() if who.user_id != user_id]
    return tuple(
        chair.seat
        for chair in game.chairs
        if chair.kind == "computer" and chair.seat in own and chair.seat not in others
    )


def reserved_seat(game: Game, user_id: UserId) -> Seat | None:
    """Return the seat reserved for this person, if any."""
    reserved = (seat for seat, who in game.notes.coming.items() if who.user_id == user_id)
    return next(reserved, None)


def _require_offer(game: Game, user_id: UserId, seat: Seat) -> None:
    if game.notes.offers.get(seat) != user_id:
        raise Refused(Reason.NO_OFFER)


def _with_person(
    game: Game, user_id: UserId, name: str, seat: Seat, now: datetime, settings: PersonalSettings
) -> Game:
    """Return the table with a person in this seat, replacing its previous owner."""
    if game.seat_of(user_id) is not None:
        raise Refused(Reason.ALREADY_SEATED)
    if user_id in game.notes.left and game.phase is not Phase.ROUND_END:
        raise Refused(Reason.LEFT_THIS_ROUND)
    chair = Chair(seat=seat, kind="person", user_id=user_id, name=name)
    return with_arrival(game, _with_owner(game, chair, settings), now)


def _with_owner(game: Game, chair: Chair, settings: PersonalSettings = NOTHING_CHOSEN) -> Game:
    """Return the table with this chair, and without any data of its previous owner.

    `settings` are the personal settings of the new owner. If the chair is awaited, its time
    restarts.
    """
    own_seats, old_chair = game.seats_of_chair(chair.seat), game.chairs[chair.seat]
    old_user = old_chair.user_id
    played = {chair.seat: old_chair.record()} if game.phase is Phase.ROUND_END else {}
    notes, times = game.notes, game.timers.deadlines

    # timers and choices of the seat
    if set(own_seats).intersection(seats_to_act(game.match)):
        times = {name: when for name, when in times.items() if name not in ("turn", "nudge")}
    turns, turns_aside = (
        {seat: turn for seat, turn in turns.items() if seat != chair.seat}
        for turns in (game.timers.turns, game.timers.turns_aside)
    )
    reseated = game.with_chair(chair).with_timers(
        deadlines=times, turns=turns, turns_aside=turns_aside
    )
    after = clear_choices(keep_turn_ids(game, reseated), own_seats)

    # notes about the seat, and offers and reservations of the new owner
    offers = {
        seat: user_id
        for seat, user_id in notes.offers.items()
        if seat != chair.seat and user_id != chair.user_id
    }
    coming = {
        seat: who
        for seat, who in notes.coming.items()
        if seat != chair.seat and who.user_id != chair.user_id
    }
    notes = replace(
        with_settings(notes, chair, settings),
        left=notes.left if old_user is None else (*notes.left, old_user),
        away=tuple(seat for seat in notes.away if seat != chair.seat),
        missed={seat: number for seat, number in notes.missed.items() if seat != chair.seat},
        offers=offers,
        coming=coming,
        ready=tuple(user for user in notes.ready if user != old_user),
        played={**played, **notes.played},  # an existing entry is who played that round
    )
    return keep_votes_of_seated(replace(after, notes=notes))


def _without_offer(game: Game, seat: Seat) -> Game:
    offers = {other: user for other, user in game.notes.offers.items() if other != seat}
    return game.with_notes(offers=offers)
