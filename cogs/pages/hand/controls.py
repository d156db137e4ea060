"""The controls of the private hand page: only those that work now."""

from __future__ import annotations

from collections.abc import Iterator

import discord

from bot.table.auto_pass import auto_pass_seat
from bot.table.decisions import hint_question
from bot.table.solo_game import SoloGame
from bot.table.state import (
    WAIT_SECONDS,
    WAITS_PER_ROUND,
    Game,
    play_to_beat_id,
    trick_id,
)
from bot.table.views import Situation
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Part, button_rows, row, text
from cogs.pages.hand import choices
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.exchange_choices import exchange_rows, write_gifts
from cogs.pages.hand.news import passes_trick
from cogs.pages.names import label_name, seat_name
from cogs.pages.rules import rules_button
from cogs.pages.verbs import Verb
from engine import (
    BOMB_SIZE,
    PLAY_PHASES,
    AnswerGrand,
    Bomb,
    Call,
    CallTichu,
    GiveTrick,
    Pass,
    Phase,
    Play,
    Seat,
    View,
)


def awaits_withdrawal(state: Game) -> bool:
    """Return whether somebody must first answer about withdrawing a call."""
    return bool(state.round.asked)


def has_single_question(state: Game, situation: Situation, draft: Draft) -> bool:
    """Return whether one question must be answered first, alone on the page."""
    drafting = draft.confirm or draft.bombs or draft.dog or draft.wish_for is not None
    return bool(drafting) or situation.upcoming.asked_to_withdraw or awaits_withdrawal(state)


def rows_of_acting_seat(
    state: Game,
    seat: Seat,
    situation: Situation,
    words: Speaker,
    draft: Draft,
    acted_for: Seat | None,
) -> list[Part]:
    """Return the rows of controls for the seat that the page currently acts for.

    `acted_for` is this seat if it is not the reader's own.
    """
    controls = Controls(state.id, state.revision, acted_for)
    if not state.running:
        return []
    if has_single_question(state, situation, draft):
        return _question_rows(state, seat, situation, words, draft, controls)
    if seat in state.kept.premoves:
        return [row(controls.button(Verb.TAKE_BACK, words.say("Take back")))]
    if situation.current.submitted is not None:
        return []
    return _choice_rows(state, seat, situation, words, draft, controls)


def _question_rows(
    state: Game,
    seat: Seat,
    situation: Situation,
    words: Speaker,
    draft: Draft,
    controls: Controls,
) -> list[Part]:
    """Return the first question to answer; nothing if another player is asked."""
    say, upcoming = words.say, situation.upcoming
    if upcoming.asked_to_withdraw:
        return [
            *_do_row(draft, controls, words),
            row(
                controls.button(Verb.WITHDRAW, say("Withdraw"), "yes"),
                # Translators: the call stays
                controls.button(Verb.WITHDRAW, say("Let it stand"), "no"),
                *_hint_button(state, seat, upcoming, words, draft, controls),
            ),
        ]
    if awaits_withdrawal(state):
        return []
    if draft.confirm is not None:
        return _call_rows(state, seat, draft.confirm, controls, words)
    if draft.bombs:
        target = play_to_beat_id(situation.current)
        explain = rules_button(words, state.options.variant, "bombs")
        return choices.bomb_rows(draft.bombs, target, controls, words, explain)
    if draft.dog:
        return [
            text(say("Who gets the lead from your Dog?")),
            choices.dog_row(state, dog_targets(upcoming), controls, words),
        ]
    assert draft.wish_for is not None
    explain = rules_button(words, state.options.variant, "wish")
    return choices.wish_rows(controls, words, draft.wish_for, explain)


def _call_rows(
    state: Game, seat: Seat, call: Call, controls: Controls, words: Speaker
) -> list[Part]:
    """Return the question before a call, with its stake."""
    say, name = words.say, seat_name(state, seat, words)
    stake, called = say.number(call.value), words.call_within(call)
    question = (
        say(
            "**Call {call}?** +{stake} if you're out first, −{stake} if not.",
            call=called,
            stake=stake,
        )
        if controls.seat is None
        else say(
            "**Call {call} for {name}?** +{stake} if {name} is out first, −{stake} if not.",
            call=called,
            name=name,
            stake=stake,
        )
    )
    question = "\n".join((question, *_calls_so_far(state, seat, words)))
    verb, args = (Verb.GRAND, "yes") if call is Call.GRAND else (Verb.TICHU_YES, "")
    yes = say("Yes, {call}!", call=called)
    return [
        text(question),
        row(
            controls.button(verb, yes, args, style=discord.ButtonStyle.danger),
            controls.button(Verb.REFRESH, say("Back")),
            rules_button(words, state.options.variant, "tichu"),
        ),
    ]


def _calls_so_far(state: Game, seat: Seat, words: Speaker) -> Iterator[str]:
    """Yield a line for each call that another player has already made."""
    say, public = words.say, state.views.public
    partners = public.seating.partners(seat)
    for other in public.seating.after(seat)[:-1]:
        call = public.seats[other].call
        if call is None:
            continue
        values = {"name": seat_name(state, other, words), "call": words.call_within(call)}
        yield (
            say("Your partner {name} has already called {call}.", **values)
            if other in partners and state.decider(other) != state.decider(seat)
            else say("{name} has already called {call}.", **values)
        )


def _choice_rows(
    state: Game,
    seat: Seat,
    situation: Situation,
    words: Speaker,
    draft: Draft,
    controls: Controls,
) -> list[Part]:
    """Return all legal choices of the seat, one kind in each row.

    The last row has a button as long as the seat may hold bomb
    windows, so no button above it moves when **Hold** disappears.
    """
    upcoming = situation.upcoming
    rows = _do_row(draft, controls, words)
    if any(isinstance(action, AnswerGrand) for action in upcoming.actions):
        rows.append(_grand_row(state, controls, words))
    if upcoming.phase is Phase.EXCHANGE and upcoming.gifts:
        rows += exchange_rows(state, seat, upcoming, controls, words, draft.picks)
    gifts = [action for action in upcoming.actions if isinstance(action, GiveTrick)]
    if gifts:
        rows.append(choices.gift_row(state, gifts, controls, words))
    playing = any(isinstance(action, Play) for action in upcoming.actions)
    if playing:
        rows += choices.play_rows(state, seat, upcoming, controls, words, draft)
    passing = _pass_trick_button(state, seat, situation, words, controls)
    explaining = _explaining(state, seat, upcoming, words, bombs=not passing)
    explains_last = not passing and upcoming.phase is not Phase.EXCHANGE
    beside_play = [
        *_tichu_button(state, seat, situation, words, controls),
        *([] if playing else choices.pass_buttons(upcoming, controls, words, alone=True)),
        *_buttons_beside_play(state, seat, situation, words, controls),
        *([] if explains_last else explaining),
    ]
    last = [
        *passing,
        *_hint_button(state, seat, upcoming, words, draft, controls),
        *(explaining if explains_last else []),
        *_hold_button(state, seat, situation, words, controls),
    ]
    return rows + button_rows(beside_play) + button_rows(last)


def _explaining(state: Game, seat: Seat, view: View, words: Speaker, *, bombs: bool) -> list[Part]:
    """Return the button to the rules for the seat's current task, if it has one.

    Tasks with rules are a gift, the exchange, a wish, and with `bombs` the bomb windows.
    """
    if any(isinstance(action, GiveTrick) for action in view.actions):
        topic = "specials"
    elif view.phase is Phase.EXCHANGE:
        topic = "deal"
    elif view.wish is not None and view.turn == seat:
        topic = "wish"
    elif bombs and state.phase in PLAY_PHASES and may_hold_windows(state, seat):
        topic = "bombs"
    else:
        return []
    return [rules_button(words, state.options.variant, topic)]


def _grand_row(state: Game, controls: Controls, words: Speaker) -> Part:
    """Return the answers about a Grand Tichu; a call needs confirmation."""
    ask = controls.button(
        Verb.GRAND_ASK,
        words.say("Grand Tichu!"),
        style=discord.ButtonStyle.danger,
        emoji=words.art.icon_emoji("grand"),
    )
    no = controls.button(Verb.GRAND, words.say("No"), "no", style=discord.ButtonStyle.primary)
    return row(no, ask, rules_button(words, state.options.variant, "tichu"))


def _do_row(draft: Draft, controls: Controls, words: Speaker) -> list[Part]:
    """Return the button that makes the move recommended by a hint."""
    if not draft.do:
        return []
    success = discord.ButtonStyle.success
    return [row(controls.button(Verb.DO, words.say("Do it"), draft.do, style=success, emoji="💡"))]


def _hint_button(
    state: Game, seat: Seat, upcoming: View, words: Speaker, draft: Draft, controls: Controls
) -> list[Part]:
    """Return the button for a hint, if there is one to give.

    It carries the cards picked for the exchange, so that they stay picked beside the hint.
    """
    if not state.options.hints or hint_question(state, seat) is None:
        return []
    picked = write_gifts(upcoming.gifts, draft.picks) if draft.picks else ""
    return [controls.button(Verb.HINT, words.say("Hint"), picked, emoji="💡")]


def dog_targets(view: View) -> tuple[Seat, ...]:
    """Return the partners that may get the Dog's lead, if several (S6).

    Only variants with more than one partner have this choice.
    """
    plays = (action for action in view.actions if isinstance(action, Play))
    return tuple(action.partner for action in plays if action.partner is not None)


def rows_of_other_seat(
    state: Game, seat: Seat, situation: Situation, words: Speaker, acted_for: Seat | None
) -> list[Part]:
    """Return a two-seat player's controls for their other seat.

    `acted_for` is this seat if it is not the reader's own.
    """
    say, current = words.say, situation.current
    controls = Controls(state.id, state.revision, acted_for)
    name = label_name(state, seat, words)
    mine = acted_for is None
    buttons: list[Part] = []
    if current.phase is Phase.EXCHANGE and current.gifts:
        label = say("My own cards") if mine else say("{name}'s cards", name=name)
        buttons.append(controls.button(Verb.TURN_TO, label))
    if passes_trick(state, seat):
        label = say("Play on") if mine else say("{name} plays again", name=name)
        buttons.append(controls.button(Verb.AUTO_PASS, label, f"off.{trick_id(current)}"))
    if any(isinstance(action, Bomb) for action in current.actions):
        label = say("Bomb!") if mine else say("{name}'s bomb!", name=name)
        buttons.append(_bomb_button(current, controls, words, label))
    if any(isinstance(action, CallTichu) for action in current.actions):
        label = say("Tichu for me!") if mine else say("Tichu for {name}!", name=name)
        buttons.append(controls.button(Verb.TICHU, label, emoji=words.art.icon_emoji("tichu")))
    return [row(*buttons)] if buttons else []


def _tichu_button(
    state: Game, seat: Seat, situation: Situation, words: Speaker, controls: Controls
) -> list[Part]:
    """Return the button for a small Tichu, as long as it can be called.

    It is the first one of its row, so that it does not move when others come and go.
    """
    if not any(isinstance(action, CallTichu) for action in situation.current.actions):
        return []
    say, name = words.say, label_name(state, seat, words)
    label = say("Tichu!") if controls.seat is None else say("Tichu for {name}!", name=name)
    return [controls.button(Verb.TICHU, label, emoji=words.art.icon_emoji("tichu"))]


def _buttons_beside_play(
    state: Game, seat: Seat, situation: Situation, words: Speaker, controls: Controls
) -> list[Part]:
    """Return the choices besides a play: end the bomb window, bomb, take part in the trick again.

    In a turn-based match the window waits anyway, until the next player goes on.
    """
    say, current = words.say, situation.current
    buttons: list[Part] = []
    if isinstance(state, SoloGame):  # the others have decided before
        if state.awaited_in_window == seat and state.next_on_turn != seat:
            buttons.append(controls.button(Verb.GO_ON, say("No bomb")))
    elif state.awaited_in_window == seat:
        buttons.append(controls.button(Verb.GO_ON, say("No more bombs")))
    if may_bomb(current):
        buttons.append(_bomb_button(current, controls, words, say("Bomb!")))
    if _passes_by_itself(state, seat):
        label = say("I'll decide")
        buttons.append(controls.button(Verb.AUTO_PASS, label, f"off.{trick_id(current)}"))
    return buttons


def _passes_by_itself(state: Game, seat: Seat) -> bool:
    """Return whether the seat passes without a click, now or for the rest of the trick."""
    return passes_trick(state, seat) or auto_pass_seat(state) == seat


def _pass_trick_button(
    state: Game, seat: Seat, situation: Situation, words: Speaker, controls: Controls
) -> list[Part]:
    """Return the button to pass until the next trick.

    Its opposite is in another row, so that a second click does not undo the first.
    """
    upcoming = situation.upcoming
    may_pass = upcoming.turn == seat and any(isinstance(each, Pass) for each in upcoming.actions)
    if not may_pass or _passes_by_itself(state, seat) or isinstance(state, SoloGame):
        return []
    label = words.say("Pass until next trick")
    return [controls.button(Verb.AUTO_PASS, label, f"on.{trick_id(situation.current)}")]


def _hold_button(
    state: Game, seat: Seat, situation: Situation, words: Speaker, controls: Controls
) -> list[Part]:
    """Return the button that holds the open bomb window, if the seat may."""
    if not may_hold(state, seat):
        return []
    label = words.say("Hold {seconds} s", seconds=WAIT_SECONDS)
    return [controls.button(Verb.WAIT, label, str(situation.current.number))]


def may_bomb(view: View) -> bool:
    """Return whether the viewer may throw a bomb now, even out of turn."""
    cards = {action.cards for action in view.actions if isinstance(action, Bomb | Play)}
    return any(bomb.cards in cards for bomb in view.bombs)


def may_hold(state: Game, seat: Seat) -> bool:
    """Return whether this seat's player may hold the open bomb window.

    Everybody with enough cards for a bomb may, so it reveals nothing about a hand.
    """
    return state.window_open and state.holder is None and may_hold_windows(state, seat)


def may_hold_windows(state: Game, seat: Seat) -> bool:
    """Return whether this seat's player may hold bomb windows in general."""
    if state.options.turn_based:
        return False
    chair = state.decider(seat)
    enough = any(state.round.hands[each].size >= BOMB_SIZE for each in state.seats_of_chair(chair))
    return enough and state.notes.waits.get(chair, 0) < WAITS_PER_ROUND


def _bomb_button(view: View, controls: Controls, words: Speaker, label: str) -> Part:
    """Return the button that throws the only bomb, or lists several.

    It is bound to the current play on the table, and refused if another one is played.
    """
    target = play_to_beat_id(view)
    single = len(view.bombs) == 1
    return controls.button(
        Verb.BOMB if single else Verb.BOMBS,
        label,
        f"{target},{view.bombs[0].cards:x}" if single else target,
        style=discord.ButtonStyle.danger,
        emoji=words.art.icon_emoji("bomb"),
    )
