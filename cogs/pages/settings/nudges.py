"""The page of ``/tichu settings`` for nudges, invitations, quiet hours and the reminder."""

from __future__ import annotations

from datetime import datetime

from bot.records import Minute, NudgeWay, PersonalSettings
from bot.runtime.zones import place
from bot.table.quiet_hours import quiet_until, utc_time, zone_of
from bot.text import Say
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, line, option, row, text
from cogs.pages.settings.sections import section_buttons
from cogs.pages.verbs import Verb

_CONTROLS = Controls()
_MINUTES_PER_HOUR = 60
NO_QUIET_HOURS = NO_REMINDER = "none"
"""Values of the selects for no quiet hours, and for no reminder."""


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
        line(),
        *_reminder_parts(personal, now, say),
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
    local = now.astimezone(zone_of(personal.zone))
    begin, end = personal.quiet or (None, None)
    if begin is None or end is None:
        current = say("None: I may call you at any time.")
    else:
        current = say(
            "From {begin} to {end} I won't call you, and at turn-based tables your clock stops "
            "(from your next turn on).",
            begin=_time_markup(begin, local),
            end=_time_markup(end, local),
        )
    zone_line = say(
        "Time zone: `{zone}`, where it's {time} now. To change it: `/tichu settings zone:`",
        zone=place(personal.zone, say.language),
        time=f"{local:%H:%M}",
    )
    parts = [
        text("\n".join(("### " + say("Quiet hours"), current, zone_line))),
        _CONTROLS.select(
            Verb.QUIET,
            say("Quiet from…"),
            [
                option(say("No quiet hours"), NO_QUIET_HOURS, default=begin is None),
                *_hour_options(begin),
            ],
            "from",
        ),
    ]
    if end is not None:
        parts.append(
            _CONTROLS.select(
                Verb.QUIET,
                say("Quiet until…"),
                _hour_options(end),
                "until",
            )
        )
    return parts


def _reminder_parts(personal: PersonalSettings, now: datetime, say: Say) -> list[Part]:
    """Return the text and select of the reminder of the deal of the day."""
    minute, lines = personal.daily_reminder, ["### " + say("Deal of the day")]
    if minute is None:
        lines.append(say("No reminder."))
    else:
        local = now.astimezone(zone_of(personal.zone))
        lines.append(
            say(
                "If you haven't begun the deal of the day by {time}, I'll remind you by a direct "
                "message.",
                time=_time_markup(minute, local),
            )
        )
        if quiet_until(personal, utc_time(local.date(), minute, zone_of(personal.zone))):
            lines.append("⚠️ " + say("That's in your quiet hours, so I'll be silent."))
    lines += refused_reminder(personal, say)
    return [
        text("\n".join(lines)),
        _CONTROLS.select(
            Verb.DAILY_REMINDER,
            say("Remind me of the deal of the day…"),
            [
                option(say("No reminder"), NO_REMINDER, default=minute is None),
                *_hour_options(minute),
            ],
        ),
    ]


def refused_reminder(personal: PersonalSettings, say: Say) -> list[str]:
    """Return the sentence that the reminder was turned off by a refused message, if it was."""
    if not personal.reminder_refused:
        return []
    return [
        "⚠️ "
        + say(
            "Discord didn't let me send you a direct message, so I've turned off the reminder of "
            "the deal of the day. Allow direct messages on a server where I am, then choose a time "
            "again."
        )
    ]


def _time_markup(minute: Minute, local: datetime) -> str:
    """Return the markup of a time of a local day, which Discord formats for the reader."""
    time = local.replace(
        hour=minute // _MINUTES_PER_HOUR,
        minute=minute % _MINUTES_PER_HOUR,
        second=0,
        microsecond=0,
    )
    return f"<t:{int(time.timestamp())}:t>"


def _hour_options(chosen: Minute | None) -> list[Part]:
    """Return an option for each hour of the day."""
    hours = ((str(hour * _MINUTES_PER_HOUR), f"{hour:02}:00") for hour in range(24))
    return [option(name, value, default=value == str(chosen)) for value, name in hours]
