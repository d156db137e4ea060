"""Profile pages with full and empty statistics, in every game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.coach.accuracy import accuracy, compare
from bot.ids import UserId
from bot.profiles.achievements import RULES, Achievement
from bot.profiles.careers import Calls, Career, Moment, Nemesis, Partner
from bot.rating.ratings import BEGINNER
from bot.score_records import Preferences, PuzzlePlayer, Rating
from bot.text.cards import Speaker
from cogs.pages.controls import Page
from cogs.pages.profiles.accuracy import accuracy_page, comparison_page
from cogs.pages.profiles.profile import (
    ProfileQuery,
    achievements_page,
    empty_profile_page,
    profile_page,
)
from engine import VARIANTS
from players.coach.decisions import KINDS
from tests.bot.coach.judged_rounds import Costs, judged_rounds
from tests.bot.states import NOON

USER, OTHER, THIRD = UserId(10**18), UserId(10**18 + 1), UserId(10**18 + 2)
MANY = 10**6
PUZZLES = PuzzlePlayer(Rating(2000.0, 50.0), MANY, MANY, MANY, MANY)


@dataclass(frozen=True)
class Careers:
    """The longest and the shortest statistics of a game."""

    variant: str

    def longest(self) -> Career:
        """Return statistics with every field, in large numbers."""
        teams = self.variant in ("nanjing", "tientsin")
        return Career(
            user_id=USER,
            variant=self.variant,
            rounds=MANY,
            counted=MANY - 1,
            first_at=NOON,
            points=-123.45,
            best=Moment(MANY, NOON),
            worst=Moment(-MANY, NOON),
            tichus=Calls(MANY, MANY, MANY),
            grands=Calls(MANY, 0, -MANY),
            sweeps=MANY,
            bombs=MANY,
            matches=MANY,
            wins=MANY,
            streak=MANY,
            longest_streak=MANY,
            comeback=Moment(MANY, NOON),
            favourite=Partner(OTHER, MANY, 0.5) if teams else None,
            best_partner=Partner(THIRD, MANY, 0.9) if teams else None,
            nemesis=Nemesis(OTHER, MANY, 123.45),
            rating=BEGINNER,
            place=MANY,
        )

    def shortest(self) -> Career:
        """Return nearly empty statistics."""
        return self.longest()._replace(
            points=0.01,
            best=None,
            worst=None,
            tichus=Calls(0, 0, 0),
            grands=Calls(0, 0, 0),
            matches=0,
            comeback=None,
            favourite=None,
            best_partner=None,
            nemesis=None,
            place=None,
        )

    def pages(self, names: Sequence[str], to: Speaker) -> Iterator[tuple[str, Page]]:
        """Yield all pages with these names of others, with nothing and with everything earned."""
        rules = [rule for rule in RULES if rule.applies_to(VARIANTS[self.variant])]
        for earned in (None, NOON):
            found = [Achievement(rule.key, rule.goal, rule.goal, earned) for rule in rules]
            yield "achievements", achievements_page(USER, self.variant, found, to)
            for career in (self.longest(), self.shortest(), self.longest()._replace(rating=None)):
                for known in ({}, dict(zip((OTHER, THIRD), names, strict=False))):
                    for wanted in (Preferences(), Preferences(hidden=True)):
                        games = tuple(VARIANTS)
                        page = profile_page(career, found, games, known, wanted, to)
                        yield f"profile, {wanted}", page
        longest, drawn = self.longest(), "1" * 1024
        page = profile_page(
            longest, found, [self.variant], {}, Preferences(), to, puzzles=PUZZLES, alt=drawn
        )
        yield "profile, picture", page
        with_accuracy = profile_page(
            longest, found, games, {}, Preferences(), to, accuracy=self.variant != "grandseigneur"
        )
        yield "profile, accuracy", with_accuracy
        shared = profile_page(
            longest, found, games, {}, Preferences(), to, puzzles=PUZZLES, by=USER
        )
        yield "profile, shared", shared
        anywhere = profile_page(longest, found, games, {}, Preferences(), to, everywhere=True)
        yield "profile, everywhere", anywhere


def accuracy_pages(names: Sequence[str], to: Speaker) -> Iterator[tuple[str, Page]]:
    """Yield the accuracy of people with many and with no reviewed rounds, and comparisons."""
    query = ProfileQuery(USER, "nanjing")
    equal: Costs = [(kind, 99.94) for kind in KINDS] * 2
    one_kind: Costs = [("gift", 99.94)] * 11
    for rounds in ([equal] * 200, [*[one_kind] * 9, equal], []):
        found = accuracy(judged_rounds(rounds))
        yield "accuracy", accuracy_page(query, found, to, own=True, compares=True, alt="1" * 1024)
        yield "accuracy of another", accuracy_page(query, found, to, own=False)
    people = [UserId(10**18 + number) for number in range(12)]
    many = [each for person in people for each in judged_rounds([equal] * 5, person)]
    known = dict(zip(people, names, strict=False))
    for standings in (compare(many), compare(many[5:]), []):
        yield "accuracy compared", comparison_page(query, standings, known, to)


def profile_pages(names: Sequence[str], to: Speaker) -> Iterator[tuple[str, Page]]:
    """Yield the profiles in all games, and empty ones."""
    for variant in VARIANTS:
        for name, page in Careers(variant).pages(names, to):
            yield f"{variant}: {name}", page
    yield from accuracy_pages(names, to)
    for own in (True, False):
        yield "nothing", empty_profile_page(USER, (), to, own=own)
        yield "nothing anywhere", empty_profile_page(USER, (), to, own=own, everywhere=True)
        yield "puzzles alone", empty_profile_page(USER, (), to, own=own, puzzles=PUZZLES)
        yield (
            "nothing of a game",
            empty_profile_page(USER, ("nanjing",), to, own=own, variant="trichu"),
        )
