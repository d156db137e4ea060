"""The monthly ranking that a server reads at the end of a month."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import discord

from bot.profiles.monthly_ranking import GameRanking, MonthlyRanking
from bot.score_records import Amount, LeaderboardLine
from bot.text import Say
from bot.text.cards import Speaker
from cogs.pages.controls import Page, line, text
from engine import VARIANTS

_GOLD = discord.Colour(0xC8963E)
_MEDALS = ("🥇", "🥈", "🥉")


def monthly_ranking_page(ranking: MonthlyRanking, speaker: Speaker) -> Page:
    """Return the public page: the month's numbers, and the best players by game.

    Send it with no allowed mentions.
    """
    say = speaker.say
    head = "# 🏆 " + say("Hall of fame · {month}", month=say.month(ranking.season))
    page = [text(head + "\n" + _numbers(ranking.played, speaker))]
    for game in ranking.games:
        page += [line(), text("\n".join(_game(game, speaker, alone=len(ranking.games) == 1)))]
    return Page(*page, accent=_GOLD)


def _numbers(played: Amount, speaker: Speaker) -> str:
    """Return rounds and matches, in small print."""
    rounds = speaker.say.many("{n} round", "{n} rounds", played.rounds)
    matches = speaker.say.many("{n} finished match", "{n} finished matches", played.matches)
    return f"-# {rounds} · {matches}"


def _game(game: GameRanking, speaker: Speaker, *, alone: bool) -> Iterator[str]:
    """Return one game, with its numbers unless it is played `alone`."""
    say = speaker.say
    yield f"### {speaker.variant(game.variant)}"
    if not alone:
        yield _numbers(game.played, speaker)
    for entry in game.rating:
        medal = _MEDALS[entry.place - 1]
        yield f"{medal} {_names([entry])} · **{say.number(round(entry.rating))}**"
    if game.wins:
        number = say.number(game.wins[0].tally.wins)
        yield say("Most matches won: {names} ({number})", names=_names(game.wins), number=number)
    if game.points:
        yield _points(game, speaker)
    if game.calls:
        yield say("Most Tichus made: {names}", names=_calls(game.calls, say))
    if not (game.rating or game.wins or game.points or game.calls):
        yield say("Nobody was ranked this month.")


def _points(game: GameRanking, speaker: Speaker) -> str:
    """Return the best in points a round.

    In a game of places, it is the share of others who came in behind.
    """
    say, names = speaker.say, _names(game.points)
    worth = game.points[0].value or 0.0
    if not VARIANTS[game.variant].scored:
        share = say.percent(worth / 100)
        return say("Ahead of most others: {names} ({share} on average)", names=names, share=share)
    return say("Most points per round: {names} ({number})", names=names, number=say.signed(worth))


def _names(lines: Sequence[LeaderboardLine]) -> str:
    """Return mentions, which Discord shows as server names; without allowed mentions none pings."""
    return ", ".join(f"<@{entry.user_id}>" for entry in lines)


def _calls(lines: Sequence[LeaderboardLine], say: Say) -> str:
    """Return people, each with their calls made: equal rates may come from different numbers."""
    return ", ".join(
        f"<@{entry.user_id}> "
        + say(
            "({made} of {calls})",
            made=say.number(entry.tally.calls_made),
            calls=say.number(entry.tally.calls),
        )
        for entry in lines
    )
