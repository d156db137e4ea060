"""The sentence on top of a hand: the task, or the awaited players."""

from __future__ import annotations

from bot.table.auto_pass import passes_by_itself
from bot.table.state import Game
from bot.table.views import Situation
from bot.text.cards import Speaker
from bot.text.sentences import sentence
from cogs.pages.hand.status import awaited_seats
from cogs.pages.names import seat_name
from cogs.pages.table.open_tables import partner_lines
from engine import CARDS_OF_RANK, Call, IllegalAction, Phase, Play, Reason, Seat, View

_MOST_NAMES = 3
"""Largest number of awaited people to name; more are counted."""


def task_text(state: Game, seat: Seat, situation: Situation, words: Speaker) -> str:
    """Return a sentence or two with the seat's task, or with the awaited players."""
    say, now, live = words.say, situation.now, situation.live
    if not state.running:
        return say("**This match is over.**")
    if now.asked_to_withdraw:
        return say("**A partner called at the same time. Withdraw your call?**")
    if state.round.asked:
        return sentence(say, IllegalAction(Reason.WITHDRAWAL_FIRST, "N78"))
    if now.phase is Phase.GRAND:
        return _grand_text(state, seat, now, words)
    if now.phase is Phase.EXCHANGE:
        return _exchange_text(state, now, words)
    if now.phase in (Phase.ROUND_END, Phase.MATCH_END):
        lines = partner_lines(state, seat, words) if state.between_rounds else ()
        return "\n-# ".join((say("The round is over."), *lines))
    if seat in state.kept.premoves or now.submitted is not None:
        return ""  # the news of the hand already describe it
    if live.turn == seat and live.actions and live.phase is Phase.GIFT:
        points = say.number(live.trick_points)
        gift = say("**Your Dragon won. Give the trick ({points}) to …**", points=points)
        return gift + _open_window_line(state, seat, words)
    if live.turn == seat and live.actions and live.phase in (Phase.LEAD, Phase.TURN):
        turn = _turn_text(state, live, words)
        if passes_by_itself(state) == seat:
            return turn + "\n" + say("You'll pass in a moment.")
        return turn + _open_window_line(state, seat, words)
    if state.going_on == seat and state.next_on_turn is not None:
        name = seat_name(state, state.next_on_turn, words)
        goes_on = say("{name} plays once you press **No more bombs**.", name=name)
        return goes_on + _open_window_line(state, seat, words)
    return _waiting_text(state, words)


def _open_window_line(state: Game, seat: Seat, words: Speaker) -> str:
    """Return the line that the bomb window is still open, for a turn-based match."""
    if state.going_on != seat:
        return ""
    return "\n-# " + words.say("Others can still bomb until you play or press **No more bombs**.")


def _grand_text(state: Game, seat: Seat, now: View, words: Speaker) -> str:
    """Return the question for Grand Tichu, or the answer that was given."""
    say = words.say
    if not state.match.variant.may_call_grand(now.seating, seat):
        refusal = say("The dealer can't call Grand Tichu.")
        return f"{refusal} {_waiting_text(state, words)}"
    if now.answer is None:
        stake = say.number(Call.GRAND.value)
        return say.many(
            "**Your first {n} card. Call Grand Tichu (±{stake})?**",
            "**Your first {n} cards. Call Grand Tichu (±{stake})?**",
            now.hand.size,
            stake=stake,
        )
    answer = say("You called Grand Tichu.") if now.answer else say("You said no to Grand Tichu.")
    return f"{answer} {_waiting_text(state, words)}"


def _exchange_text(state: Game, now: View, words: Speaker) -> str:
    """Return the request to pass cards, or the confirmation that they are passed."""
    say = words.say
    if not now.gifts:
        # Translators: to hand over in the exchange
        sentence = say("You have nothing to pass.")
        return f"{sentence} {_waiting_text(state, words)}"
    has_choice = any(gift.free for gift in now.gifts)
    if now.given is not None:
        # Translators: handed over in the exchange; “Passed.” as well
        sentence = (
            say("Passed. You can change it until everyone has.") if has_choice else say("Passed.")
        )
        return f"{sentence} {_waiting_text(state, words)}"
    if not has_choice:
        return say("**Your best cards must go:**")
    if now.hierarchy:
        return say("**Tap the cards to pass.**")
    return say("**Pass one card to each player: tap them in turn.**")


def _turn_text(state: Game, live: View, words: Speaker) -> str:
    """Return the request to lead or to beat the current play, with a binding wish."""
    say = words.say
    plays = [action for action in live.actions if isinstance(action, Play)]
    wished_rank = live.wish if _is_bound_by_wish(live, plays) else None
    wish_line = (
        say("Wish: {rank} – you must play one.", rank=words.rank(wished_rank))
        if wished_rank
        else ""
    )
    if live.top is None:
        return (
            say("**Your lead – play anything.**")
            if not wish_line
            else say("**Your lead.**") + f" {wish_line}"
        )
    values = {
        "name": seat_name(state, live.top_seat, words),
        "combination": words.combination_within(live.top),
    }
    is_own_play = (
        live.top_seat == state.decider(live.turn) != live.turn
    )  # the dealer's, for the Table (T8)
    is_partner_play = live.top_seat in live.seating.partners(live.turn)
    if not plays:
        # Translators: {combination} is the play to beat, such as “jack”, “pair of 8s” or “full
        # house (8s over 3s)”, and {name} its player; also in “Your turn – beat …” and “That doesn't
        # beat …”
        if is_own_play:
            return say("**Nothing here beats your own {combination}.**", **values)
        if is_partner_play:
            return say(
                "**Nothing in your hand beats your partner {name}'s {combination}.**", **values
            )
        return say("**Nothing in your hand beats {name}'s {combination}.**", **values)
    values["cards"] = words.combination_cards(live.top)
    if is_own_play:
        sentence = say("**Your turn – beat your own {combination}** {cards}", **values)
    elif is_partner_play:
        sentence = say("**Your turn – beat your partner {name}'s {combination}** {cards}", **values)
    else:
        sentence = say("**Your turn – beat {name}'s {combination}** {cards}", **values)
    return f"{sentence}\n{wish_line}" if wish_line else sentence


def _is_bound_by_wish(live: View, plays: list[Play]) -> bool:
    """Return whether the player must fulfil the wish because all legal plays do."""
    if live.wish is None or not live.bound_by_wish or live.options.wish_penalty:
        return False
    wanted = CARDS_OF_RANK[live.wish]
    return bool(plays) and all(play.cards & wanted for play in plays)


def _waiting_text(state: Game, words: Speaker) -> str:
    """Return the line that names the awaited players."""
    say = words.say
    keeper = state.window_keeper
    awaited = awaited_seats(state.views.public) if keeper is None else (keeper,)
    if len(awaited) > _MOST_NAMES:
        names = say.many("{n} other", "{n} others", len(awaited))
    else:
        names = say.join(seat_name(state, other, words) for other in awaited)
    return say("Waiting for {names}. This updates by itself.", names=names)
