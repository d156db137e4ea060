"""Sentences for refusals at events of clubs, by reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.errors import Reason
from bot.text import Say
from bot.text.people import mention
from engine import Reason as RuleReason

PLAIN: Mapping[Reason | RuleReason, Callable[[Say], str]] = {
    Reason.DATE_CHOSEN: lambda say: say("The date is chosen already."),
    Reason.DATE_PAST: lambda say: say("That time has passed. Choose one in the future."),
    Reason.DATE_TOO_FAR: lambda say: say(
        "That's more than a year from now. Choose an earlier time."
    ),
    Reason.ENTRANTS_ONLY: lambda say: say("Only players of this event can sit at this table."),
    Reason.EVENT_BEGUN: lambda say: say("The matches have begun, so the tables stay as they are."),
    Reason.EVENT_DRAWN: lambda say: say(
        "The tables are drawn already. If a computer sits at one, you can take its seat."
    ),
    Reason.EVENT_OVER: lambda say: say("This event is over."),
    Reason.EVENT_PAUSED: lambda say: say("The tournament is paused. Press **Continue** first."),
    Reason.FIXTURE_NOT_DUE: lambda say: say(
        "This match can still be played. You can decide it when its week is over."
    ),
    Reason.FIXTURE_OVER: lambda say: say("This match is decided already."),
    Reason.MORNING_OR_EVENING: lambda say: say(
        "In the morning or in the evening? Write the hour like 08:00 or 20:00, or with am or pm."
    ),
    Reason.NOBODY_IS_IN: lambda say: say("Nobody is in yet, so there are no tables to draw."),
    Reason.NOT_YOUR_MATCH: lambda say: say("Only the people of this match can open its table."),
    Reason.NO_SUCH_EVENT: lambda say: say("This server has no such event."),
    Reason.NOT_IN_TOURNAMENT: lambda say: say("You don't play in this event."),
    Reason.PARTNER_NOT_IN: lambda say: say(
        "They haven't signed up yet. Once they have, you can name each other."
    ),
    Reason.ROUND_BEGUN: lambda say: say("This round has begun, so its pairings stay as they are."),
    Reason.SAME_CARDS_OPTIONS: lambda say: say(
        "With `same-cards`, eight people play live in the game for four, so leave out `variant`, "
        "`computers`, `target`, `pace`, `hints`, `two-decks` and `thread: False`."
    ),
    Reason.SHARED_DEALS: lambda say: say(
        "Other tables play the same deals, so nobody can add a word."
    ),
    Reason.TABLE_OF_EVENT: lambda say: say(
        "This table belongs to an event, so its seats and options stay as they are."
    ),
    Reason.TOURNAMENT_DRAWN: lambda say: say(
        "The pairs are drawn already. You can still offer to be a substitute."
    ),
}
"""Sentences without details."""
DETAILED: Mapping[Reason | RuleReason, Callable[[Say, Mapping[str, Any]], str]] = {
    Reason.DATE_UNREADABLE: lambda say, details: say(
        "I can't tell when that is. Write it like “{first}” or “{second}”.",
        first=details["examples"][0],
        second=details["examples"][1],
    ),
    Reason.FEW_PAIRS: lambda say, details: say(
        "It takes at least {least} pairs. Not enough people are in yet.",
        least=say.number(details["least"]),
    ),
    Reason.MANY_EVENTS: lambda say, details: say.many(
        "This server already has {n} open event. Finish or cancel it first.",
        "This server already has {n} open events. Finish or cancel one first.",
        details["limit"],
    ),
    Reason.ORGANISER_ONLY: lambda say, details: say(
        "Only {organiser} and moderators can do that.",
        organiser=mention(details["organiser"]),
    ),
    Reason.TOURNAMENT_FULL: lambda say, details: say(
        "All places are taken: {most} people are in. You can be a substitute.",
        most=say.number(details["most"]),
    ),
}
"""Sentences with details of the refusal."""
