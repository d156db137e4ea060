"""The public table message: all facts that a spectator needs, and nothing hidden.

It is made from the view of a spectator, so it cannot show a hidden card. It has two forms: a
picture of the table with one short line or two below it, or the same facts as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import discord

from bot.pictures.table.contents import replaced_names
from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.labels import NO_BADGE, badge, seat_emoji, team_emoji
from bot.text.options import game_title, length, novice_note, round_name
from cogs.pages.controls import (
    LONGEST_NOTICE,
    Controls,
    Notice,
    Page,
    Part,
    gallery,
    line,
    row,
    text,
)
from cogs.pages.names import column_name, ordinal, safe, seat_name, titled_name
from cogs.pages.table.deal_lines import table_deal_line
from cogs.pages.table.nudge import (
    Nudged,
    first_cards_dealt,
    hand_button,
    hand_label,
    nudge_text,
)
from cogs.pages.table.reactions import SentReaction, reactions_line
from cogs.pages.table.waiting import continue_button, paused_text
from cogs.pages.verbs import Verb
from engine import (
    PLAY_PHASES,
    Call,
    Phase,
    Seat,
    SeatView,
    TrickStep,
    View,
    indices,
    rank_text,
    sort_key,
)

_COLOUR = discord.Colour(0xC8963E)
_NO_BREAK_SPACE = "\u00a0"
"""A space without a line break."""


def table_page(
    state: Game,
    words: Speaker,
    picture: str | None = None,
    alt: str | None = None,
    *,
    buttons: bool = True,
    said: Sequence[SentReaction] = (),
) -> Page:
    """Return the table message; that of a finished round has no `buttons`.

    `picture` is the name of the attachment with the picture of the table, and `alt` its alternative
    text (at most 1,024 characters). Without a picture everything is shown as text. `said` are the
    reactions to show.
    """
    public = state.views.public
    notes = [*novice_note(state, words)] if state.running and buttons else []
    blocks = (
        _text_blocks(state, public, words, notes)
        if picture is None
        else [gallery(picture, alt), text(_text_below_picture(state, public, words, notes))]
    )
    if state.running and buttons:
        if reactions := reactions_line(state, said, words):
            blocks.append(text(reactions))
        blocks.append(table_buttons(state, words))
    return Page(*blocks, accent=_COLOUR)


def table_notice(
    state: Game,
    words: Speaker,
    nudged: Nudged,
    said: Sequence[SentReaction] = (),
    *,
    has_picture: bool,
) -> Notice:
    """Return a new table message that nudges people; its next edit turns it into the page.

    Below the nudge are the facts that the picture does not show. Without a picture it is as much of
    the table as fits.
    """
    notes = [*novice_note(state, words)]
    if has_picture:
        blocks = [_small_print(state, state.views.public, words, notes)]
    else:
        text_parts = _text_blocks(state, state.views.public, words, notes)
        blocks = [part["content"] for part in text_parts if "content" in part]
    lines = [nudge_text(state, nudged, words), *blocks, reactions_line(state, said, words)]
    while len(content := "\n".join(filter(None, lines))) > LONGEST_NOTICE:
        lines.pop()
    return Notice(content, table_buttons(state, words))


def table_buttons(state: Game, words: Speaker) -> Part:
    """Return the row of buttons: **My hand**, **More…**, and those to return or to resume."""
    say = words.say
    controls = Controls(state.id, state.revision)
    extra_buttons = (
        [controls.button(Verb.BACK, say("I'm back"), style=discord.ButtonStyle.success)]
        if state.notes.away
        else []
    )
    if _is_paused_in_round(state):
        extra_buttons.append(continue_button(state, words))
    return row(
        hand_button(state, words),
        controls.button(Verb.MORE, say("More…")),
        *extra_buttons,
    )


# --- the form with a picture ---------------------------------------------------------------------


def _text_below_picture(state: Game, view: View, words: Speaker, notes: Sequence[str]) -> str:
    """Return the text below the picture: the current turn, and the small print."""
    lines = [
        *_pause_lines(state, words),
        *_turn_lines(state, view, words),
        *_hold_lines(state, words),
    ]
    return "\n".join([*lines, _small_print(state, view, words, notes)])


def _small_print(state: Game, view: View, words: Speaker, notes: Sequence[str]) -> str:
    """Return the small print below the picture: the round, the wish, and `notes`."""
    facts = [round_title(state, words), *_wish_lines(view, words)]
    facts += filter(None, (table_deal_line(state, words), _newcomers_text(state, words)))
    facts += notes
    facts += (
        words.say.labelled(name.replacement, safe(name.text))
        for name in replaced_names(state, words)
    )
    return "-# " + " · ".join(facts)


def _turn_lines(state: Game, view: View, words: Speaker) -> Iterator[str]:
    """Yield the line with the player to move and the play to beat, or what play waits for.

    It is the same during a bomb window and after it, so the end of the window costs no request.
    """
    say = words.say
    if view.top is None or view.phase not in (Phase.TURN, Phase.WINDOW):
        yield from _waiting_lines(state, view, words)
        return
    other, combination = seat_name(state, view.top_seat, words), words.combination_within(view.top)
    yield f"{words.art.icon('turn')} " + say(
        "**{name}** to beat {other}'s **{combination}**",
        name=seat_name(state, view.turn, words),
        other=other,
        combination=combination,
    )


# --- the form without a picture ------------------------------------------------------------------


def _text_blocks(state: Game, view: View, words: Speaker, notes: Sequence[str]) -> list[Part]:
    """Return the table in words: round, scores, seats, trick, and `notes`.

    A finished round shows the names of the people who played it.
    """
    as_played = state.as_played()
    head = [heading(state, words)]
    if view.totals:
        goal = [] if state.options.rules.rounds else [length(state.options.rules, words.say)]
        head += [*(f"-# {part}" for part in goal), totals(as_played, view, words)]
    elif not state.options.rules.rounds:
        head.append(f"-# {length(state.options.rules, words.say)}")
    blocks = [
        text("\n".join(head)),
        line(),
        text("\n".join(seat_line(as_played, view, seat, words) for seat in in_turn_order(view))),
        *(text(cards) for cards in open_cards(as_played, view, words)),
        line(),
        text(trick_text(state, view, words)),
    ]
    deal_label, newcomers = table_deal_line(state, words), _newcomers_text(state, words)
    facts = [
        part
        for part in (_last_trick_text(as_played, view, words), deal_label, newcomers, *notes)
        if part
    ]
    if facts:
        blocks.append(text("\n".join(f"-# {part}" for part in facts)))
    return blocks


def heading(state: Game, words: Speaker) -> str:
    """Return the game, the number of players, and the round."""
    title = game_title(words.say, state.options.variant, len(state.chairs))
    return f"### {title} · {round_title(state, words)}"


def round_title(state: Game, words: Speaker) -> str:
    """Return the name of the round, marked if it is the last one."""
    name = round_name(state.options.rules, state.round.number, words.say)
    return f"{name} · " + words.say("last round") if state.last_round else name


def in_turn_order(view: View) -> tuple[Seat, ...]:
    """Return the seats in turn order, highest rank or seat 0 first.

    When a round is over, the order is that of the new ranks.
    """
    if view.hierarchy and view.phase in (Phase.ROUND_END, Phase.MATCH_END):
        return view.hierarchy
    first = view.hierarchy[0] if view.hierarchy else 0
    return (first, *view.seating.after(first)[:-1])


def totals(state: Game, view: View, words: Speaker) -> str:
    """Return a line for each team, with the total of each of its columns."""
    number, teams = words.say.number, view.seating.teams
    has_two_teams = set(teams) == {0, 1}
    lines = []
    for team in sorted(set(teams)):
        seats = [seat for seat in view.seating.order if teams[seat] == team]
        column = state.match.variant.column(state.round, seats[0])
        scores = (
            [f"{column_name(state, column, words)} **{number(view.totals[column])}**"]
            if view.variant.fixed_partners
            else [
                f"{seat_name(state, seat, words)} **{number(view.totals[seat])}**" for seat in seats
            ]
        )
        sign = [team_emoji(team)] if has_two_teams else []
        lines.append(" ".join([*sign, " & ".join(scores)]))
    return "\n".join(lines)


def open_cards(state: Game, view: View, words: Speaker) -> Iterator[str]:
    """Yield lines with open hands (T7) and with cards that were not dealt (G7)."""
    for seat, hand in view.hands:
        if hand.cards:
            name = seat_name(state, seat, words)
            yield words.say("{name}'s open cards:", name=name) + "\n" + words.cards(hand.cards)
    if view.left_over:
        cards = " ".join(
            words.plain_card(card) for card in sorted(indices(view.left_over), key=sort_key)
        )
        yield "-# " + words.say("Not dealt: {cards}", cards=cards)


def seat_line(state: Game, view: View, seat: Seat, words: Speaker) -> str:
    """Return the line of one seat: team, player, number of cards, call, place, turn."""
    say = words.say
    public: SeatView = view.seats[seat]
    is_on_turn = view.phase in PLAY_PHASES and seat == view.turn
    mark = _seat_mark(view, seat)
    heading = [] if is_on_turn and mark == NO_BADGE else [mark]
    if is_on_turn:
        heading.append(words.art.icon("turn"))
    heading.append(titled_name(state, seat, view.hierarchy, words))
    if state.computer(seat):
        heading.append(words.art.icon("computer"))
    parts = [" ".join(heading)]
    if state.away(seat):
        parts.append(say("away"))
    if _dealer_plays_table_hand(state) and seat == view.dealer:
        parts.append(say("dealer"))
    if public.place is not None:
        place = ordinal(public.place, words)
        parts.append(f"{words.art.icon('out')} " + say("out {place}", place=place))
    else:
        parts.append(say.many("{n} card", "{n} cards", public.cards))
    if public.call is not None:
        parts.append(_call_text(view, seat, public.call, words))
    if public.waited_for:
        parts.append("⏳")
    return " · ".join(parts)


def _call_text(view: View, seat: Seat, call: Call, words: Speaker) -> str:
    """Return a seat's call, with a cross if it has failed (N71).

    It has failed when another player went out first.
    """
    icon = words.art.icon("grand" if call is Call.GRAND else "tichu")
    failed = bool(view.out) and view.out[0] != seat
    exclamation = words.say("Grand Tichu!") if call is Call.GRAND else words.say("Tichu!")
    label = f"{words.call(call)} ✗" if failed else f"**{exclamation}**"
    return f"{icon} {label}".replace(" ", _NO_BREAK_SPACE)


def _dealer_plays_table_hand(state: Game) -> bool:
    """Return whether the dealer also plays the hand of Trichu's Table (T2)."""
    return len(state.round.hands) > len(state.chairs)


def _seat_mark(view: View, seat: Seat) -> str:
    """Return the emoji before a name: rank badge (G30), team, or `NO_BADGE`."""
    if view.hierarchy:
        return badge(view.hierarchy.index(seat), len(view.hierarchy))
    return seat_emoji(view, seat) or NO_BADGE


def trick_text(state: Game, view: View, words: Speaker, *, is_live: bool = True) -> str:
    """Return the text of the current trick, or of what play waits for.

    Without `is_live` it is a position of a replay, so no button is named.
    """
    waiting_lines = _waiting_lines(state, view, words, is_live=is_live)
    lines = [*_trick_lines(state, view, words), *waiting_lines, *_pause_lines(state, words)]
    return "\n".join([*lines, *_hold_lines(state, words), *_wish_lines(view, words)])


def _hold_lines(state: Game, words: Speaker) -> Iterator[str]:
    """Yield the line on the player who holds the bomb window open, with its end."""
    until = state.timers.deadlines.get("window")
    if state.holder is not None and until is not None:
        yield words.say(
            "✋ **{name}** is holding – play goes on {when}.",
            name=seat_name(state, state.holder, words),
            when=discord.utils.format_dt(until, "R"),
        )


def _wish_lines(view: View, words: Speaker) -> Iterator[str]:
    """Yield the line of the open wish, if there is one."""
    if view.wish is not None:
        wish = words.rank(view.wish) or rank_text(view.wish)
        yield f"{words.art.icon('wish')} " + words.say("Wish: **{rank}**", rank=wish)


def _waiting_lines(
    state: Game, view: View, words: Speaker, *, is_live: bool = True
) -> Iterator[str]:
    """Yield the lines on what play waits for, except for the next play in a trick.

    `is_live` is explained at `trick_text`.
    """
    say = words.say
    press_button = [say("Press **{button}**.", button=hand_label(state, words))] if is_live else []
    match view.phase:
        case Phase.GRAND:
            yield " ".join([first_cards_dealt(state, words), *press_button])
        case Phase.EXCHANGE if not is_live:
            yield say("Cards are being passed.")
        case Phase.EXCHANGE:
            button = hand_label(state, words)
            yield say("Pass your cards: press **{button}**.", button=button)
        case Phase.MATCH_END:
            yield say("The match is over.")
        case Phase.ROUND_END:
            yield say("The round is over.")
            if state.running and state.timers.paused and state.deserted:
                yield say("Everyone is away – the table waits until someone is back.")
        case Phase.CLOSING | Phase.GIFT:
            name = f"**{seat_name(state, view.top_seat, words)}**"
            yield _trick_taker_text(name, words, gift=state.gift_due)
        case _ if view.top is None:
            yield say("{name} leads.", name=f"**{seat_name(state, view.turn, words)}**")


def _newcomers_text(state: Game, words: Speaker) -> str:
    """Return the text on people who take a computer player's seat after this round."""
    names = [safe(who.name) for who in state.notes.coming.values()]
    if not names:
        return ""
    return words.say("{names} will join after this round", names=words.say.join(names))


def _pause_lines(state: Game, words: Speaker) -> Iterator[str]:
    """Yield the line that the table is paused within a round.

    Between two rounds the result has this line.
    """
    if _is_paused_in_round(state):
        yield paused_text(state, words)


def _is_paused_in_round(state: Game) -> bool:
    return state.running and state.timers.paused and not state.between_rounds


def _trick_lines(state: Game, view: View, words: Speaker) -> Iterator[str]:
    """Yield the last two plays, the play to beat in large, and the points in the trick."""
    say = words.say
    if view.top is None or view.phase not in PLAY_PHASES:
        return
    plays = [step for step in view.trick if step.combination is not None]
    for step in plays[-2:-1]:
        cards = words.combination_cards(step.combination) if step.combination is not None else ""
        yield f"-# {cards} {step_text(state, step, words)}"
    yield f"## {words.combination_cards(view.top)}"
    name = seat_name(state, view.top_seat, words)
    last_play = say.labelled(name, f"**{words.combination(view.top)}**")
    if view.trick_points:
        points = view.trick_points
        last_play += " · " + say.many("{n} point in the trick", "{n} points in the trick", points)
    yield last_play


def _trick_taker_text(name: str, words: Speaker, *, gift: bool) -> str:
    """Return the sentence on the player who takes the trick after all others passed."""
    if gift:
        return words.say("{name} must give the Dragon trick away.", name=name)
    return words.say("All passed – {name} takes it.", name=name)


def _last_trick_text(state: Game, view: View, words: Speaker) -> str:
    """Return the sentence on how the last trick ended; empty after the next lead."""
    if view.trick or not view.past:
        return ""
    last = view.past[-1]
    return trick_end(state, last.winner, last.given_to, words)


def step_text(state: Game, step: TrickStep, words: Speaker) -> str:
    """Return the text of one play or pass."""
    name = seat_name(state, step.seat, words)
    if step.combination is None:
        return words.say("{name} passes", name=name)
    play = words.say.labelled(name, words.combination(step.combination))
    if step.wish is not None:
        play += " · " + words.say("wishes {rank}", rank=words.rank(step.wish))
    return play


def trick_end(state: Game, winner: Seat, given_to: Seat | None, words: Speaker) -> str:
    """Return the sentence on who took a finished trick, or got the lead from the Dog.

    `winner` is negative for the Dog, and `given_to` its receiver, or that of the Dragon's trick.
    """
    say = words.say
    if winner < 0:
        if given_to is None:
            return say("The Dog was the last card.")
        return say("The Dog gives the lead to {name}.", name=seat_name(state, given_to, words))
    if given_to is not None:
        return say(
            "{name} won the trick with the Dragon and gave it to {other}.",
            name=seat_name(state, winner, words),
            other=seat_name(state, given_to, words),
        )
    return say("{name} took the trick.", name=seat_name(state, winner, words))
