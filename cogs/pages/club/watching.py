"""The private page on which everybody follows the tables of an event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from bot.club.event import ClubEvent, EventMatch
from bot.text.cards import Speaker
from cogs.pages.club.event import CONTROLS, ShownEvent, match_name, match_names, round_label
from cogs.pages.club.matches import match_state
from cogs.pages.controls import GOLD, MOST_CHOSEN, Page, length, option, row, text
from cogs.pages.names import safe
from cogs.pages.verbs import Verb

_LONGEST: Final = 3400
"""Largest number of characters of the list of tables."""


class _Watched(NamedTuple):
    """A match whose table was opened."""

    name: str
    """Name of the table, and of the round of a tournament."""
    match: EventMatch
    """The match."""


def watch_page(shown: ShownEvent, words: Speaker) -> Page:
    """Return the tables of an event: links and scores, and their finished rounds to replay."""
    event, say = shown.event, words.say
    watched = list(_watched(event, words))
    watched.sort(key=lambda each: each.match.result is not None)
    lines, left = list[str](), _LONGEST
    for each in watched[:MOST_CHOSEN]:
        has_result = each.match.result is not None and not event.settings.options.teams
        state = [] if has_result else match_state(shown, each.match, say)
        head = " · ".join((f"**{each.name}**", *state))
        line = f"{head}\n{match_names(event, each.match, words)}"
        left -= length(line) + 1
        if left < 0:
            break
        lines.append(line)
    items = [text(f"### 👀 {safe(event.settings.title)}"), text("\n".join(lines) or "…")]
    rounds = [
        option(each.name, str(each.match.table_id))
        for each in watched[:MOST_CHOSEN]
        if _has_rounds(shown, each.match)
    ]
    if rounds:
        items.append(CONTROLS.select(Verb.MATCH, say("Replay a table's rounds"), rounds, "0"))
    refresh = CONTROLS.button(Verb.EVENT_WATCH, say("Refresh"), str(event.id), emoji="🔄")
    return Page(*items, row(refresh), accent=GOLD)


def _watched(event: ClubEvent, words: Speaker) -> Iterator[_Watched]:
    """Yield the matches whose tables were opened, those of the last round first."""
    for number in range(len(event.rounds), 0, -1):
        for position, match in enumerate(event.rounds[number - 1].matches):
            if match.table_id is not None:
                name = match_name(event, position, words)
                if event.settings.is_tournament:
                    name = f"{round_label(event, number, words)} · {name}"
                yield _Watched(name, match)


def _has_rounds(shown: ShownEvent, match: EventMatch) -> bool:
    """Return whether a table has finished rounds."""
    if match.result is not None:
        return match.result.ending == "played"
    rounds, _ = shown.scores.get(match.table_id, (0, ())) if match.table_id else (0, ())
    return rounds > 0
