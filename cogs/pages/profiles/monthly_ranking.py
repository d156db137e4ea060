"""The page of a server's monthly ranking, posted after the end of a month."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.profiles.monthly_ranking import GameRanking, MonthlyRanking
from bot.score_records import Amount, LeaderboardLine
from bot.standings.daily_standings import DailyLine
from bot.text import Say
from bot.text.boards import daily_value, lead_text
from bot.text.cards import Speaker
from bot.text.people import mention
from cogs.pages.controls import GOLD, Page, line, text
from engine import VARIANTS

_MEDALS = ("🥇", "🥈", "🥉")


def monthly_ranking_page(ranking: MonthlyRanking, speaker: Speaker) -> Page:
    """Return the public page: the month's numbers, and the best players by game.

    It contains mentions, so it must be sent with no allowed mentions.
    """
    say = speaker.say
    head = "# 🏆 " + say("Hall of fame · {month}", month=say.month(ranking.season))
    if ranking.games:
        head += "\n" + _amounts_line(ranking.played, speaker)
    blocks = [text(head)]
    for game in ranking.games:
        blocks += [
            line(),
            text("\n".join(_game_lines(game, speaker, is_only_game=len(ranking.games) == 1))),
        ]
    if ranking.daily:
        blocks += [line(), text(_daily_text(ranking.daily, say))]
    return Page(*blocks, accent=GOLD)


def _daily_text(best: Sequence[DailyLine], say: Say) -> str:
    """Return the lines of the best people in the deal of the day."""
    value = daily_value(best[0].standing, say)
    entry = f"{_MEDALS[0]} {_mentions(best)} · {value}"
    if best[-1].within_chance:
        entry += " · " + lead_text(say)
    return f"### {say('Deal of the day')}\n{entry}"


def _amounts_line(played: Amount, speaker: Speaker) -> str:
    """Return the line with the numbers of rounds and matches."""
    rounds = speaker.say.many("{n} round", "{n} rounds", played.rounds)
    matches = speaker.say.many("{n} finished match", "{n} finished matches", played.matches)
    return f"-# {rounds} · {matches}"


def _game_lines(game: GameRanking, speaker: Speaker, *, is_only_game: bool) -> Iterator[str]:
    """Yield the lines of one game, with its numbers unless it is the only one."""
    say = speaker.say
    yield f"### {speaker.variant(game.variant)}"
    if not is_only_game:
        yield _amounts_line(game.played, speaker)
    for entry in game.rating:
        medal = _MEDALS[entry.place - 1]
        yield f"{medal} {_mentions([entry])} · **{say.number(round(entry.rating))}**"
    if game.wins:
        win_count = say.number(game.wins[0].tally.wins)
        yield say(
            "Most matches won: {names} ({number})", names=_mentions(game.wins), number=win_count
        )
    if game.points:
        yield _points_line(game, speaker)
    if game.calls:
        yield say("Most Tichus made: {names}", names=_callers_text(game.calls, say))
    if not (game.rating or game.wins or game.points or game.calls):
        yield say("Nobody was ranked this month.")


def _points_line(game: GameRanking, speaker: Speaker) -> str:
    """Return the line of the people with most points per round.

    In a game of places, the line has the share of other players who went out later instead.
    """
    say, mentions = speaker.say, _mentions(game.points)
    value = game.points[0].value or 0.0
    if not VARIANTS[game.variant].scored:
        share = say.percent(value / 100)
        return say(
            "Ahead of most others: {names} ({share} on average)", names=mentions, share=share
        )
    return say(
        "Most points per round: {names} ({number})", names=mentions, number=say.signed(value)
    )


def _mentions(lines: Sequence[LeaderboardLine | DailyLine]) -> str:
    """Return mentions of people, which Discord shows as their names on the server."""
    return ", ".join(mention(entry.user_id) for entry in lines)


def _callers_text(lines: Sequence[LeaderboardLine], say: Say) -> str:
    """Return mentions of people with their numbers of calls, which may differ at equal rates."""
    return ", ".join(
        f"{mention(entry.user_id)} "
        + say(
            "({made} of {calls})",
            made=say.number(entry.tally.calls_made),
            calls=say.number(entry.tally.calls),
        )
        for entry in lines
    )
