"""The sentence on top of a hand: the task, or the awaited players."""

from __future__ import annotations

from bot.table.auto_pass import automatic_move
from bot.table.solo_game import SoloGame
from bot.table.state import Game
from bot.table.views import Situation
from bot.text.cards import Speaker
from bot.text.sentences import sentence
from cogs.pages.hand.exchange_choices import Picks, still_to_pick
from cogs.pages.hand.status import awaited_seats
from cogs.pages.names import seat_name
from cogs.pages.table.open_tables import partner_lines
from engine import CARDS_OF_RANK, Call, IllegalAction, Pass, Phase, Play, Reason, Seat, View

_MOST_NAMES = 3
"""Largest number of awaited people to name; more are counted."""


def task_text(
    state: Game,
    seat: Seat,
    situation: Situation,
    words: Speaker,
    picks: Picks | None = None,
    *,
    cards: bool = True,
) -> str:
    """Return the seat's task, or the players that it waits for, in a sentence or two.

    `picks` are the cards picked for the exchange so far. With `cards`, the cards of the play to
    beat are shown, too; a player who waits reads what it is.
    """
    say, current, upcoming = words.say, situation.current, situation.upcoming
    if not state.running:
        return say("**This match is over.**")
    if current.asked_to_withdraw:
        return say("**A partner called at the same time. Withdraw your call?**")
    if state.round.asked:
        return sentence(say, IllegalAction(Reason.WITHDRAWAL_FIRST, "N78"))
    if current.phase is Phase.GRAND:
        return _grand(state, seat, current, words)
    if current.phase is Phase.EXCHANGE:
        return _exchange(state, current, words, picks)
    if current.phase in (Phase.ROUND_END, Phase.MATCH_END):
        lines = partner_lines(state, seat, words) if state.between_rounds else ()
        return "\n-# ".join((say("The round is over."), *lines))
    if isinstance(state, SoloGame) and state.window_open and state.next_on_turn != seat:
        return _bomb_question(state, words)
    if seat in state.kept.premoves or current.submitted is not None:
        return ""  # the news of the hand already describe it
    if upcoming.turn == seat and upcoming.actions and upcoming.phase is Phase.GIFT:
        points = say.number(upcoming.trick_points)
        gift = say("**Your Dragon won. Give the trick ({points}) to …**", points=points)
        return gift + _others_may_bomb(state, seat, words)
    if upcoming.turn == seat and upcoming.actions and upcoming.phase in (Phase.LEAD, Phase.TURN):
        turn = _turn(state, upcoming, words, cards=cards)
        move = automatic_move(state)
        if isinstance(move, Pass):
            return turn + "\n" + say("You'll pass automatically in a few seconds.")
        if move is not None:
            # Translators: the only play that a player has; the bot makes it for them
            return turn + "\n" + say("You'll make your only play in a moment.")
        return turn + _others_may_bomb(state, seat, words)
    if state.awaited_in_window == seat and state.next_on_turn is not None:
        name = seat_name(state, state.next_on_turn, words)
        goes_on = say("{name} plays once you press **No more bombs**.", name=name)
        return goes_on + _others_may_bomb(state, seat, words)
    return _waiting_to_beat(state, seat, words) if cards else _waiting(state, words)


def _bomb_question(state: Game, words: Speaker) -> str:
    """Return the question in a bomb window that only waits for the reader."""
    public = state.views.public
    assert public.top is not None, "a bomb window is open"
    values = {
        "name": seat_name(state, public.top_seat, words),
        "combination": words.combination_within(public.top),
    }
    if public.phase is Phase.CLOSING:
        return words.say("**All passed on {name}'s {combination}. Do you bomb?**", **values)
    return words.say("**{name} plays: {combination}. Do you bomb?**", **values)


def _others_may_bomb(state: Game, seat: Seat, words: Speaker) -> str:
    """Return the line that others can still bomb, if the seat decides when the window closes."""
    if state.awaited_in_window != seat or isinstance(state, SoloGame):
        return ""
    return "\n-# " + words.say("Others can still bomb until you play or press **No more bombs**.")


def _grand(state: Game, seat: Seat, current: View, words: Speaker) -> str:
    """Return the question for a Grand Tichu, or the answer given."""
    say = words.say
    if not state.match.variant.may_call_grand(current.seating, seat):
        only_others = say("The dealer can't call Grand Tichu.")
        return f"{only_others} {_waiting(state, words)}"
    if current.answer is None:
        stake = say.number(Call.GRAND.value)
        return say.many(
            "**Your first {n} card. Call Grand Tichu (±{stake})?**",
            "**Your first {n} cards. Call Grand Tichu (±{stake})?**",
            current.hand.size,
            stake=stake,
        )
    answer = (
        say("You called Grand Tichu.") if current.answer else say("You said no to Grand Tichu.")
    )
    return f"{answer} {_waiting(state, words)}"


def _exchange(state: Game, current: View, words: Speaker, picks: Picks | None) -> str:
    """Return the request to pass cards with their number, or that they are passed."""
    say = words.say
    if not current.gifts:
        # Translators: to hand over in the exchange
        nothing = say("You have nothing to pass.")
        return f"{nothing} {_waiting(state, words)}"
    has_choice = any(gift.free for gift in current.gifts)
    if current.given is not None and picks is None:
        # Translators: handed over in the exchange; “Passed.” as well
        passed = (
            say("Passed. You can change it until everyone has.") if has_choice else say("Passed.")
        )
        return f"{passed} {_waiting(state, words)}"
    if not has_choice:
        return say("**Your best cards must go:**")
    missing = still_to_pick(current, picks)
    if not missing:
        return say("**Press {button} to pass these cards.**", button=say("Give"))
    if picks:
        return say.many("**{n} more card to choose.**", "**{n} more cards to choose.**", missing)
    if current.hierarchy:
        return say("**Tap the cards to pass.**")
    return say("**Pass one card to each player: tap them in turn.**")


def _turn(state: Game, upcoming: View, words: Speaker, *, cards: bool) -> str:
    """Return the lead or the play to beat, with a binding wish."""
    say = words.say
    plays = [action for action in upcoming.actions if isinstance(action, Play)]
    bound = upcoming.wish if _bound(upcoming, plays) else None
    duty = say("Wish: {rank} – you must play one.", rank=words.rank(bound)) if bound else ""
    if upcoming.top is None:
        lead = (
            say("**Your lead – play anything.**")
            if not duty
            else say("**Your lead.**") + f" {duty}"
        )
        return lead + _own_bombs(upcoming, words)
    values = {
        "name": seat_name(state, upcoming.top_seat, words),
        "combination": words.combination_within(upcoming.top),
    }
    # The Table may have to beat a play of the dealer, who also decides for the Table (T8).
    decider = state.decider(upcoming.turn)
    own = decider != upcoming.turn and decider == upcoming.top_seat
    partner = upcoming.top_seat in upcoming.seating.partners(upcoming.turn)
    if not plays:
        # Translators: {combination} is the play to beat, such as “jack”, “pair of 8s” or “full
        # house (8s over 3s)”, and {name} its player; also in “Your turn – beat …” and “That doesn't
        # beat …”
        if own:
            return say("**Nothing here beats your own {combination}.**", **values)
        if partner:
            return say(
                "**Nothing in your hand beats your partner {name}'s {combination}.**", **values
            )
        return say("**Nothing in your hand beats {name}'s {combination}.**", **values)
    values["cards"] = words.combination_cards(upcoming.top) if cards else ""
    if own:
        beat = say("**Your turn – beat your own {combination}** {cards}", **values)
    elif partner:
        beat = say("**Your turn – beat your partner {name}'s {combination}** {cards}", **values)
    else:
        beat = say("**Your turn – beat {name}'s {combination}** {cards}", **values)
    return "\n".join(filter(None, (beat.rstrip(), duty)))


def _own_bombs(upcoming: View, words: Speaker) -> str:
    """Return the line with the bombs in the hand, without parts of longer ones."""
    every = [bomb.cards for bomb in upcoming.hand.bombs()]
    bombs = [cards for cards in every if not any(cards != more == cards | more for more in every)]
    if not bombs:
        return ""
    say, cards = words.say, words.say.join(map(words.cards, bombs))
    if len(bombs) == 1:
        return "\n" + say("You hold a bomb: {cards}", cards=cards)
    return "\n" + say("You hold bombs: {cards}", cards=cards)


def _bound(upcoming: View, plays: list[Play]) -> bool:
    """Return whether the wish leaves only plays that fulfil it."""
    if upcoming.wish is None or not upcoming.bound_by_wish or upcoming.options.wish_penalty:
        return False
    wanted = CARDS_OF_RANK[upcoming.wish]
    return bool(plays) and all(play.cards & wanted for play in plays)


def _waiting_to_beat(state: Game, seat: Seat, words: Speaker) -> str:
    """Return the line that names the awaited player and the play to beat.

    After all have passed it names who takes the trick.
    """
    say, public = words.say, state.views.public
    if public.phase is Phase.CLOSING and not state.gift_due and state.window_keeper is None:
        return say("All passed – {name} takes it.", name=seat_name(state, public.top_seat, words))
    is_beatable = public.phase in (Phase.TURN, Phase.WINDOW) and state.window_keeper is None
    if public.top is None or not is_beatable:
        return _waiting(state, words)
    name, combination = seat_name(state, public.turn, words), words.combination_within(public.top)
    if state.decider(public.top_seat) == state.decider(seat):
        return say(
            "Waiting for {name} to beat your **{combination}**.", name=name, combination=combination
        )
    return say(
        "Waiting for {name} to beat {other}'s **{combination}**.",
        name=name,
        other=seat_name(state, public.top_seat, words),
        combination=combination,
    )


def _waiting(state: Game, words: Speaker) -> str:
    """Return the line that names the awaited players."""
    say = words.say
    keeper = state.window_keeper
    others = awaited_seats(state.views.public) if keeper is None else (keeper,)
    if len(others) > _MOST_NAMES:
        whom = say.many("{n} other", "{n} others", len(others))
    else:
        whom = say.join(seat_name(state, other, words) for other in others)
    return say("Waiting for {names}. This updates by itself.", names=whom)
