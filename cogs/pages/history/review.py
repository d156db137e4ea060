"""Page of the review of a round, its progress, and the choice of a player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import discord

from bot.art.emojis import Emojis
from bot.history.replay import Replay
from bot.ids import Revision, TableId, UserId
from bot.pictures.alt_texts import alt_text
from bot.pictures.descriptions import ChancesChart, ChancesPoint
from bot.pictures.words import ChancesWords
from bot.records import RoundNumber
from bot.text import capital
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, button_rows, gallery, line, option, row, text
from cogs.pages.hand.hints import action_text
from cogs.pages.history.event_text import event_text
from cogs.pages.history.replay import result_button
from cogs.pages.names import board_name, label_name, seat_name
from cogs.pages.replay_query import ReplayQuery
from cogs.pages.review_query import ReviewQuery
from cogs.pages.table.score_lines import round_summary
from cogs.pages.verbs import Verb
from engine import (
    Action,
    AnswerGrand,
    Bomb,
    Called,
    CallTichu,
    DragonGiven,
    Event,
    GiveTrick,
    LeadGiven,
    Pass,
    PassCards,
    Played,
    Seat,
    TrickTaken,
    Waive,
    WentOut,
)
from players.coach.estimates import Chances
from players.coach.review import LEAST_COST, Judged, Progress, Review, turning_points

REVIEW_FILE = "chances.png"
"""Name of the attached picture with the chances."""


@dataclass(frozen=True, slots=True)
class Consent:
    """People at a table, and those who agree that everyone may see the reviews."""

    people: frozenset[UserId]
    """All people who sat at the table in the match."""
    agreed: frozenset[UserId]
    """Those who agree; others are ignored."""

    @property
    def count(self) -> int:
        """Number of people who agree."""
        return len(self.people & self.agreed)

    @property
    def complete(self) -> bool:
        """True if all people agree."""
        return bool(self.people) and self.people <= self.agreed


NOBODY_AGREES = Consent(frozenset(), frozenset())
"""Consent of a solo round, whose review only its person sees."""


@dataclass(frozen=True, slots=True, repr=False)
class OpenReview:
    """Round whose review is open, and its reader."""

    replay: Replay
    """The round."""
    seat: Seat
    """Seat of the person that the review is for."""
    own: bool
    """True if the reader is this person."""
    reader: UserId
    """User who reads it."""
    consent: Consent
    """Consent of the people at the table."""
    others: tuple[Seat, ...] = ()
    """Seats with other reviews of the round that the reader may see."""

    @property
    def key(self) -> tuple[TableId, RoundNumber, Seat]:
        """Table, round and seat under which the review is stored."""
        return self.replay.table.id, self.replay.played_round.number, self.seat

    @property
    def query(self) -> ReviewQuery:
        """The review in ids of buttons."""
        return ReviewQuery(self.replay.played_round.number, self.seat)

    @property
    def controls(self) -> Controls:
        """Factory of the controls."""
        return Controls(self.replay.table.id, Revision(0))


def review_page(opened: OpenReview, review: Review, words: Speaker, alt: str | None = None) -> Page:
    """Return the review: chances, turning points, marks, and bad luck.

    `alt` is the alternative text of the picture; with it `REVIEW_FILE` must be attached.
    """
    end = opened.replay.at(len(opened.replay.played_round.positions) - 1)
    parts: list[Part] = [text(_head(opened, words)), text(round_summary(end, words))]
    parts.append(text(_verdict(review, words)))
    if alt is not None:
        parts.append(gallery(REVIEW_FILE, alt))
    chances = "\n".join(_chances(opened, review, words, with_ends=alt is None))
    if chances:
        parts.append(text(chances))
    if review.marks:
        parts += [line(), text("\n".join(_marks(opened, review, words)))]
        parts += button_rows(list(_mark_buttons(opened, review, words)))
    unlucky = list(_unlucky(opened, review, words))
    if unlucky:
        parts += [line(), text("\n".join(unlucky))]
    parts += [line(), text(fairness(words, costs=bool(review.marks)))]
    return Page(*parts, *_controls(opened, words), accent=discord.Colour(0x2F6F4F))


def progress_page(opened: OpenReview, progress: Progress | None, words: Speaker) -> Page:
    """Return the page while the review is being made; its button shows it again."""
    say = words.say
    done = say("Looking at the round again …")
    if progress is not None and progress.total:
        done = say(
            "{done} of {total} decisions",
            done=say.number(progress.done),
            total=say.number(progress.total),
        )
    return Page(text(_head(opened, words)), text("⏳ " + done), row(_review_button(opened, words)))


def unmade_page(opened: OpenReview, sentence: str, words: Speaker) -> Page:
    """Return the page in place of a review that could not be made; `sentence` says why."""
    return Page(text(_head(opened, words)), text(sentence), row(_review_button(opened, words)))


def choice_page(replay: Replay, seats: Sequence[Seat], words: Speaker) -> Page:
    """Return the page on which a reader who did not play chooses whose review to see."""
    return Page(text(_title(replay, words)), _select(replay, seats, None, words))


def chances_chart(opened: OpenReview, review: Review, words: Speaker) -> ChancesChart:
    """Return the chart of the team's chances."""
    played, points = opened.replay.played_round, list[ChancesPoint]()
    for turn in review.curve:
        trick = played.trick_at(played.place_after(turn.at))
        if points:  # the end of the round belongs to its last trick
            trick = max(trick, points[-1].trick + 1)
        points.append(ChancesPoint(trick=trick, round=turn.chances.round, match=turn.chances.match))
    return ChancesChart(
        language=words.say.language,
        words=ChancesWords.of(words.say),
        points=tuple(points),
        turning_points=tuple(turning_points(review.curve)),
    )


# --- decisions -----------------------------------------------------------------------------------


def place_of(replay: Replay, judged: Judged) -> int:
    """Return the place of the last position before a decision.

    An answer or an exchange may be changed, so it is that before the first one.
    """
    at, action = judged.at, judged.own
    if isinstance(action, AnswerGrand | PassCards):
        actions = replay.played_round.actions[1:]
        kind = actions[at].text.partition(":")[0]
        at = next(
            index
            for index, each in enumerate(actions)
            if each.seat == actions[at].seat and each.text.partition(":")[0] == kind
        )
    return replay.played_round.place_after(at)


def seat_of_decision(opened: OpenReview, judged: Judged) -> Seat:
    """Return the seat of a decision: the person's own, or in Trichu also the Table's."""
    return getattr(judged.own, "seat", opened.seat)


def moment_text(replay: Replay, judged: Judged, words: Speaker) -> str:
    """Return when a decision was made, such as “Trick 3”, for a heading or a button."""
    say = words.say
    if isinstance(judged.own, AnswerGrand):
        return say("Grand Tichu")
    if isinstance(judged.own, PassCards):
        return say("Exchange")
    number = replay.played_round.positions[place_of(replay, judged)].tricks + 1
    return capital(say("trick {number}", number=say.number(number)))


def choice_text(opened: OpenReview, judged: Judged, action: Action, words: Speaker) -> str:
    """Return a choice of a decision in words: what was done, or what would have been better."""
    say, state = words.say, opened.replay.at(place_of(opened.replay, judged))
    # Translators: these name a choice, as in “Your choice: pass” and “Better: pass”: infinitives
    if judged.kind == "call" and not isinstance(action, CallTichu | AnswerGrand):
        return say.sense("a choice", "don't call Tichu")
    match action:
        case CallTichu():
            return say.sense("a choice", "call Tichu")
        case AnswerGrand(call=True):
            return say.sense("a choice", "call Grand Tichu")
        case AnswerGrand():
            return say.sense("a choice", "don't call Grand Tichu")
        case Pass():
            return say.sense("a choice", "pass")
        case Waive():
            return say.sense("a choice", "keep the bomb")
        case Bomb() if judged.kind == "bomb":
            cards = words.cards(action.cards)
            return say.sense("a choice", "throw the bomb {cards}", cards=cards)
        case GiveTrick():
            name = seat_name(state, action.receiver, words)
            return say.sense("a choice", "give the trick to {name}", name=name)
    return action_text(state, seat_of_decision(opened, judged), action, words)


def cost_text(judged: Judged, words: Speaker) -> str:
    """Return the cost of a mark with its interval."""
    say, cost = words.say, judged.cost
    return say.many(
        "about {n} point ({low} to {high})",
        "about {n} points ({low} to {high})",
        round(cost.mean),
        low=say.number(max(1, round(cost.low))),
        high=say.number(round(cost.high)),
    )


def fairness(words: Speaker, *, costs: bool) -> str:
    """Return the note on what a review judges, and with `costs` what their ranges mean."""
    say = words.say
    lines = [say("Judged by what could be known at that moment, never by hidden cards.")]
    if costs:
        lines.append(
            say("Points are the average in this round; the brackets are right 19 times out of 20.")
        )
    return "-# " + "\n-# ".join(lines)


# --- parts of the page ---------------------------------------------------------------------------


def _title(replay: Replay, words: Speaker) -> str:
    """Return the heading of all pages of a review."""
    date = discord.utils.format_dt(replay.table.created_at, "d")
    number = words.say.number(replay.played_round.number)
    if replay.board is not None:
        return f"### {words.say('Review')} · {board_name(replay.board, words)} · {date}"
    return words.say("### Review · round {round} · {date}", round=number, date=date)


def _head(opened: OpenReview, words: Speaker) -> str:
    """Return the heading, and a small line with the player, the table and the game."""
    table = opened.replay.table
    small = [seat_name(table, opened.seat, words), words.variant(table.options.variant)]
    if opened.replay.board is None:
        small.insert(1, words.say("Table {table}", table=table.id))
    return f"{_title(opened.replay, words)}\n-# {' · '.join(small)}"


def _verdict(review: Review, words: Speaker) -> str:
    """Return the sentence about the whole round."""
    say, judged, marks = words.say, len(review.judged), len(review.marks)
    if not judged:
        return say("There was nothing to decide in this round.")
    if not marks:
        praise = say.many(
            "Well played! {n} decision judged, and none surely cost {points} points or more.",
            "Well played! {n} decisions judged, and none surely cost {points} points or more.",
            judged,
            points=say.number(round(LEAST_COST)),
        )
        return f"🌟 **{praise}**"
    found = say.many(
        "{n} of {all} decisions could have been better.",
        "{n} of {all} decisions could have been better.",
        marks,
        all=say.number(judged),
    )
    return f"**{found}**"


def _chances(
    opened: OpenReview, review: Review, words: Speaker, *, with_ends: bool
) -> Iterator[str]:
    """Yield a line for each turning point; `with_ends` first the chances at both ends."""
    say, chart = words.say, chances_chart(opened, review, words)
    if with_ends:
        yield alt_text(chart.model_copy(update={"turning_points": ()}), say)
    for place in chart.turning_points:
        before, after = chart.points[place - 1], chart.points[place]
        events = _events(opened.replay, review.curve[place - 1].at, review.curve[place].at)
        state = opened.replay.at(opened.replay.played_round.place_after(review.curve[place].at))
        happened = (event_text(state, event, words).removesuffix(".") for event in events)
        trick = capital(say("trick {number}", number=say.number(before.trick)))
        change = f"{say.percent(before.round)} → {say.percent(after.round)}"
        sign = "📈" if after.round > before.round else "📉"
        yield " · ".join((f"{sign} **{trick}** {change}", *happened))


def _events(replay: Replay, begin: int, end: int) -> Iterator[Event]:
    """Yield what turned a round between two numbers of actions: calls, bombs, tricks, out."""
    for position in replay.played_round.positions:
        if begin < position.at <= end:
            for event in position.events:
                is_bomb = isinstance(event, Played) and event.combination.is_bomb
                known = (Called, TrickTaken, DragonGiven, LeadGiven, WentOut)
                if is_bomb or isinstance(event, known):
                    yield event


def _marks(opened: OpenReview, review: Review, words: Speaker) -> Iterator[str]:
    """Yield a line for each mark, with cards in words."""
    plain = Speaker(words.say, Emojis.plain(), words.sorting)
    for number, mark in enumerate(review.marks, start=1):
        better = words.say("Better: {action}", action=choice_text(opened, mark, mark.better, plain))
        parts = (
            f"**{number}\\. {moment_text(opened.replay, mark, words)}**",
            choice_text(opened, mark, mark.own, plain),
            better,
            cost_text(mark, words),
        )
        yield " · ".join(parts)


def _mark_buttons(opened: OpenReview, review: Review, words: Speaker) -> Iterator[Part]:
    """Yield a button for each mark."""
    for index, mark in enumerate(review.marks):
        label = f"{index + 1}. {moment_text(opened.replay, mark, words)}"
        args = replace(opened.query, mark=index).to_args("look")
        colour = discord.ButtonStyle.primary
        yield opened.controls.button(Verb.REVIEW_MARK, label, args, style=colour)


def _unlucky(opened: OpenReview, review: Review, words: Speaker) -> Iterator[str]:
    """Yield the lines on decisions that were right and turned out badly."""
    plain = Speaker(words.say, Emojis.plain(), words.sorting)
    decisions = {each.at: each for each in sorted(review.judged, key=_makes_call)}
    found = [decisions[at] for at in review.unlucky if at in decisions]
    if found:
        yield "🎲 " + words.say("**Right, and unlucky** – nothing to change here:")
    for each in found:
        parts = [f"**{moment_text(opened.replay, each, words)}**"]
        parts.append(choice_text(opened, each, each.own, plain))
        if not _makes_call(each):
            before, after = _chances_around(review, each.at)
            parts.append(f"{words.say.percent(before.round)} → {words.say.percent(after.round)}")
        yield " · ".join(parts)


def _chances_around(review: Review, at: int) -> tuple[Chances, Chances]:
    """Return the chances at the begin and at the end of the trick of an action."""
    after = next(place for place, turn in enumerate(review.curve) if turn.at > at)
    return review.curve[max(0, after - 1)].chances, review.curve[after].chances


def _makes_call(judged: Judged) -> bool:
    """Return whether a decision made a call."""
    action = judged.own
    return isinstance(action, CallTichu) or (isinstance(action, AnswerGrand) and action.call)


def _controls(opened: OpenReview, words: Speaker) -> Iterator[Part]:
    """Yield the consent, the way to the replay, and other reviews."""
    say, controls, consent = words.say, opened.controls, opened.consent
    replay = ReplayQuery(opened.replay.played_round.number).to_args("review")
    buttons = [controls.button(Verb.REPLAY, say("Replay"), replay, emoji="🎬")]
    if opened.replay.board is not None:
        buttons.append(result_button(opened.replay.board, words))
    if opened.reader in consent.people:
        agrees = opened.reader in consent.agreed
        label = say("Keep private again") if agrees else say("Show everyone")
        args = opened.query.to_args("off" if agrees else "on")
        buttons.append(controls.button(Verb.REVIEW_CONSENT, label, args))
        yield text(
            "-# "
            + say(
                "{count} of {people} agree that everyone may see the reviews of this match.",
                count=say.number(consent.count),
                people=say.number(len(consent.people)),
            )
        )
    yield row(*buttons)
    if opened.others:
        seats = sorted((opened.seat, *opened.others))
        yield _select(opened.replay, seats, opened.seat, words)


def _select(replay: Replay, seats: Sequence[Seat], chosen: Seat | None, words: Speaker) -> Part:
    """Return the select of the person whose review to see."""
    options: Sequence[Part] = [
        option(label_name(replay.table, each, words), str(each), default=each == chosen)
        for each in seats
    ]
    query = ReviewQuery(replay.played_round.number)
    controls = Controls(replay.table.id, Revision(0))
    return controls.select(Verb.REVIEW_OF, words.say("Whose review?"), options, query.to_args("of"))


def _review_button(opened: OpenReview, words: Speaker) -> Part:
    """Return the button that shows the review, or makes it again."""
    label, args = words.say("Review"), opened.query.to_args("show")
    return opened.controls.button(Verb.REVIEW, label, args, emoji="🔎")
