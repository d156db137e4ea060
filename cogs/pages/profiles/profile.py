"""The profile of a player in one game: statistics and achievements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import discord

from bot.errors import Reason, Refused
from bot.ids import UserId, is_pseudonym
from bot.profiles.achievements import Achievement
from bot.profiles.careers import Calls, Career, Moment, Partner
from bot.score_records import Preferences, PuzzlePlayer, Variant
from bot.text.achievements import ACHIEVEMENTS
from bot.text.cards import Speaker
from bot.text.people import mention, unnamed
from cogs.pages.controls import Controls, Page, Part, gallery, line, read_number, row, text
from cogs.pages.names import name_or_mention, shared_by
from cogs.pages.verbs import Verb
from engine import VARIANTS

_CONTROLS = Controls()
"""Controls without a table; a profile is never out of date."""
_ACCENT = discord.Colour(0x2F6F4F)
RATING_FILE = "rating.png"
"""The name of the attachment with the picture of the rating."""
EARNED_EMOJI, MISSING_EMOJI = "🏅", "▫️"


@dataclass(frozen=True, slots=True)
class ProfileQuery:
    """A player's profile in one game."""

    user_id: UserId
    variant: Variant | None = None
    """The game; `None` for the one with most rounds."""

    def to_args(self) -> str:
        """Return the query as arguments of a button; `read_profile_query` parses them."""
        return f"{self.user_id}.{self.variant or ''}"


def read_profile_query(text: str) -> ProfileQuery:
    """Parse a button's arguments, such as ``77.trichu``; raise `Refused` for forged ones."""
    user_id, _, variant = text.partition(".")
    id_number = read_number(user_id)
    if id_number >= 2**63:
        raise Refused(Reason.UNKNOWN_BUTTON)
    return ProfileQuery(UserId(id_number), variant if variant in VARIANTS else None)


def profile_page(
    career: Career,
    achievements: Sequence[Achievement],
    games: Sequence[str],
    names: Mapping[UserId, str],
    preferences: Preferences,
    speaker: Speaker,
    *,
    puzzles: PuzzlePlayer | None = None,
    alt: str | None = None,
    by: UserId | None = None,
    accuracy: bool = False,
    everywhere: bool = False,
) -> Page:
    """Return a player's statistics of one game, with links to other `games`.

    With `accuracy` there is one to that page, too. The statistics are those of one server, or
    `everywhere` those of all servers, which are not shared.

    `names` has the names of partners and nemesis by user id, `puzzles` the results of all servers.
    If `preferences` hide the profile, it cannot be shared. `alt` is the alternative text of the
    rating picture; if it is given, `RATING_FILE` must be attached. On a public page, `by` is the
    user who shared it.
    """
    say = speaker.say
    blocks = [
        _rating_block(career, preferences, speaker),
        _matches_block(career, speaker),
        _calls_and_bombs_block(career, speaker),
        _people_block(career, names, speaker),
        _records_block(career, speaker),
        _puzzles_block(puzzles, speaker),
    ]
    heading = profile_heading(career.user_id, career.variant, speaker, everywhere=everywhere)
    items: list[Part] = [text(heading)]
    if alt is not None:
        items.append(gallery(RATING_FILE, alt))
    for block in filter(None, blocks):
        items += [line(), text(block)]
    earned = [each for each in achievements if each.earned_at is not None]
    if earned:
        medals = " · ".join(ACHIEVEMENTS[each.key](say).name for each in earned)
        items += [line(), text(f"{EARNED_EMOJI} {medals}")]
    label = say(
        "Achievements ({earned} of {all})",
        earned=say.number(len(earned)),
        all=say.number(len(achievements)),
    )
    buttons = [_profile_button(Verb.ACHIEVEMENTS, label, career.user_id, career.variant)]
    if accuracy:
        buttons.append(
            _profile_button(Verb.ACCURACY, say("Accuracy"), career.user_id, career.variant)
        )
    if by is not None:
        items.append(shared_by(by, speaker))
    elif not preferences.hidden and not everywhere:
        query = ProfileQuery(career.user_id, career.variant).to_args()
        buttons.append(_CONTROLS.button(Verb.SHARE_PROFILE, say("Share"), query, emoji="📣"))
    items.append(row(*buttons))
    items += _games_row(career.user_id, career.variant, games, speaker)
    return Page(*items, accent=_ACCENT)


def achievements_page(
    user_id: UserId,
    variant: str,
    achievements: Sequence[Achievement],
    speaker: Speaker,
    *,
    everywhere: bool = False,
) -> Page:
    """Return the page of all achievements of a game, each with its date or progress."""
    return Page(
        text(profile_heading(user_id, variant, speaker, everywhere=everywhere)),
        text("\n".join(_achievement_lines(each, speaker) for each in achievements)),
        row(_profile_button(Verb.PROFILE, speaker.say("Back"), user_id, variant)),
        accent=_ACCENT,
    )


def empty_profile_page(
    user_id: UserId,
    games: Sequence[str],
    speaker: Speaker,
    *,
    own: bool,
    variant: str | None = None,
    puzzles: PuzzlePlayer | None = None,
    everywhere: bool = False,
) -> Page:
    """Return the page of a player without counted rounds, with advice on how to begin."""
    say = speaker.say
    sentence = (
        say("You haven't finished a round here yet.")
        if own
        else say("{player} hasn't finished a round here yet.", player=mention(user_id))
    )
    if everywhere:
        sentence = say("You haven't finished a round yet.")
    elif variant is not None and games:
        sentence = (
            say("You haven't finished a round of {game} here yet.", game=speaker.variant(variant))
            if own
            else say(
                "{player} hasn't finished a round of {game} here yet.",
                game=speaker.variant(variant),
                player=mention(user_id),
            )
        )
    advice = say(
        "Open a table with **/tichu new** and finish a round. Rounds with hints don't count."
    )
    lines = [sentence, advice, _puzzles_block(puzzles, speaker)]
    return Page(text("\n".join(filter(None, lines))), *_games_row(user_id, variant, games, speaker))


def profile_heading(
    user_id: UserId, variant: str, speaker: Speaker, *, everywhere: bool = False
) -> str:
    """Return the heading with the scope, the game and the player."""
    scope = speaker.say("On all servers") if everywhere else speaker.say("On this server")
    return f"-# {scope} · {speaker.variant(variant)}\n## {mention(user_id)}"


def _profile_button(
    verb: Verb, label: str, user_id: UserId, game: str, *, is_shown: bool = False
) -> Part:
    colours = discord.ButtonStyle
    style = colours.primary if is_shown else colours.secondary
    query = ProfileQuery(user_id, game)
    return _CONTROLS.button(verb, label, query.to_args(), style=style, disabled=is_shown)


def _games_row(
    user_id: UserId, variant: str | None, games: Sequence[str], speaker: Speaker
) -> list[Part]:
    """Return a row with a button for each played game; none if only `variant` was played."""
    if not games or list(games) == [variant]:
        return []
    buttons = (
        _profile_button(
            Verb.PROFILE, speaker.variant(game), user_id, game, is_shown=game == variant
        )
        for game in games
    )
    return [row(*buttons)]


def _rating_block(career: Career, preferences: Preferences, speaker: Speaker) -> str:
    """Return the rating with place and uncertainty; empty before the first rated round."""
    say, rating = speaker.say, career.rating
    if rating is None:
        return ""
    value = say.number(round(rating.shown))
    if preferences.hidden:
        head = say("**Rating {rating}** · hidden (see /tichu settings)", rating=value)
    elif career.place is None:
        head = say("**Rating {rating}** · not ranked yet", rating=value)
    else:
        place = say.number(career.place)
        head = say("**Rating {rating}** · #{place}", rating=value, place=place)
    return f"{head}\n-# " + say(
        "Estimate {mean} ± {spread}. The rating is the cautious end and rises as you play.",
        mean=say.number(round(rating.mu)),
        spread=say.number(round(rating.mu - rating.shown)),
    )


def _matches_block(career: Career, speaker: Speaker) -> str:
    """Return rounds, average lead, matches won, and winning streaks."""
    say = speaker.say
    lines = [say.many("**{n} round**", "**{n} rounds**", career.rounds)]
    if career.counted not in (None, career.rounds):
        lines[0] += " · " + say.many(
            # Translators: “93 rounds · 92 count on the leaderboard”
            "{n} counts on the leaderboard",
            "{n} count on the leaderboard",
            career.counted or 0,
        )
    if career.points is not None:
        lines[0] += " · " + (
            say("{points} points per round", points=say.signed(career.points))
            if VARIANTS[career.variant].scored
            else say("ahead of {share} of the others", share=say.percent(career.points / 100))
        )
    if career.win_rate is None:
        lines.append(say("No match finished yet"))
    else:
        lines.append(
            say.many("**{n} match**", "**{n} matches**", career.matches)
            + " · "
            + say(
                "{wins} won ({share})",
                wins=say.number(career.wins),
                share=say.percent(career.win_rate),
            )
        )
        lines.append(
            say(
                "Winning streak: {now} (best {longest})",
                now=say.number(career.streak),
                longest=say.number(career.longest_streak),
            )
        )
    start_date = discord.utils.format_dt(career.first_at, "D")
    return "\n".join([*lines, "-# " + say("Playing since {date}", date=start_date)])


def _calls_and_bombs_block(career: Career, speaker: Speaker) -> str:
    """Return the results of calls, and the numbers of sweeps and bombs."""
    say, game = speaker.say, VARIANTS[career.variant]
    lines = []
    if game.scored:
        lines += [_calls_line(say("Tichu"), career.tichus, speaker)]
        lines += [_calls_line(say("Grand Tichu"), career.grands, speaker)]
        sweeps = say.number(career.sweeps)
        sweeps_by_size = {
            2: say("Double victories: {number}", number=sweeps),
            3: say("Triple victories: {number}", number=sweeps),
        }
        lines.append(sweeps_by_size[game.sweep_size])
    lines.append(say("Bombs: {number}", number=say.number(career.bombs)))
    return "\n".join(lines)


def _calls_line(name: str, calls: Calls, speaker: Speaker) -> str:
    """Return the line of one kind of call."""
    say = speaker.say
    if not calls.called:
        return say("{call}: never called", call=name)
    return say(
        "{call}: {made} of {called} made ({points} points)",
        call=name,
        made=say.number(calls.made),
        called=say.number(calls.called),
        points=say.signed(calls.points),
    )


def _people_block(career: Career, names: Mapping[UserId, str], speaker: Speaker) -> str:
    """Return the favourite partner, the best partner and the nemesis."""
    say, lines = speaker.say, []
    if career.favourite is not None:
        who = _partner_text(career.favourite, names, speaker)
        lines.append(say("Favourite partner: {who}", who=who))
    best_partner = career.best_partner
    if best_partner is not None and best_partner != career.favourite:
        lines.append(say("Best partner: {who}", who=_partner_text(best_partner, names, speaker)))
    nemesis = career.nemesis
    if nemesis is not None:
        who, rounds = _person_text(nemesis.user_id, names, speaker), nemesis.rounds
        lead = say.signed(-nemesis.lost)
        lines.append(
            say.many(
                "Nemesis: {who} ({lost} per round over {n} round)",
                "Nemesis: {who} ({lost} per round over {n} rounds)",
                rounds,
                who=who,
                lost=lead,
            )
            if VARIANTS[career.variant].scored
            else say.many(
                "Nemesis: {who} (usually out earlier, over {n} round)",
                "Nemesis: {who} (usually out earlier, over {n} rounds)",
                rounds,
                who=who,
            )
        )
    return "\n".join(lines)


def _partner_text(partner: Partner, names: Mapping[UserId, str], speaker: Speaker) -> str:
    """Return the text of a partner: name, number of rounds, share won."""
    return speaker.say.many(
        "{name} ({n} round, {share} won)",
        "{name} ({n} rounds, {share} won)",
        partner.rounds,
        name=_person_text(partner.user_id, names, speaker),
        share=speaker.say.percent(partner.won),
    )


def _person_text(user_id: UserId, names: Mapping[UserId, str], speaker: Speaker) -> str:
    """Return a person's name, or a mention if the name is unknown."""
    if is_pseudonym(user_id):
        return unnamed(speaker.say, user_id)
    return f"**{name_or_mention(names.get(user_id, ''), user_id)}**"


def _records_block(career: Career, speaker: Speaker) -> str:
    """Return the best and worst round, and the best comeback; empty without points."""
    if not VARIANTS[career.variant].scored:
        return ""
    say, lines = speaker.say, []
    if career.best is not None and career.worst is not None:
        best, worst = (_points_text(moment, speaker) for moment in (career.best, career.worst))
        lines += [say("Best round: {points}", points=best)]
        lines += [say("Worst round: {points}", points=worst)]
    if career.comeback is not None:
        lines.append(
            say(
                "Best comeback: won from {points} behind ({date})",
                points=say.number(career.comeback.value),
                date=_date(career.comeback.at),
            )
        )
    return "\n".join(lines)


def _points_text(moment: Moment, speaker: Speaker) -> str:
    return f"{speaker.say.signed(moment.value)} ({_date(moment.at)})"


def _puzzles_block(puzzles: PuzzlePlayer | None, speaker: Speaker) -> str:
    """Return the rating and results of puzzles; empty before the first answer."""
    if puzzles is None or not puzzles.tried:
        return ""
    say = speaker.say
    return "🧩 " + say(
        "Puzzles: rating {rating} · {solved} of {tried} solved · best {streak} in a row",
        rating=say.number(round(puzzles.rating.mu)),
        solved=say.number(puzzles.solved),
        tried=say.number(puzzles.tried),
        streak=say.number(puzzles.best_streak),
    )


def _achievement_lines(achievement: Achievement, speaker: Speaker) -> str:
    """Return the lines of one achievement, with its date or progress."""
    words = ACHIEVEMENTS[achievement.key](speaker.say)
    if achievement.earned_at is not None:
        return (
            f"{EARNED_EMOJI} **{words.name}** · {_date(achievement.earned_at)}\n-# {words.reason}"
        )
    reached, goal = speaker.say.number(achievement.reached), speaker.say.number(achievement.goal)
    progress = f"{reached}/{goal}"
    return f"{MISSING_EMOJI} **{words.name}** · {progress}\n-# {words.reason}"


def _date(moment: datetime) -> str:
    return discord.utils.format_dt(moment, "d")
