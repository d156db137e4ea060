"""Dates as people write them in the bot's languages: "Fri 8pm", "4.12. 20:00", "in 2 hours".

A text is read in the reader's language, else in English. The names of weekdays and months are those
of CLDR. What has no reading or several ones is refused with two examples.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import chain, count, product
from typing import Final, NamedTuple

from babel import Locale
from babel.dates import format_skeleton, format_time

from bot.club.settings import EventSettings
from bot.errors import Reason, Refused
from bot.table.quiet_hours import utc_time, zone_of

LONGEST_DATE: Final = 60
"""Largest number of characters of a text that is read."""
_FARTHEST: Final = timedelta(days=366)
_NEXT_YEAR: Final = timedelta(days=300)
"""Time ahead up to which a day without a year is one of next year; otherwise it is past."""
_YEARS: Final = range(2000, 2100)

_TIME: Final = re.compile(
    r"(?:(?P<before>(?<!\w)(?:at|um|ab|alle ore|alle|ore|a las?|as?|об?) |@ ?))?"
    r"(?<![\w.:/-])(?P<hour>\d{1,2})"
    r"(?:(?P<sign>[:.h]| ?uhr )(?P<minute>\d{2}))?"
    r"(?P<unit> ?(?:uhr|hours?|heures?|horas?|ore|oclock|h|год(?:ин[аиіу])?)(?!\w))?"
    r"(?: ?(?P<half>[ap])\.?m(?!\w)\.?)?(?!\w)"
)
"""Time of the day in a normalized text; also other numbers, which `_time_in` leaves out."""
_HOURS: Final = r"(?:h|hrs?|hours?|std|stunden?|heures?|or[ae]|horas?|год(?:ин[аиу])?)\.?"
_MINUTES: Final = r"(?:m|mins?|minut(?:e[ns]?|[io]|os)|хв(?:илин[аиу]?)?)\.?"
_IN: Final = r"(?:in|dans|tra|fra|en|dentro de|em|daqui a|за|через) "
_AHEAD: Final = re.compile(
    rf"(?:{_IN})?(?P<minutes>\d{{1,3}}) ?{_MINUTES}"
    rf"|{_IN}(?P<hours>\d{{1,3}}) ?{_HOURS}(?: ?(?P<more>\d{{1,2}})(?: ?{_MINUTES})?)?"
)
"""Time from now in a normalized text; "20h" is a time of the day."""
_TOKEN: Final = re.compile(
    r"(?P<iso>\d{4}-\d{1,2}-\d{1,2})(?!\w)"
    r"|(?P<date>\d{1,2}(?P<dot>[./])\d{1,2}(?:(?P=dot)(?:\d{4}|\d{2}(?!\d)))?)(?!\w)"
    r"|(?P<word>\w+)"
)
_ORDERS: Final = re.compile(r"W?(N|DMY?|R)?|(N|DMY?|R)W")
_ENGLISH_ORDERS: Final = re.compile(r"W?(N|DMY?|MDY?|R)?|(N|DMY?|MDY?|R)W")
"""Orders of the kinds of words, as in `_Meaning`."""


_WIDTHS: Final = {"wide", "abbreviated", "short"}
"""Lengths of names in CLDR; single letters have several meanings."""
_WORDS: Final = {
    "en": {
        "R0": "today",
        "R1": "tomorrow",
        "R2": "day after tomorrow",
        "am": "morning",
        "pm": "afternoon, evening, tonight, night",
        "": "on, of, the, this, in",
    },
    "de": {
        "R0": "heute",
        "R1": "morgen",
        "R2": "übermorgen",
        "W5": "sonnabend",
        "am": "morgens, früh, vormittag, vormittags",
        "pm": "abend, abends, nachmittag, nachmittags",
        "": "am, der, den, dem, diesen, dieser",
    },
    "fr": {
        "R0": "aujourd'hui",
        "R1": "demain",
        "R2": "après-demain",
        "am": "matin",
        "pm": "soir",
        "": "le, ce, du, de",
    },
    "it": {
        "R0": "oggi",
        "R1": "domani",
        "R2": "dopodomani",
        "am": "mattina, mattino",
        "pm": "pomeriggio, sera, stasera",
        "": "il, lo, di, del, della, questo, questa",
    },
    "es": {
        "R0": "hoy",
        "R1": "mañana",
        "R2": "pasado mañana",
        "am": "de la mañana",
        "pm": "tarde, noche",
        "": "el, este, esta, de, del, la, por",
    },
    "pt": {
        "R0": "hoje",
        "R1": "amanhã",
        "R2": "depois de amanhã",
        "am": "manhã",
        "pm": "tarde, noite",
        "": "feira, de, da, do, dia, no, na, este, esta, neste, nesta",
    },
    "uk": {
        "R0": "сьогодні",
        "R1": "завтра",
        "R2": "післязавтра",
        "am": "ранку, вранці",
        "pm": "вечора, ввечері, увечері",
        "": "у, в, на, цю, цей, го, й",
    },
}
"""Words of dates by language and meaning: a `_Meaning`, a part of the day, or nothing."""


class _Meaning(NamedTuple):
    """Meaning of a word."""

    kind: str
    """Weekday W, month M, day from today R, day D, year Y, date N, hours to add h, or nothing."""
    value: tuple[int, ...] = ()
    """Its number; of a date year, month and day, with the year 0 if it has none."""


def read_date(text: str, zone: str, language: str, now: datetime) -> datetime:
    """Return the future time (UTC) that a person wrote, in their time zone.

    A time that the clocks skip is an hour later; of a repeated one it is the first. Raises
    `Refused` if the text is unclear, or the time is past or more than a year ahead.
    """
    local_now, plain = now.astimezone(zone_of(zone)), _normalized(text)
    found = set(_ahead(plain, now))
    for each in dict.fromkeys((re.split("[-_]", language)[0], "en")):
        found = found or set(_readings(plain, each, local_now))
    if len(found) != 1:
        raise Refused(Reason.DATE_UNREADABLE, examples=examples(zone, language, now))
    (at,) = found
    if at <= now:
        raise Refused(Reason.DATE_PAST)
    if at > now + _FARTHEST:
        raise Refused(Reason.DATE_TOO_FAR)
    return at


def repeated(settings: EventSettings, begins_at: datetime, after: datetime) -> EventSettings:
    """Return the settings of an event that is repeated in the first later week after a time.

    It begins at the same local time, also after a week in which the clocks skipped that time.
    """
    zone, minute = zone_of(settings.zone), settings.minute
    local = begins_at.astimezone(zone)
    if minute is None:
        minute = local.hour * 60 + local.minute
    weeks = (utc_time(local.date() + timedelta(days=7 * n), minute, zone) for n in count(1))
    date = next(each for each in weeks if each > after)
    return settings.model_copy(update={"dates": (date,), "minute": minute})


def examples(zone: str, language: str, now: datetime) -> tuple[str, str]:
    """Return two dates as a person may write them."""
    day = now.astimezone(zone_of(zone)).replace(hour=20, minute=0) + timedelta(days=5)
    locale = language.replace("-", "_")
    time = format_time(day.time(), "short", locale=locale)
    weekday, month = (format_skeleton(each, day, locale=locale) for each in ("E", "MMMd"))
    return f"{weekday} {time}", f"{month} {time}"


def _normalized(text: str) -> str:
    """Return a text in lower case without accents, apostrophes, commas and needless spaces."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(each for each in parts if not unicodedata.combining(each) and each not in "'’ʼ")
    return " ".join(re.sub(r",|(?<=[^\W\d])-(?=[^\W\d])", " ", plain).split())


def _ahead(text: str, now: datetime) -> Iterator[datetime]:
    """Yield the time that a normalized text like "in 30 minutes" means, a whole minute."""
    if (match := _AHEAD.fullmatch(text)) is not None:
        hours, minutes = match["hours"] or 0, match["minutes"] or match["more"] or 0
        after = timedelta(hours=int(hours), minutes=int(minutes))
        yield (now + after).astimezone(UTC).replace(second=0, microsecond=0)


def _readings(text: str, language: str, now: datetime) -> Iterator[datetime]:
    """Yield the times that a normalized text can mean in a language."""
    if language == "de":
        text = re.sub(r"\bam\b", "", text)  # "20:00 am Freitag"
    time = _time_in(text)
    if time is None or len(text) > LONGEST_DATE or language not in _WORDS:
        return
    rest = f"{text[: time.start()]} {text[time.end() :]}"
    for phrase in _words(language):
        if " " in phrase:
            rest = rest.replace(phrase, phrase.replace(" ", "_"))
    tokens = [_meanings(token, language) for token in _TOKEN.finditer(rest)]
    orders = _ENGLISH_ORDERS if language == "en" else _ORDERS
    for meanings in product(*tokens):
        if orders.fullmatch("".join(each.kind for each in meanings).replace("h", "")):
            values = {each.kind: each.value for each in meanings}
            minute = _minute_of_day(time, values.get("h"))
            if minute is not None and (at := _time_at(values, minute, now)) is not None:
                yield at


def _time_in(text: str) -> re.Match[str] | None:
    """Return the first time of the day in a normalized text; a second one is no part of a date."""
    found = list(_TIME.finditer(text))
    certain = [each for each in found if _is_time(each)]
    after_at = [each for each in found if each["before"] and not each["sign"]]
    return next(iter(certain or after_at), None)


def _is_time(found: re.Match[str]) -> bool:
    """Return whether a number is a time: "20.30", "at 20.10" and "20:10" are, "20.10" is not."""
    if found["unit"] or found["half"] or found["sign"] != ".":
        return bool(found["unit"] or found["half"] or found["sign"])
    return bool(found["before"]) or not 1 <= int(found["minute"]) <= 12


def _minute_of_day(time: re.Match[str], added: tuple[int, ...] | None) -> int | None:
    """Return the minute of the day; `added` are the hours that a word adds, as "evening" does."""
    digits, hour, minute = time["hour"], int(time["hour"]), int(time["minute"] or 0)
    if time["half"] and hour in range(1, 13):
        hour = hour % 12 + 12 * (time["half"] == "p")
    elif time["half"]:
        return None
    elif added is not None:
        if hour not in (range(5, 12) if added[0] == 0 else (*range(1, 12), *range(13, 24))):
            return None
        hour += added[0] * (hour < 12)
    elif hour in range(1, 12) and not (len(digits) == 2 and (time["minute"] or digits[0] == "0")):
        raise Refused(Reason.MORNING_OR_EVENING)
    return hour * 60 + minute if hour < 24 and minute < 60 else None


def _time_at(values: dict[str, tuple[int, ...]], minute: int, now: datetime) -> datetime | None:
    """Return the time of a reading, or `None` if there is no such day."""
    today, zone = now.date(), now.tzinfo
    assert zone is not None
    days: Iterable[date]
    if "W" in values and len(values.keys() - {"", "h"}) == 1:
        (weekday,) = values["W"]
        first = today + timedelta(days=(weekday - today.weekday()) % 7)
        days = [first] if utc_time(first, minute, zone) > now else [first + timedelta(days=7)]
    elif "N" in values or "D" in values:
        year, month, day = values.get("N") or (*values.get("Y", (0,)), *values["M"], *values["D"])
        days = _days(year, month, day, today)
    else:
        days = [today + timedelta(days=values.get("R", (0,))[0])]
    weekdays = values.get("W", range(7))
    return next((utc_time(each, minute, zone) for each in days if each.weekday() in weekdays), None)


def _days(year: int, month: int, day: int, today: date) -> list[date]:
    """Return the day with these numbers, the next one without a year; empty if there is none."""
    found = []
    for each in (year,) if year else (today.year, today.year + 1):
        with suppress(ValueError):
            found.append(date(each, month, day))
    if len(found) == 2:
        is_past = found[0] < today and found[1] - today <= _NEXT_YEAR
        return [found[is_past]]
    return found


@cache
def _words(language: str) -> dict[str, _Meaning]:
    """Return the words of dates in a language, normalized, with their meanings."""
    words: dict[str, _Meaning] = {}
    for meaning, texts in _WORDS[language].items():
        if meaning in ("am", "pm"):
            what = _Meaning("h", (12 * (meaning == "pm"),))
        else:
            what = _Meaning(meaning[:1], tuple(map(int, meaning[1:])))
        words |= {_normalized(text): what for text in texts.split(", ")}
    return words


@cache
def _names(language: str) -> dict[str, set[_Meaning]]:
    """Return the names of weekdays and months in a language, normalized."""
    locale = Locale.parse(language)
    names: dict[str, set[_Meaning]] = defaultdict(set)
    for kind, contexts in (("W", locale.days), ("M", locale.months)):
        for widths in contexts.values():
            for number, name in chain(*(widths[each].items() for each in _WIDTHS & widths.keys())):
                word = _normalized(name).rstrip(".").partition(" ")[0]
                names[word].add(_Meaning(kind, (number,)))
    return names


def _meanings(token: re.Match[str], language: str) -> set[_Meaning]:
    """Return the meanings of a token in a language; none if it is unknown."""
    if token["iso"]:
        found = {_Meaning("N", tuple(map(int, token["iso"].split("-"))))}
        return {each for each in found if each.value[0] in _YEARS}
    if token["date"]:
        first, second, *years = map(int, token["date"].split(token["dot"]))
        year = years[0] + 2000 * (years[0] < 100) if years else 0
        found = {_Meaning("N", (year, second, first))}
        if language == "en" and token["dot"] == "/":
            found.add(_Meaning("N", (year, first, second)))
        return {each for each in found if each.value[1] <= 12 and each.value[0] in (0, *_YEARS)}
    word = token["word"]
    if number := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th|er|o|a)?", word):
        return {_Meaning("D", (int(number[1]),))}
    if word.isdecimal() and int(word) in _YEARS:
        return {_Meaning("Y", (int(word),))}
    meaning = _words(language).get(word.replace("_", " "))
    found = set() if meaning is None else {meaning}
    for name, meanings in _names(language).items():
        if _is_form_of(word, name):
            found |= meanings
    return found


def _is_form_of(word: str, name: str) -> bool:
    """Return whether a word is a name, its beginning, or the name with another ending."""
    is_beginning = len(word) >= 3 and name.startswith(word)
    has_ending = len(name) >= 5 and word.startswith(name[:-1]) and len(word) <= len(name) + 1
    return word == name or is_beginning or has_ending
