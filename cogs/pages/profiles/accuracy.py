"""The accuracy of a person in one game, and that of the people on a server who compare it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import discord

from bot.coach.accuracy import (
    CONFIDENCE,
    FEWEST_DECISIONS,
    FEWEST_ROUNDS,
    MOST_ROUNDS,
    Accuracy,
    MeanCost,
    Standing,
)
from bot.ids import UserId
from bot.text import Say
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, gallery, line, row, text
from cogs.pages.names import name_or_mention
from cogs.pages.profiles.profile import ProfileQuery, profile_heading
from cogs.pages.verbs import Verb
from players.coach.decisions import Kind

ACCURACY_FILE = "accuracy.png"
"""The name of the attachment with the chart."""
MOST_COMPARED = 10
"""Largest number of people in a comparison, beside the reader."""
_CONTROLS = Controls()
_ACCENT = discord.Colour(0x2F6F4F)


def accuracy_page(
    query: ProfileQuery,
    accuracy: Accuracy,
    speaker: Speaker,
    *,
    own: bool,
    compares: bool = False,
    alt: str | None = None,
) -> Page:
    """Return the accuracy of a person in the game of the query, which is not `None`.

    Only its owner sees the kinds of decisions. With `compares` a button leads to the comparison.
    `alt` is the alternative text of the chart; if it is given, `ACCURACY_FILE` must be attached.
    """
    say = speaker.say
    items: list[Part] = [text(profile_heading(query.user_id, _game(query), speaker))]
    if alt is not None:
        items.append(gallery(ACCURACY_FILE, alt))
    blocks = [_overall_block(accuracy, say, own=own)]
    if own and accuracy.overall is not None:
        blocks += [_kinds_block(accuracy, say), _practice_text(accuracy, say)]
    for block in blocks:
        items += [line(), text(block)]
    buttons = [_button(Verb.PROFILE, say("Back"), query)]
    if compares:
        buttons.append(_button(Verb.ACCURACY_LIST, say("Compare on this server"), query))
    return Page(*items, text(_source_text(say)), row(*buttons), accent=_ACCENT)


def comparison_page(
    query: ProfileQuery,
    standings: Sequence[Standing],
    names: Mapping[UserId, str],
    speaker: Speaker,
) -> Page:
    """Return the people of a server who compare their accuracy, the reader marked.

    The query is the reader's.
    """
    say, reader = speaker.say, query.user_id
    lines = [
        _standing_line(place, each, names, speaker, is_reader=each.user_id == reader)
        for place, each in enumerate(standings, start=1)
        if place <= MOST_COMPARED or each.user_id == reader
    ]
    head = f"## {say('Accuracy')}\n-# {say('this server')} · {speaker.variant(_game(query))}"
    blocks = [
        "\n".join(lines) or say("Nobody here has enough reviewed rounds yet."),
        _method_text(say),
    ]
    if all(each.user_id != reader for each in standings):
        blocks.insert(
            1,
            say(
                "You're on this list once you have {rounds} reviewed rounds and {decisions} "
                "decisions here.",
                rounds=say.number(FEWEST_ROUNDS),
                decisions=say.number(FEWEST_DECISIONS),
            ),
        )
    items = [part for block in blocks for part in (line(), text(block))]
    return Page(text(head), *items, row(_button(Verb.ACCURACY, say("Back"), query)), accent=_ACCENT)


def _game(query: ProfileQuery) -> str:
    assert query.variant is not None
    return query.variant


def _button(verb: Verb, label: str, query: ProfileQuery) -> Part:
    return _CONTROLS.button(verb, label, query.to_args())


def _overall_block(accuracy: Accuracy, say: Say, *, own: bool) -> str:
    """Return the mean cost of a decision and its change, or that it is too early."""
    share = say.percent(CONFIDENCE)
    lines = [f"### {say('Accuracy')}"]
    cost = accuracy.overall
    counts = " · ".join(
        (
            say.many("{n} decision", "{n} decisions", accuracy.decisions),
            say.many("{n} reviewed round", "{n} reviewed rounds", accuracy.rounds),
        )
    )
    if cost is None:
        lines += [_too_early_text(say), f"-# {counts}"]
        if own:
            lines.append(say("Have your rounds reviewed: **/tichu replay**, then **Review**."))
        return "\n".join(lines)
    low, high = (say.decimal(_points(end)) for end in cost.interval)
    lines += [
        say(
            "**Points lost per decision: about {points}** ({low} to {high})",
            points=say.decimal(_points(cost.mean)),
            low=low,
            high=high,
        ),
        f"-# {counts} · {say('{share} interval', share=share)}",
    ]
    if accuracy.halves is not None:
        earlier, later = accuracy.halves
        lines.append(
            say(
                "Over time: first half of the rounds {earlier}, second half {later}",
                earlier=_with_margin(earlier, say),
                later=_with_margin(later, say),
            )
        )
    return "\n".join(lines)


def _kinds_block(accuracy: Accuracy, say: Say) -> str:
    """Return the mean cost and the number of each kind of decision."""
    names, lines, rare = kind_names(say), [], []
    for kind, cost in accuracy.kinds.items():
        if cost is None:
            rare.append(names[kind])
            continue
        times = f"{say.number(cost.decisions)}×"
        lines.append(say.labelled(names[kind], f"{_with_interval(cost, say)} · {times}"))
    if rare:
        lines.append("-# " + say.labelled(say("Too rare to say"), ", ".join(rare)))
    return "\n".join([f"### {say('By kind of decision')}", *lines])


def _practice_text(accuracy: Accuracy, say: Say) -> str:
    """Return what is worth practising, if that is sure."""
    practice = accuracy.practice
    if practice is None:
        return say("What to practise: no kind of decision clearly costs you the most.")
    return say(
        "What to practise: **{kind}** (points lost per round: {points}, clearly the most).",
        kind=kind_names(say)[practice.kind],
        points=say.decimal(_points(practice.per_round)),
    )


def kind_names(say: Say) -> dict[Kind, str]:
    """Return the names of the kinds of decisions, in the order of a round."""
    return {
        "call": say.sense("a kind of decision", "Calls"),
        "exchange": say.sense("a kind of decision", "Exchange"),
        "lead": say.sense("a kind of decision", "Leads"),
        "follow": say.sense("a kind of decision", "Beating a play"),
        "pass": say.sense("a kind of decision", "Passes"),
        "bomb": say.sense("a kind of decision", "Bombs"),
        "gift": say.sense("a kind of decision", "Dragon gifts"),
    }


def _too_early_text(say: Say) -> str:
    return say(
        "Too early to say: it takes {rounds} reviewed rounds and {decisions} decisions.",
        rounds=say.number(FEWEST_ROUNDS),
        decisions=say.number(FEWEST_DECISIONS),
    )


def _source_text(say: Say) -> str:
    """Return the meaning and the origin of the numbers."""
    return "-# " + say(
        "Points lost against the Expert's choice: the lower, the better. From reviewed rounds on "
        "this server, the last {n} at most; rounds with hints don't count.",
        n=say.number(MOST_ROUNDS),
    )


def _method_text(say: Say) -> str:
    """Return the meaning and the method of a comparison."""
    return "-# " + say(
        "Points lost per decision, with {share} intervals (jackknife over rounds): the lower, the "
        "better. A lead could be chance if the interval of the difference, corrected for the "
        "number of people (Bonferroni), reaches 0. Only people who allow it are here.",
        share=say.percent(CONFIDENCE),
    )


def _standing_line(
    place: int, each: Standing, names: Mapping[UserId, str], speaker: Speaker, *, is_reader: bool
) -> str:
    """Return the line of a person in a comparison; the reader's is marked."""
    say = speaker.say
    name = name_or_mention(names.get(each.user_id, ""), each.user_id)
    rounds = say.many("{n} round", "{n} rounds", each.cost.rounds)
    entry = f"**{say.number(place)}.** **{name}** · {_with_interval(each.cost, say)} · {rounds}"
    if each.within_chance:
        # Translators: the first place may be no better than this person
        entry += " · " + say("#1's lead could be chance")
    return f"{speaker.art.icon('turn')} {entry}" if is_reader else entry


def _with_interval(cost: MeanCost, say: Say) -> str:
    """Return a mean with its interval, such as “**2.1** (1.6 to 2.6)”."""
    low, high = (say.decimal(_points(end)) for end in cost.interval)
    interval = say("{low} to {high}", low=low, high=high)
    return f"**{say.decimal(_points(cost.mean))}** ({interval})"


def _with_margin(cost: MeanCost, say: Say) -> str:
    return f"{say.decimal(_points(cost.mean))} ± {say.decimal(_points(cost.margin))}"


def _points(value: float) -> float:
    """Return points as they are shown; never a negative zero."""
    return round(value, 1) + 0.0
