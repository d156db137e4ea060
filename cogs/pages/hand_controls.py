"""The controls of the private hand page: only those that work now."""

from __future__ import annotations

import discord

from bot.table.decisions import question_to
from bot.table.state import WAIT_SECONDS, WAITS_PER_ROUND, Game, play_to_beat
from bot.table.views import Situation
from bot.text.cards import Speaker
from cogs.pages import hand_choices
from cogs.pages.controls import Controls, Part, row, text
from cogs.pages.hand_choices import Draft
from cogs.pages.names import plain_name, seat_name
from cogs.pages.verbs import Verb
from engine import (
    BOMB_SIZE,
    PLAYING,
    WINDOWS,
    AnswerGrand,
    Bomb,
    CallTichu,
    GiveTrick,
    Pass,
    Phase,
    Play,
    Seat,
    View,
)


def withdrawal_first(state: Game) -> bool:
    """Whether somebody is asked to withdraw a call, before anything else can be done."""
    return bool(state.round.asked)


def one_question(state: Game, situation: Situation, draft: Draft) -> bool:
    """Whether one question has to be answered before anything else, alone on the page."""
    drafting = draft.confirm_tichu or draft.bombs or draft.dog or draft.wish_for is not None
    return bool(drafting) or situation.live.asked_to_withdraw or withdrawal_first(state)


def controls_of_seat(
    state: Game,
    seat: Seat,
    situation: Situation,
    words: Speaker,
    draft: Draft,
    acted_for: Seat | None,
) -> list[Part]:
    """The rows of controls for the seat that the page is for now.

    `acted_for` is this seat if it is not the reader's own.
    """
    controls = Controls(state.id, state.revision, acted_for)
    if not state.running:
        return []
    if one_question(state, situation, draft):
        return _question_rows(state, seat, situation, words, draft, controls)
    return _choice_rows(state, seat, situation, words, draft, controls)


def _question_rows(
    state: Game,
    seat: Seat,
    situation: Situation,
    words: Speaker,
    draft: Draft,
    controls: Controls,
) -> list[Part]:
    """The one question that has to be answered first; no rows if somebody else is asked."""
    say, live = words.say, situation.live
    if live.asked_to_withdraw:
        answers = row(
            controls.button(Verb.WITHDRAW, say("Withdraw"), "yes"),
            controls.button(Verb.WITHDRAW, say("Let it stand"), "no"),
        )
        return [answers, *_hint_row(state, seat, live, words, draft, controls)]
    if withdrawal_first(state):
        return []
    if draft.confirm_tichu:
        yes = say("Yes, Tichu!")
        return [
            text(_really(state, seat, controls, words)),
            row(
                controls.button(Verb.TICHU_YES, yes, style=discord.ButtonStyle.danger),
                controls.button(Verb.REFRESH, say("No")),
            ),
        ]
    if draft.bombs:
        target = play_to_beat(situation.now)
        back = row(controls.button(Verb.REFRESH, say("Something else")))
        return [*hand_choices.bomb_rows(draft.bombs, target, controls, words), back]
    if draft.dog:
        return [
            text(say("Who gets the lead from your Dog?")),
            hand_choices.dog_row(state, dog_targets(live), controls, words),
        ]
    assert draft.wish_for is not None
    return hand_choices.wish_rows(controls, words, draft.wish_for)


def _choice_rows(
    state: Game,
    seat: Seat,
    situation: Situation,
    words: Speaker,
    draft: Draft,
    controls: Controls,
) -> list[Part]:
    """All that the seat may do now, a kind of choice a row: from the legal actions of its view."""
    live = situation.live
    rows: list[Part] = []
    if any(isinstance(action, AnswerGrand) for action in live.actions):
        rows.append(_grand_row(controls, words))
    if live.phase is Phase.EXCHANGE and live.gifts:
        rows += hand_choices.exchange_rows(state, seat, live, controls, words, draft.gifts)
    gifts = [action for action in live.actions if isinstance(action, GiveTrick)]
    if gifts:
        rows.append(hand_choices.gift_row(state, gifts, controls, words))
    if any(isinstance(action, Play) for action in live.actions):
        rows += hand_choices.play_rows(live, controls, words, draft.chosen)
    last = _last_row(state, seat, situation, words, controls)
    if last:
        rows.append(row(*last))
    return rows + _hint_row(state, seat, live, words, draft, controls)


def _grand_row(controls: Controls, words: Speaker) -> Part:
    """The two answers to the question for a Grand Tichu."""
    yes = controls.button(
        Verb.GRAND,
        words.say("Grand Tichu!"),
        "yes",
        style=discord.ButtonStyle.danger,
        emoji=words.art.icon_emoji("grand"),
    )
    return row(yes, controls.button(Verb.GRAND, words.say("No"), "no"))


def _hint_row(
    state: Game, seat: Seat, live: View, words: Speaker, draft: Draft, controls: Controls
) -> list[Part]:
    """The button that asks for a hint, where there are hints and something is to be decided."""
    if not state.options.hints or question_to(state, seat) is None:
        return []
    begun = hand_choices.write_gifts(live.gifts, draft.gifts) if draft.gifts else ""
    return [row(controls.button(Verb.HINT, words.say("Hint"), begun, emoji="💡"))]


def dog_targets(view: View) -> tuple[Seat, ...]:
    """The partners that may get the lead from the viewer's Dog, where there is a choice (S6)."""
    plays = (action for action in view.actions if isinstance(action, Play))
    return tuple(action.partner for action in plays if action.partner is not None)


def controls_beside(
    state: Game, seat: Seat, situation: Situation, words: Speaker, acted_for: Seat | None
) -> list[Part]:
    """What a player of two seats can do for the seat that the page is not for now.

    `acted_for` is this seat if it is not the reader's own.
    """
    say, now = words.say, situation.now
    controls = Controls(state.id, state.revision, acted_for)
    name = plain_name(state, seat, words)
    mine = acted_for is None
    buttons: list[Part] = []
    if now.phase is Phase.EXCHANGE and now.gifts:
        label = say("My own cards") if mine else say("Cards of {name}", name=name)
        buttons.append(controls.button(Verb.TURN_TO, label))
    if seat in state.kept.auto_pass:
        trick = f"{now.number}.{len(now.past)}"
        label = say("I play in this trick") if mine else say("{name} plays again", name=name)
        buttons.append(controls.button(Verb.AUTO_PASS, label, f"off.{trick}"))
    if any(isinstance(action, Bomb) for action in now.actions):
        label = say("Bomb from my hand!") if mine else say("Bomb of {name}!", name=name)
        buttons.append(_bomb_button(now, controls, words, label))
    if any(isinstance(action, CallTichu) for action in now.actions):
        label = say("Tichu for me!") if mine else say("Tichu for {name}!", name=name)
        buttons.append(controls.button(Verb.TICHU, label, emoji=words.art.icon_emoji("tichu")))
    return [row(*buttons)] if buttons else []


def _really(state: Game, seat: Seat, controls: Controls, words: Speaker) -> str:
    """The question before a call of Tichu, for the reader's own hand or for another one."""
    if controls.seat is None:
        return words.say("Really call **Tichu**? 100 points that you go out first.")
    name = seat_name(state, seat, words)
    return words.say(
        "Really call **Tichu** for {name}? 100 points that it goes out first.", name=name
    )


def _last_row(
    state: Game, seat: Seat, situation: Situation, words: Speaker, controls: Controls
) -> list[Part]:
    """The buttons that are possible now: pass, pass this trick, bomb, wait, take back, Tichu."""
    say, now, live = words.say, situation.now, situation.live
    buttons: list[Part] = []
    if any(isinstance(action, Pass) for action in live.actions):
        buttons.append(controls.button(Verb.PASS, say("Pass"), emoji=words.art.icon_emoji("pass")))
    trick = f"{now.number}.{len(now.past)}"
    if seat in state.kept.auto_pass:
        buttons.append(
            controls.button(Verb.AUTO_PASS, say("Do not pass this trick"), f"off.{trick}")
        )
    elif _may_pass_trick(situation, seat):
        buttons.append(controls.button(Verb.AUTO_PASS, say("Pass this trick"), f"on.{trick}"))
    if may_bomb(now):
        buttons.append(_bomb_button(now, controls, words, say("Bomb!")))
    if seat in state.kept.premoves:
        buttons.append(controls.button(Verb.TAKE_BACK, say("Take back")))
    elif _may_wait(state, situation, seat) and _waits_left(state, seat):
        label = say("Wait! {seconds} s more", seconds=WAIT_SECONDS)
        buttons.append(controls.button(Verb.WAIT, label, str(now.number)))
    if any(isinstance(action, CallTichu) for action in now.actions):
        name = plain_name(state, seat, words)
        label = say("Tichu!") if controls.seat is None else say("Tichu for {name}!", name=name)
        buttons.append(controls.button(Verb.TICHU, label, emoji=words.art.icon_emoji("tichu")))
    return buttons[:5]


def may_bomb(view: View) -> bool:
    """Whether the viewer may throw one of their bombs on what lies there, in turn or out of it."""
    cards = {action.cards for action in view.actions if isinstance(action, Bomb | Play)}
    return any(bomb.cards in cards for bomb in view.bombs)


def _may_pass_trick(situation: Situation, seat: Seat) -> bool:
    """Whether it is this seat's turn in a trick, so that it may pass until the trick ends."""
    return situation.live.turn == seat and any(
        isinstance(action, Pass) for action in situation.live.actions
    )


def _may_wait(state: Game, situation: Situation, seat: Seat) -> bool:
    """Whether the page has the button that asks for more time to think about a bomb.

    Everybody who has enough cards for a bomb gets it, except while it is their turn. So the button
    tells nothing about a hand, and no page has to be written anew for each bomb window.
    """
    seats = state.seats_of_chair(state.decider(seat))
    on_turn = situation.now.turn == seat and situation.now.phase not in WINDOWS
    enough = any(situation.now.seats[other].cards >= BOMB_SIZE for other in seats)
    return situation.now.phase in PLAYING and not on_turn and enough


def _waits_left(state: Game, seat: Seat) -> int:
    """How often whoever decides for this seat may still ask for time in this round."""
    return WAITS_PER_ROUND - state.notes.waits.get(state.decider(seat), 0)


def _bomb_button(view: View, controls: Controls, words: Speaker, label: str) -> Part:
    """The button that throws the only bomb at once, or asks which one where there are several.

    It is bound to the play that lies on the table now, and refused if another one is played.
    """
    target = play_to_beat(view)
    single = len(view.bombs) == 1
    return controls.button(
        Verb.BOMB if single else Verb.BOMBS,
        label,
        f"{target},{view.bombs[0].cards:x}" if single else target,
        style=discord.ButtonStyle.danger,
        emoji=words.art.icon_emoji("bomb"),
    )
