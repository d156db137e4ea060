"""The public table message: all facts that a spectator needs, and nothing hidden.

It is made from the view of a spectator, so it cannot show a hidden card. It has two forms: a
picture of the table with one short line or two below it, or the same facts as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import discord

from bot.pictures.table.contents import replaced_names
from bot.table.details import SPEEDS
from bot.table.posts import CallLine
from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.labels import NO_BADGE, badge, seat_emoji, team_emoji
from bot.text.options import game_title, length, novice_note, round_name
from bot.text.people import visible_name
from cogs.pages.controls import (
    GOLD,
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
from cogs.pages.table.announcements import announcements
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
    restarted: bool = False,
) -> Page:
    """Return the table message; without `buttons` that of a round that is over.

    `picture` is the name of the attachment with the picture of the table, and `alt` its alternative
    text (at most 1,024 characters). Without a picture everything is shown as text. `said` are the
    reactions to show. If the bot has `restarted` since the last move, the message says so.
    """
    public = state.views.public
    news = [*novice_note(state, words)] if state.running and buttons else []
    if restarted:
        news.insert(0, words.say("I restarted – carry on!"))
    blocks = (
        _as_text(state, public, words, news)
        if picture is None
        else [gallery(picture, alt), text(_below_picture(state, public, words, news))]
    )
    if state.running and buttons:
        if lately := reactions_line(state, said, words):
            blocks.append(text(lately))
        blocks.append(table_buttons(state, words))
    return Page(*blocks, accent=GOLD)


def table_notice(
    state: Game,
    words: Speaker,
    nudged: Nudged,
    said: Sequence[SentReaction] = (),
    *,
    has_picture: bool,
) -> Notice:
    """Return a new table message that nudges people.

    Its next edit turns it into the page.

    Below the nudge are the facts that the picture does not show or, without a picture, as much of
    the table as fits.
    """
    news = [*novice_note(state, words)]
    if has_picture:
        blocks = [_small(state, state.views.public, words, news)]
    else:
        parts = _as_text(state, state.views.public, words, news)
        blocks = [part["content"] for part in parts if "content" in part]
    lines = [nudge_text(state, nudged, words), *blocks, reactions_line(state, said, words)]
    while len(content := "\n".join(filter(None, lines))) > LONGEST_NOTICE:
        lines.pop()
    return Notice(content, table_buttons(state, words))


def table_buttons(state: Game, words: Speaker) -> Part:
    """Return the buttons: my hand, more, the computers' speed, and ways back into play."""
    say = words.say
    controls = Controls(state.id, state.revision)
    back = (
        [controls.button(Verb.BACK, say("I'm back"), style=discord.ButtonStyle.success)]
        if state.notes.away
        else []
    )
    if _pauses(state):
        back.append(continue_button(state, words))
    return row(
        hand_button(state, words),
        controls.button(Verb.MORE, say("More…")),
        *(_speed_buttons(state, words) if state.alone else ()),
        *back,
    )


def _speed_buttons(state: Game, words: Speaker) -> Iterator[Part]:
    """Return the buttons for slower and faster computers; at an end one of them is disabled."""
    say, current = words.say, SPEEDS.index(state.speed)
    # Translators: a button: computers make their moves less or more quickly
    for emoji, label, step in (("🐢", say("Slower"), -1), ("🐇", say("Faster"), 1)):
        possible = 0 <= current + step < len(SPEEDS)
        speed = SPEEDS[current + step] if possible else state.speed
        yield Controls(state.id, state.revision).button(
            Verb.SPEED, label, speed, emoji=emoji, disabled=not possible
        )


# --- the form with a picture ---------------------------------------------------------------------


def _below_picture(state: Game, view: View, words: Speaker, news: Sequence[str]) -> str:
    """Return the text below the picture: the current turn, the calls, and the small print."""
    now = [*_paused(state, words), *_now(state, view, words), *_held(state, words)]
    calls = " · ".join(announcements(state, _undecided_calls(view), words))
    return "\n".join(filter(None, (*now, calls, _small(state, view, words, news))))


def _undecided_calls(view: View) -> list[CallLine]:
    """Return the calls in turn order, as long as nobody is out."""
    return [
        CallLine(seat=seat, grand=call is Call.GRAND)
        for seat in in_turn_order(view)
        if (call := view.seats[seat].call) is not None and not view.out
    ]


def _small(state: Game, view: View, words: Speaker, news: Sequence[str]) -> str:
    """Return the small print below the picture: the round, the wish, `news`, and the deal."""
    small = [round_title(state, words), *_wish(view, words)]
    small += filter(None, (_newcomers(state, words), *news))
    small += (
        words.say.labelled(name.replacement, safe(name.text))
        for name in replaced_names(state, words)
    )
    lines = (" · ".join(small), table_deal_line(state, words))
    return "\n".join(f"-# {each}" for each in lines if each)


def _now(state: Game, view: View, words: Speaker) -> Iterator[str]:
    """Yield the player to move with the play to beat, or the reason that play waits.

    The text does not change while a bomb window is open, so the end of the window costs no request.
    """
    say = words.say
    if view.top is None or view.phase not in (Phase.TURN, Phase.WINDOW):
        yield from _waiting(state, view, words)
        return
    other, combination = seat_name(state, view.top_seat, words), words.combination_within(view.top)
    yield f"{words.art.icon('turn')} " + say(
        "**{name}** to beat {other}'s **{combination}**",
        name=seat_name(state, view.turn, words),
        other=other,
        combination=combination,
    )


# --- the form without a picture ------------------------------------------------------------------


def _as_text(state: Game, view: View, words: Speaker, news: Sequence[str]) -> list[Part]:
    """Return the table in words: round, scores, seats, trick, `news`.

    When the round is over it names those who played it.
    """
    played = state.with_round_players()
    head = [heading(state, words)]
    if view.totals:
        goal = [] if state.options.rounds else [length(state.options, words.say)]
        head += [*(f"-# {part}" for part in goal), totals(played, view, words)]
    elif not state.options.rounds:
        head.append(f"-# {length(state.options, words.say)}")
    blocks = [
        text("\n".join(head)),
        line(),
        text("\n".join(seat_line(played, view, seat, words) for seat in in_turn_order(view))),
        *(text(cards) for cards in open_cards(played, view, words)),
        line(),
        text(trick_text(state, view, words)),
    ]
    deal, newcomers = table_deal_line(state, words), _newcomers(state, words)
    small = [part for part in (_last_trick(played, view, words), deal, newcomers, *news) if part]
    if small:
        blocks.append(text("\n".join(f"-# {part}" for part in small)))
    return blocks


def heading(state: Game, words: Speaker) -> str:
    """Return the game, the number of players, and the round."""
    title = game_title(words.say, state.options.variant, len(state.chairs))
    return f"### {title} · {round_title(state, words)}"


def round_title(state: Game, words: Speaker) -> str:
    """Return the name of the round, and whether it is the last one."""
    name = round_name(state.options, state.round.number, words.say)
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
    """Return a line for each team, with its points, or with those of each of its players."""
    number, teams = words.say.number, view.seating.teams
    has_two_teams = set(teams) == {0, 1}
    lines = []
    for team in sorted(set(teams)):
        seats = [seat for seat in view.seating.order if teams[seat] == team]
        column = state.match.variant.column(state.round, seats[0])
        parts = (
            [f"{column_name(state, column, words)} **{number(view.totals[column])}**"]
            if view.variant.fixed_partners
            else [
                f"{seat_name(state, seat, words)} **{number(view.totals[seat])}**" for seat in seats
            ]
        )
        sign = [team_emoji(team)] if has_two_teams else []
        lines.append(" ".join([*sign, " & ".join(parts)]))
    return "\n".join(lines)


def open_cards(state: Game, view: View, words: Speaker) -> Iterator[str]:
    """Return open hands (T7), and cards that were not dealt (G7)."""
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
    """Return one seat: team, player, cards, call, place or turn."""
    say = words.say
    public: SeatView = view.seats[seat]
    asked = view.phase in PLAY_PHASES and seat == view.turn
    mark = _mark(view, seat)
    signs = [] if asked and mark == NO_BADGE else [mark]
    if asked:
        signs.append(words.art.icon("turn"))
    signs.append(titled_name(state, seat, view.hierarchy, words))
    if state.computer(seat):
        signs.append(words.art.icon("computer"))
    parts = [" ".join(signs)]
    if state.away(seat):
        parts.append(say("away"))
    if _dealer_matters(state) and seat == view.dealer:
        parts.append(say("dealer"))
    if public.place is not None:
        place = ordinal(public.place, words)
        parts.append(f"{words.art.icon('out')} " + say("out {place}", place=place))
    else:
        parts.append(say.many("{n} card", "{n} cards", public.cards))
    if public.call is not None:
        parts.append(_call(view, seat, public.call, words))
    if public.waited_for:
        parts.append("⏳")
    return " · ".join(parts)


def _call(view: View, seat: Seat, call: Call, words: Speaker) -> str:
    """Return a seat's call, with a cross if it is lost (N71).

    It is lost when another player went out first.
    """
    icon = words.art.icon("grand" if call is Call.GRAND else "tichu")
    lost = bool(view.out) and view.out[0] != seat
    exclamation = words.say("Grand Tichu!") if call is Call.GRAND else words.say("Tichu!")
    call_text = f"{words.call(call)} ✗" if lost else f"**{exclamation}**"
    return f"{icon} {call_text}".replace(" ", _NO_BREAK_SPACE)


def _dealer_matters(state: Game) -> bool:
    """Return whether the dealer also plays for Trichu's Table (T2)."""
    return len(state.round.hands) > len(state.chairs)


def _mark(view: View, seat: Seat) -> str:
    """Return the sign before a name: team, rank badge (G30), or nothing."""
    if view.hierarchy:
        return badge(view.hierarchy.index(seat), len(view.hierarchy))
    return seat_emoji(view, seat) or NO_BADGE


def trick_text(state: Game, view: View, words: Speaker, *, played: bool = True) -> str:
    """Return the current trick, or the reason that play waits.

    A position that is not `played` now but replayed names no button.
    """
    waiting = _waiting(state, view, words, played=played)
    lines = [*_laid(state, view, words), *waiting, *_paused(state, words)]
    return "\n".join([*lines, *_held(state, words), *_wish(view, words)])


def _held(state: Game, words: Speaker) -> Iterator[str]:
    """Return the player who holds the bomb window open, with its end."""
    until = state.timers.deadlines.get("window")
    if state.holder is not None and until is not None:
        yield words.say(
            "✋ **{name}** is holding – play goes on {when}.",
            name=seat_name(state, state.holder, words),
            when=discord.utils.format_dt(until, "R"),
        )


def _wish(view: View, words: Speaker) -> Iterator[str]:
    """Return the open wish, if there is one."""
    if view.wish is not None:
        wish = words.rank(view.wish) or rank_text(view.wish)
        yield f"{words.art.icon('wish')} " + words.say("Wish: **{rank}**", rank=wish)


def _waiting(state: Game, view: View, words: Speaker, *, played: bool = True) -> Iterator[str]:
    """Yield the event that play waits for, unless it is the next play of a trick.

    A position that is not `played` now but replayed names no button.
    """
    say = words.say
    press = [say("Press **{button}**.", button=hand_label(state, words))] if played else []
    match view.phase:
        case Phase.GRAND:
            yield " ".join([first_cards_dealt(state, words), *press])
        case Phase.EXCHANGE if not played:
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
            yield _who_takes_it(name, words, gift=state.gift_due)
        case _ if view.top is None:
            yield say("{name} leads.", name=f"**{seat_name(state, view.turn, words)}**")


def _newcomers(state: Game, words: Speaker) -> str:
    """Return the line with people who will take a computer's seat; empty if there are none."""
    names = [
        safe(visible_name(words.say, who.name, seat)) for seat, who in state.notes.coming.items()
    ]
    if not names:
        return ""
    return words.say("{names} will join after this round", names=words.say.join(names))


def _paused(state: Game, words: Speaker) -> Iterator[str]:
    """Yield the text that the table is paused within a round.

    Between two rounds the result shows it.
    """
    if _pauses(state):
        yield paused_text(state, words)


def _pauses(state: Game) -> bool:
    """Return whether the table is paused within a round."""
    return state.running and state.timers.paused and not state.between_rounds


def _laid(state: Game, view: View, words: Speaker) -> Iterator[str]:
    """Return the last two plays, and the points in the trick.

    The previous play is small, the play to beat large.
    """
    say = words.say
    if view.top is None or view.phase not in PLAY_PHASES:
        return
    plays = [step for step in view.trick if step.combination is not None]
    for step in plays[-2:-1]:
        before = words.combination_cards(step.combination) if step.combination is not None else ""
        yield f"-# {before} {step_text(state, step, words)}"
    yield f"## {words.combination_cards(view.top)}"
    name = seat_name(state, view.top_seat, words)
    by = say.labelled(name, f"**{words.combination(view.top)}**")
    if view.trick_points:
        points = view.trick_points
        by += " · " + say.many("{n} point in the trick", "{n} points in the trick", points)
    yield by


def _who_takes_it(name: str, words: Speaker, *, gift: bool) -> str:
    """Return the player who takes the trick after all others passed.

    It is shown until the next lead.
    """
    if gift:
        return words.say("{name} must give the Dragon trick away.", name=name)
    return words.say("All passed – {name} takes it.", name=name)


def _last_trick(state: Game, view: View, words: Speaker) -> str:
    """Return the end of the last trick, until the next lead."""
    if view.trick or not view.past:
        return ""
    last = view.past[-1]
    return trick_end(state, last.winner, last.given_to, words)


def step_text(state: Game, step: TrickStep, words: Speaker) -> str:
    """Return one play or pass in words."""
    name = seat_name(state, step.seat, words)
    if step.combination is None:
        return words.say("{name} passes", name=name)
    play = words.say.labelled(name, words.combination(step.combination))
    if step.wish is not None:
        play += " · " + words.say("wishes {rank}", rank=words.rank(step.wish))
    return play


def trick_end(state: Game, winner: Seat, given_to: Seat | None, words: Speaker) -> str:
    """Return the sentence on who took a finished trick."""
    say = words.say
    if winner < 0:  # the trick is a Dog, which nobody wins
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
