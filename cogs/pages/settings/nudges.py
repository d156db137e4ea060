"""The page of ``/tichu settings`` for nudges, invitations and quiet hours."""

from __future__ import annotations

from datetime import datetime

from bot.records import Minute, NudgeWay, PersonalSettings
from bot.runtime.zones import place
from bot.table.quiet_hours import zone_of
from bot.text import Say
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, line, option, row, text
from cogs.pages.settings.sections import sections
from cogs.pages.verbs import Verb

_CONTROLS = Controls()
_HOUR = 60
"""Minutes in an hour."""
NO_QUIET = "none"
"""The select's value for no quiet hours."""


def nudges_page(
    personal: PersonalSettings, now: datetime, speaker: Speaker, *, manages: bool
) -> Page:
    """Return the nudge settings of a person; `now` is the time of the request."""
    say = speaker.say
    return Page(
        text("## " + say("Settings")),
        *sections("calls", say, manages=manages),
        *_nudge_way(personal.nudge_way, say),
        line(),
        *_invitations(say, on=personal.invitations),
        line(),
        *_quiet_hours(personal, now, say),
    )


def _nudge_way(chosen: NudgeWay, say: Say) -> list[Part]:
    """Return the select of the way they are nudged when it is their turn."""
    says: dict[NudgeWay, str] = {
        "mention": say("I'll mention you in the channel."),
        "direct": say("I'll send you a direct message."),
        "none": say("I won't call you. If a turn takes you too long, a computer plays it."),
    }
    names: dict[NudgeWay, str] = {
        "mention": say("Mention in the channel"),
        "direct": say("Direct message"),
        "none": say("Not at all"),
    }
    words = ["### " + say("When a table is waiting for you"), says[chosen]]
    return [
        text("\n".join(words)),
        _CONTROLS.select(
            Verb.NUDGE_WAY,
            say("How I call you…"),
            [option(name, value, default=value == chosen) for value, name in names.items()],
        ),
    ]


def _invitations(say: Say, *, on: bool) -> list[Part]:
    """Return the switch that lets others invite them."""
    now = (
        say("Others can invite you to their table, with one mention.")
        if on
        else say("Nobody can invite you to a table.")
    )
    return [
        text("### " + say("Invitations") + "\n" + now),
        row(_CONTROLS.switch(Verb.INVITATIONS, say("Invitations"), on=on)),
    ]


def _quiet_hours(personal: PersonalSettings, now: datetime, say: Say) -> list[Part]:
    """Return the selects of the hours without nudges, in their time zone."""
    zone = zone_of(personal.zone)
    local = now.astimezone(zone)

    def shown(minute: Minute) -> str:
        """Return a time of the day, as Discord writes it for the reader."""
        at = local.replace(hour=minute // _HOUR, minute=minute % _HOUR, second=0, microsecond=0)
        return f"<t:{int(at.timestamp())}:t>"

    begin, end = personal.quiet or (None, None)
    if begin is None or end is None:
        quiet = say("None: I may call you at any time.")
    else:
        quiet = say(
            "From {begin} to {end} I won't call you, and at turn-based tables your clock stops "
            "(from your next turn on).",
            begin=shown(begin),
            end=shown(end),
        )
    where = say(
        "Time zone: `{zone}`, where it's {time} now. To change it: `/tichu settings zone:`",
        zone=place(personal.zone, say.language),
        time=f"{local:%H:%M}",
    )
    hours = [(str(hour * _HOUR), f"{hour:02}:00") for hour in range(24)]
    parts = [
        text("\n".join(("### " + say("Quiet hours"), quiet, where))),
        _CONTROLS.select(
            Verb.QUIET,
            say("Quiet from…"),
            [
                option(say("No quiet hours"), NO_QUIET, default=begin is None),
                *(option(name, value, default=value == str(begin)) for value, name in hours),
            ],
            "from",
        ),
    ]
    if end is not None:
        parts.append(
            _CONTROLS.select(
                Verb.QUIET,
                say("Quiet until…"),
                [option(name, value, default=value == str(end)) for value, name in hours],
                "until",
            )
        )
    return parts
