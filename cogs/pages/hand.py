"""The private hand: what must be done, the cards, and only the controls that work now.

Rendered from the view of one seat; while a bomb window is open the next player's controls are
those of the moment after it, and what he chooses is kept until then.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import discord

from bot.table.decisions import question_to
from bot.table.state import (
    WAIT_SECONDS,
    WAITS_PER_ROUND,
    Game,
    Situation,
    play_to_beat,
    seats_waited_for,
)
from bot.text.cards import Speaker
from bot.text.titles import title
from cogs.pages import hand_choices
from cogs.pages.controls import Controls, Page, Part, line, row, text
from cogs.pages.hand_news import news
from cogs.pages.names import jump, plain_name, seat_name
from cogs.pages.verbs import Verb
from engine.actions import AnswerGrand, Bomb, CallTichu, GiveTrick, Pass, Play, Waive
from engine.combinations import Combination
from engine.hand import Hand
from engine.state import PLAYING, WINDOWS, Phase
from engine.trick import BOMB_SIZE
from engine.view import View


@dataclass(frozen=True, slots=True)
class Draft:
    """What a player has begun to choose; it lives in the buttons, not in the bot.

    `note` is a sentence to be shown on top, `chosen` cards of a play being put together, `gifts`
    the exchange so far (receiver to cards), `wish_for` a play that still needs its wish, `bombs`
    those of which one is being chosen, `dog` whether a partner for the Dog is. `seat` is the one
    acted for, where somebody decides for two.
    """

    note: str = ""
    chosen: int = 0
    gifts: dict[int, int] = field(default_factory=dict)
    wish_for: tuple[int, tuple[int, ...]] | None = None
    confirm_tichu: bool = False
    bombs: tuple[Combination, ...] = ()
    dog: bool = False
    seat: int | None = None


def acting_seat(state: Game, chair: int, wanted: int | None = None) -> int:
    """The seat that the page of a chair is for now: its own, or another it decides for (T8)."""
    seats = state.seats_of_chair(chair)
    if wanted in seats:
        return wanted
    asked = seats_waited_for(state.match)
    if state.round.phase in WINDOWS and not state.round.asked:
        asked = (state.round.turn,)
    return next((seat for seat in seats if seat in asked), chair)


def what_may_be_done(state: Game, chair: int) -> object:
    """A value that changes when this chair's page must change: its controls, cards and news."""
    seats = state.seats_of_chair(chair)
    return state.away(chair), *(_what_seat_may_do(state, seat) for seat in seats)


def _what_seat_may_do(state: Game, seat: int) -> object:
    at = state.situation(seat)
    return (
        at.live.hand.cards,
        tuple(action for action in at.live.actions if not isinstance(action, Waive)),
        (at.now.bombs, play_to_beat(at.now)) if at.now.bombs else None,
        at.now.submitted,
        at.live.top if at.live.actions and at.live.turn == seat else None,
        at.now.phase if at.now.phase not in PLAYING else None,
        at.now.received,
        at.now.given,
        state.kept.premoves.get(seat),
        seat in state.kept.dropped,
        seat in state.kept.auto_pass,
        _withdrawal_first(state),
        state.revision if _stamped(at, seat) else None,
        state.status,
    )


def _stamped(at: Situation, seat: int) -> bool:
    """Whether the page holds controls that another stamp would make stale."""
    on_turn = at.live.turn == seat and bool(at.live.actions)
    asked = on_turn or at.now.asked_to_withdraw
    return asked or at.now.phase is Phase.EXCHANGE


def _withdrawal_first(state: Game) -> bool:
    """Whether somebody is asked to withdraw a call, before anything else can be done."""
    return bool(state.round.asked)


def hand_page(state: Game, chair: int, to: Speaker, draft: Draft | None = None) -> Page:
    """The page of whoever sits on this chair; for one seat at a time if he decides for two."""
    draft = draft or Draft()
    seat = acting_seat(state, chair, draft.seat)
    at = state.situation(seat)
    items: list[Part] = []
    if draft.note:
        items.append(text(draft.note))
    if state.away(chair) and state.running:
        items += _away(state, to)
    items.append(text(_head(state, chair, seat, at, to)))
    seats = state.seats_of_chair(chair)
    seen = {other: at.now if other == seat else state.situation(other).now for other in seats}
    visible = dict(seen[chair].hands)  # the Table's only from the full deal on (T5)
    items += [
        text(_cards(state, other, visible[other], to, own=other == chair))
        for other in seats
        if other in visible
    ]
    told = [
        line for other in seats for line in news(state, other, seen[other], to, own=other == chair)
    ]
    if told:
        items.append(text("\n".join(told)))
    controls = _controls(state, seat, at, to, draft, None if seat == chair else seat)
    if state.running and not _chosen_first(state, at, draft):
        for other in seats:
            if other != seat:
                controls += _controls_beside(state, other, to, None if other == chair else other)
    if controls:
        items += [line(), *controls]
    your_turn = at.live.turn == seat and bool(at.live.actions)
    return Page(*items, accent=discord.Colour(0xC8963E if your_turn else 0x4F545C))


def _away(state: Game, to: Speaker) -> list[Part]:
    """For somebody who is played for: that it is so, and the way back."""
    say = to.say
    back = Controls(state.id, state.revision).button(
        Verb.BACK, say("I'm back"), style=discord.ButtonStyle.success
    )
    return [text(say("**You are away: a computer player moves for you.**")), row(back), line()]


def _cards(state: Game, seat: int, hand: Hand, to: Speaker, *, own: bool) -> str:
    """A hand in pictures."""
    name, pictures = seat_name(state, seat, to), "## " + to.cards(hand.cards)
    if not hand.size:
        return to.say("You are out.") if own else to.say("{name} is out.", name=name)
    return pictures if own else f"**{name}**\n{pictures}"


def _chosen_first(state: Game, at: Situation, draft: Draft) -> bool:
    """Whether one question stands alone on the page."""
    drafting = draft.confirm_tichu or draft.bombs or draft.dog or draft.wish_for is not None
    return bool(drafting) or at.live.asked_to_withdraw or _withdrawal_first(state)


def _head(state: Game, chair: int, seat: int, at: Situation, to: Speaker) -> str:
    """Which game this is, whether it is your turn, and what must be beaten."""
    say = to.say
    game = say(
        "-# {variant} in {channel}, round {number}",
        variant=to.variant(state.options.variant),
        channel=f"<#{state.channel_id}>",
        number=at.now.number,
    )
    if at.now.hierarchy:
        rank = title(say, at.now.hierarchy.index(chair), len(at.now.hierarchy))
        game += " · " + say("your rank: {title}", title=rank)
    lines = [game]
    if seat != chair and at.now.phase not in (Phase.ROUND_END, Phase.MATCH_END):
        lines.append(say("You decide for **{name}** now:", name=seat_name(state, seat, to)))
    lines.append(_what_now(state, seat, at, to))
    if at.now.wish is not None and at.now.phase in PLAYING:
        lines.append(
            f"{to.art.icon('wish')} " + say("The wish is **{rank}**.", rank=to.rank(at.now.wish))
        )
    return "\n".join(lines)


def _what_now(state: Game, seat: int, at: Situation, to: Speaker) -> str:
    say, live, phase = to.say, at.live, at.now.phase
    if state.status != "playing":
        return say("**This match is over.**")
    if at.now.asked_to_withdraw:
        return say("**A partner called at the same time. Do you withdraw your call?**")
    if _withdrawal_first(state):
        return say("First somebody has to say whether a call made at the same time is withdrawn.")
    if phase is Phase.GRAND:
        if not state.match.variant.may_call_grand(at.now.seating, seat):
            return say("Your first cards. The dealer cannot call a Grand Tichu: the others may.")
        if at.now.answer is None:
            return say("**Your first cards. Do you call Grand Tichu?**")
        return say("You have answered. Waiting for the others.")
    if phase is Phase.EXCHANGE:
        if not at.now.gifts:
            return say("You have nothing to pass. Waiting for the others.")
        if at.now.given is None:
            return say("**Which cards do you pass?**")
        if not any(gift.free for gift in at.now.gifts):
            return say("Passed. Waiting for the others.")
        return say("Passed. You may still change your mind until the last player has given.")
    if phase in (Phase.ROUND_END, Phase.MATCH_END):
        return say("The round is over.")
    if live.turn == seat and live.phase is Phase.GIFT:
        return say("**Your Dragon won. Who gets the trick?**")
    if live.turn == seat and live.actions and live.phase in (Phase.LEAD, Phase.TURN):
        if live.top is None:
            return say("**Your lead.**")
        return say(
            "**Your turn.** To beat: {cards} {combination} by {name}",
            cards=to.laid(live.top),
            combination=to.combination(live.top),
            name=seat_name(state, live.top_seat, to),
        )
    return say(
        "The others play: the [table]({link}) shows whose turn it is. "
        "This page changes by itself when you can do something.",
        link=jump(state),
    )


def _controls(
    state: Game,
    seat: int,
    at: Situation,
    to: Speaker,
    draft: Draft,
    acted_for: int | None,
) -> list[Part]:
    """The rows of controls, from what the view allows."""
    say, live = to.say, at.live
    make = Controls(state.id, state.revision, acted_for)
    if not state.running:
        return []
    rows: list[Part] = []
    if live.asked_to_withdraw:
        return [
            row(
                make.button(Verb.WITHDRAW, say("Withdraw"), "yes"),
                make.button(Verb.WITHDRAW, say("Let it stand"), "no"),
            ),
            *_hint_row(state, seat, live, make, to, draft),
        ]
    if _withdrawal_first(state):
        return []
    if draft.confirm_tichu:
        return [
            text(_really(state, seat, make, to)),
            row(
                make.button(Verb.TICHU_YES, say("Yes, Tichu!"), style=discord.ButtonStyle.danger),
                make.button(Verb.REFRESH, say("No")),
            ),
        ]
    if draft.bombs:
        back = row(make.button(Verb.REFRESH, say("Something else")))
        return [*hand_choices.bomb_rows(draft.bombs, play_to_beat(at.now), make, to), back]
    if draft.dog:
        return [
            text(say("Who gets the lead from your Dog?")),
            hand_choices.dog_row(state, dog_targets(live), make, to),
        ]
    if draft.wish_for is not None:
        return hand_choices.wish_rows(make, to, draft.wish_for)
    if any(isinstance(action, AnswerGrand) for action in live.actions):
        rows.append(
            row(
                make.button(
                    Verb.GRAND,
                    say("Grand Tichu!"),
                    "yes",
                    style=discord.ButtonStyle.danger,
                    emoji=to.art.icon_emoji("grand"),
                ),
                make.button(Verb.GRAND, say("No"), "no"),
            )
        )
    if live.phase is Phase.EXCHANGE and live.gifts:
        rows += hand_choices.exchange_rows(state, seat, live, make, to, draft.gifts)
    gifts = [action for action in live.actions if isinstance(action, GiveTrick)]
    if gifts:
        rows.append(hand_choices.gift_row(state, gifts, make, to))
    if any(isinstance(action, Play) for action in live.actions):
        rows += hand_choices.play_rows(live, make, to, draft.chosen)
    last = _last_row(state, seat, at, to, make)
    if last:
        rows.append(row(*last))
    return rows + _hint_row(state, seat, live, make, to, draft)


def _hint_row(
    state: Game, seat: int, live: View, make: Controls, to: Speaker, draft: Draft
) -> list[Part]:
    """The button that asks for a hint, where there are hints and something is to be decided."""
    if not state.options.hints or question_to(state, seat) is None:
        return []
    begun = hand_choices.write_gifts(live.gifts, draft.gifts) if draft.gifts else ""
    return [row(make.button(Verb.HINT, to.say("Hint"), begun, emoji="💡"))]


def dog_targets(seen: View) -> tuple[int, ...]:
    """The partners that the viewer's Dog may give the lead to, where there is a choice (S6)."""
    plays = (action for action in seen.actions if isinstance(action, Play))
    return tuple(action.to for action in plays if action.to is not None)


def _controls_beside(state: Game, seat: int, to: Speaker, acted_for: int | None) -> list[Part]:
    """What whoever decides for two seats can do for the one that the page is not for now."""
    say, at = to.say, state.situation(seat)
    make = Controls(state.id, state.revision, acted_for)
    name = plain_name(state, seat, to)
    mine = acted_for is None
    buttons: list[Part] = []
    if at.now.phase is Phase.EXCHANGE and at.now.gifts:
        label = say("My own cards") if mine else say("Cards of {name}", name=name)
        buttons.append(make.button(Verb.TURN_TO, label))
    if seat in state.kept.auto_pass:
        trick = f"{at.now.number}.{len(at.now.past)}"
        label = say("I play in this trick") if mine else say("{name} plays again", name=name)
        buttons.append(make.button(Verb.AUTO_PASS, label, f"off.{trick}"))
    if any(isinstance(action, Bomb) for action in at.now.actions):
        label = say("Bomb from my hand!") if mine else say("Bomb of {name}!", name=name)
        buttons.append(_bomb_button(at.now, make, to, label))
    if any(isinstance(action, CallTichu) for action in at.now.actions):
        label = say("Tichu for me!") if mine else say("Tichu for {name}!", name=name)
        buttons.append(make.button(Verb.TICHU, label, emoji=to.art.icon_emoji("tichu")))
    return [row(*buttons)] if buttons else []


def _really(state: Game, seat: int, make: Controls, to: Speaker) -> str:
    """The question before a call, for the right hand."""
    if make.seat is None:
        return to.say("Really call **Tichu**? 100 points that you go out first.")
    name = seat_name(state, seat, to)
    return to.say("Really call **Tichu** for {name}? 100 points that it goes out first.", name=name)


def _last_row(state: Game, seat: int, at: Situation, to: Speaker, make: Controls) -> list[Part]:
    """Pass, pass this trick, bomb, wait, take back, Tichu: whatever is possible now."""
    say, live = to.say, at.live
    buttons: list[Part] = []
    if any(isinstance(action, Pass) for action in live.actions):
        buttons.append(make.button(Verb.PASS, say("Pass"), emoji=to.art.icon_emoji("pass")))
    trick = f"{at.now.number}.{len(at.now.past)}"
    if seat in state.kept.auto_pass:
        buttons.append(make.button(Verb.AUTO_PASS, say("Do not pass this trick"), f"off.{trick}"))
    elif _may_pass_trick(at, seat):
        buttons.append(make.button(Verb.AUTO_PASS, say("Pass this trick"), f"on.{trick}"))
    if any(isinstance(action, Bomb) for action in at.now.actions):
        buttons.append(_bomb_button(at.now, make, to, say("Bomb!")))
    if seat in state.kept.premoves:
        buttons.append(make.button(Verb.TAKE_BACK, say("Take back")))
    elif _may_wait(state, at, seat) and _waits_left(state, seat):
        label = say("Wait! {seconds} s more", seconds=WAIT_SECONDS)
        buttons.append(make.button(Verb.WAIT, label, str(at.now.number)))
    if any(isinstance(action, CallTichu) for action in at.now.actions):
        name = plain_name(state, seat, to)
        label = say("Tichu!") if make.seat is None else say("Tichu for {name}!", name=name)
        buttons.append(make.button(Verb.TICHU, label, emoji=to.art.icon_emoji("tichu")))
    return buttons[:5]


def _may_pass_trick(at: Situation, seat: int) -> bool:
    """Whether it is this seat's turn in a trick that it may pass until the end."""
    return at.live.turn == seat and any(isinstance(action, Pass) for action in at.live.actions)


def _may_wait(state: Game, at: Situation, seat: int) -> bool:
    """Whether this seat might need time to think about a bomb before the round is over.

    Everybody with enough cards has the button unless he is on turn: whoever uses it tells nothing
    by it, and no page has to be written anew for each window.
    """
    seats = state.seats_of_chair(state.decider(seat))
    on_turn = at.now.turn == seat and at.now.phase not in WINDOWS
    enough = any(at.now.seats[other].cards >= BOMB_SIZE for other in seats)
    return at.now.phase in PLAYING and not on_turn and enough


def _waits_left(state: Game, seat: int) -> int:
    return WAITS_PER_ROUND - state.notes.waits.get(state.decider(seat), 0)


def _bomb_button(view: View, make: Controls, to: Speaker, label: str) -> Part:
    """One bomb is thrown at once, several ask which one; both for the play that lies there now."""
    target = play_to_beat(view)
    one = len(view.bombs) == 1
    return make.button(
        Verb.BOMB if one else Verb.BOMBS,
        label,
        f"{target},{view.bombs[0].cards:x}" if one else target,
        style=discord.ButtonStyle.danger,
        emoji=to.art.icon_emoji("bomb"),
    )
