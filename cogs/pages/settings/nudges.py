"""The page of ``/tichu settings`` for nudges, invitations and quiet hours."""

from __future__ import annotations

from datetime import datetime

from bot.records import Minute, NudgeWay, PersonalSettings
from bot.runtime.zones import place
from bot.table.quiet_hours import zone_of
from bot.text import Say
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, line, option, row, text
from cogs.pages.settings.sections import section_buttons
from cogs.pages.verbs import Verb

_CONTROLS = Controls()
_MINUTES_PER_HOUR = 60
NO_QUIET_HOURS = "none"
"""The select's value for no quiet hours."""


def nudges_page(
    personal: PersonalSettings, now: datetime, speaker: Speaker, *, manages: bool
) -> Page:
    """Return the page of a person's settings for nudges; `now` is the current time."""
    say = speaker.say
    return Page(
        text("## " + say("Settings")),
        *section_buttons("calls", say, manages=manages),
        *_nudge_way_parts(personal.nudge_way, say),
        line(),
        *_invitation_parts(say, on=personal.invitations),
        line(),
        *_quiet_hours_parts(personal, now, say),
    )


def _nudge_way_parts(chosen: NudgeWay, say: Say) -> list[Part]:
    """Return the text and select for the way in which the person is nudged."""
    effects: dict[NudgeWay, str] = {
        "mention": say("I'll mention you in the channel."),
        "direct": say("I'll send you a direct message."),
        "none": say("I won't call you. If a turn takes you too long, a computer plays it."),
    }
    names: dict[NudgeWay, str] = {
        "mention": say("Mention in the channel"),
        "direct": say("Direct message"),
        "none": say("Not at all"),
    }
    lines = ["### " + say("When a table is waiting for you"), effects[chosen]]
    return [
        text("\n".join(lines)),
        _CONTROLS.select(
            Verb.NUDGE_WAY,
            say("How I call you…"),
            [option(name, value, default=value == chosen) for value, name in names.items()],
        ),
    ]


def _invitation_parts(say: Say, *, on: bool) -> list[Part]:
    """Return the text and switch for invitations by others."""
    current = (
        say("Others can invite you to their table, with one mention.")
        if on
        else say("Nobody can invite you to a table.")
    )
    return [
        text("### " + say("Invitations") + "\n" + current),
        row(_CONTROLS.switch(Verb.INVITATIONS, say("Invitations"), on=on)),
    ]


def _quiet_hours_parts(personal: PersonalSettings, now: datetime, say: Say) -> list[Part]:
    """Return the text and selects of quiet hours, in the person's time zone."""
    zone = zone_of(personal.zone)
    local = now.astimezone(zone)

    def time_markup(minute: Minute) -> str:
        """Return the markup of a time of day, which Discord formats for the reader."""
        time = local.replace(
            hour=minute // _MINUTES_PER_HOUR,
            minute=minute % _MINUTES_PER_HOUR,
            second=0,
            microsecond=0,
        )
        return f"<t:{int(time.timestamp())}:t>"

    begin, end = personal.quiet or (None, None)
    if begin is None or end is None:
        current = say("None: I may call you at any time.")
    else:
        current = say(
            "From {begin} to {end} I won't call you, and at turn-based tables your clock stops "
            "(from your next turn on).",
            begin=time_markup(begin),
            end=time_markup(end),
        )
    zone_line = say(
        "Time zone: `{zone}`, where it's {time} now. To change it: `/tichu settings zone:`",
        zone=place(personal.zone, say.language),
        time=f"{local:%H:%M}",
    )
    hours = [(str(hour * _MINUTES_PER_HOUR), f"{hour:02}:00") for hour in range(24)]
    parts = [
        text("\n".join(("### " + say("Quiet hours"), current, zone_line))),
        _CONTROLS.select(
            Verb.QUIET,
            say("Quiet from…"),
            [
                option(say("No quiet hours"), NO_QUIET_HOURS, default=begin is None),
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
