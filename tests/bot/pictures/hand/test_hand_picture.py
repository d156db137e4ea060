"""Pictures of hands as pixels: as they should look, small, legible, and without other cards."""

from __future__ import annotations

import io
from functools import partial
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.art.names import CARDS
from bot.pictures import sprites
from bot.pictures.canvas import RIM
from bot.pictures.descriptions import Name
from bot.pictures.hand import picture
from bot.pictures.hand.contents import hand_scene
from bot.pictures.hand.layout import (
    CARD,
    LOW_PLAY,
    OPEN,
    PLAY,
    ROW_DISTANCE,
    WIDE,
    CardSpot,
    HandLayout,
    layout,
)
from bot.pictures.hand.picture import compose
from bot.pictures.hand.scene import HandCard, HandScene, SceneHand
from bot.pictures.table import middle
from bot.pictures.table.layout import WIDTH, Box
from bot.pictures.table.plates import short_names
from bot.pictures.typeface import CAPITAL
from cogs.pages.hand.card_order import in_display_order
from engine import Match, Options, view
from tests.bot.pictures import references
from tests.bot.pictures.hand.test_hand_scenes import walk
from tests.bot.pictures.hands import HANDS, hand
from tests.bot.pictures.scenes import LONG, STRANGE, WORDS, game
from tests.bot.pictures.table.test_contents import GAMES, named, public_cards
from tests.bot.pictures.table.test_picture import MARK, MOST_BYTES, PHONE, SMALLEST
from tests.campaign import SOAK
from tests.campaign import sample as some

LEAST_WIDTH = 44
"""The width of a card on a phone, at least."""
TALLEST, TALLEST_OF_TWO = 310, 350
"""The height of a picture on a phone, at most: with one hand, and with two."""
CORNER = 0.42, 0.6
"""The part of a card with its rank and suit: shares of its width and height."""


def spots_of(where: HandLayout) -> list[CardSpot]:
    return [spot for spots in where.hands for spot in spots]


def with_names(of: HandScene, *names: str) -> HandScene:
    """The scene with these names at its table."""
    assert of.table is not None
    seats = tuple(
        seat.model_copy(update={"name": Name(name, f"Player {seat.seat + 1}")})
        for seat, name in zip(of.table.seats, names * 3, strict=False)
    )
    return of.model_copy(update={"table": of.table.model_copy(update={"seats": seats})})


# --- looks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", references.HANDS)
def test_pictures_look_as_they_should(name: str) -> None:
    found = references.difference(
        references.reduced(references.stored_hand(name)), references.reference(name)
    )
    assert found < references.TOLERANCE


def test_small_differences_are_noticed() -> None:
    right, shown = references.reference("hands/turn-4"), references.stored_hand("hands/turn-4")
    own, table = shown.hands[0], shown.table
    assert table is not None
    first, *others = own.cards
    changes = (
        {"hands": (own.model_copy(update={"cards": (HandCard(card="J2"), *others)}),)},
        {"hands": (own.model_copy(update={"cards": (HandCard(card="S2", quiet=True), *others)}),)},
        {"hands": (own.model_copy(update={"cards": tuple(others)}),)},
        {
            "table": table.model_copy(
                update={"middle": table.middle.model_copy(update={"notes": ()})}
            )
        },
        {"table": None},
    )
    assert first == HandCard(card="J2", quiet=True)
    for change in changes:
        other = references.reduced(shown.model_copy(update=change))
        assert references.difference(other, right) > references.TOLERANCE


def test_every_reference_is_used() -> None:
    folder = references.FOLDER / "hands"
    assert {f"hands/{file.stem}" for file in folder.glob("*.png")} == set(references.HANDS)
    assert sum(file.stat().st_size for file in folder.iterdir()) < 300_000


@pytest.mark.parametrize("name", HANDS)
def test_files_are_small_and_as_wide_as_those_of_tables(name: str) -> None:
    file = references.drawn(hand(name))
    assert len(file) <= MOST_BYTES
    with Image.open(io.BytesIO(file)) as opened:
        assert (opened.format, opened.width) == ("PNG", WIDTH)
        corners = opened.convert("RGBA")
    assert (
        corners.getpixel((0, 0))
        == corners.getpixel((WIDTH - 1, corners.height - 1))
        == (
            *RIM,
            0,
        )
    )


@pytest.mark.parametrize("name", HANDS)
def test_a_hand_and_its_table_fit_on_a_phone_above_the_buttons(name: str) -> None:
    tallest = TALLEST if len(hand(name).hands) == 1 else TALLEST_OF_TWO
    assert layout(hand(name)).height * PHONE / WIDTH <= tallest


# --- legible --------------------------------------------------------------------------------------


def test_cards_are_wide_enough_on_a_phone_and_their_ranks_high_enough() -> None:
    assert WIDE * PHONE / WIDTH >= LEAST_WIDTH
    for height in (CARD, PLAY, LOW_PLAY, OPEN):
        face = sprites.card("JK", height)
        dark = face.convert("L").crop((6, 6, face.width // 3, round(height * 0.37)))
        rows = [
            row
            for row in range(dark.height)
            if min(dark.crop((0, row, dark.width, row + 1)).tobytes()) < 140
        ]
        assert (rows[-1] - rows[0] + 1) * PHONE / WIDTH >= SMALLEST
    assert CAPITAL * PHONE / WIDTH >= SMALLEST


CARDS_OF_HANDS = st.lists(
    st.builds(HandCard, card=st.sampled_from(CARDS), quiet=st.booleans(), received=st.booleans()),
    min_size=1,
    max_size=14,
).map(tuple)


@given(CARDS_OF_HANDS, st.none() | CARDS_OF_HANDS, st.sampled_from(["own", "other", "both"]))
def test_every_card_is_in_the_picture_with_rank_and_suit_uncovered(
    own: tuple[HandCard, ...], other: tuple[HandCard, ...] | None, acts: str
) -> None:
    hands = [SceneHand(seat=1, cards=own, acts=other is None or acts != "other")]
    if other:
        table = SceneHand(
            seat=3, own=False, name=Name("The Table", ""), cards=other, acts=acts != "own"
        )
        hands.append(table)
    where = layout(HandScene(language="en", hands=tuple(hands)))
    spots = spots_of(where)
    assert len(spots) == len(own) + len(other or ())
    for number, spot in enumerate(spots):
        assert 0 < spot.left < spot.left + WIDE < WIDTH
        assert 0 < spot.top < spot.top + spot.height < where.height
        corner = Box(spot.left, spot.top, CORNER[0] * WIDE, CORNER[1] * CARD)
        assert spot.top + spot.height >= corner.bottom
        for later in spots[number + 1 :]:
            assert not overlap(corner, Box(later.left, later.top, WIDE, later.height))


@pytest.mark.parametrize("count", range(1, 15))
def test_cards_of_a_hand_that_acts_lie_side_by_side_in_at_most_two_rows(count: int) -> None:
    cards = tuple(HandCard(card=card) for card in CARDS[:count])
    scene = HandScene(language="en", hands=(SceneHand(seat=0, cards=cards),))
    (spots,) = layout(scene).hands
    rows = {spot.top: [other.left for other in spots if other.top == spot.top] for spot in spots}
    assert len(rows) == (1 if count <= 7 else 2)
    for lefts in rows.values():
        assert all(right - left >= WIDE for left, right in pairwise(lefts))
    tops = sorted(rows)
    assert all(lower - upper == ROW_DISTANCE for upper, lower in pairwise(tops))


def test_quiet_cards_differ_without_colours() -> None:
    """They lie lower, and are much darker."""
    shown = hand("turn-4")
    grey = compose(shown).convert("L")
    tops: dict[bool, set[float]] = {True: set(), False: set()}
    for spot in spots_of(layout(shown))[:6]:
        tops[spot.card.quiet].add(spot.top)
        brightness = grey.getpixel((round(spot.left + WIDE * 0.75), round(spot.top + 30)))
        assert (brightness > 220) != spot.card.quiet  # type: ignore[operator]
    assert max(tops[False]) < min(tops[True])


def test_received_cards_have_a_sign() -> None:
    shown = hand("lead-4")
    plain = shown.hands[0].model_copy(
        update={"cards": tuple(HandCard(card=card.card) for card in shown.hands[0].cards)}
    )
    with_signs, without = (
        compose(each) for each in (shown, shown.model_copy(update={"hands": (plain,)}))
    )
    for spot in spots_of(layout(shown)):
        box = tuple(map(round, (spot.left, spot.top, spot.left + WIDE, spot.top + 60)))
        same = with_signs.crop(box).tobytes() == without.crop(box).tobytes()  # type: ignore[arg-type]
        assert same != spot.card.received


# --- the table ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in HANDS if hand(name).table])
def test_nothing_in_the_table_part_lies_over_something_else(name: str) -> None:
    shown = hand(name)
    where = layout(shown)
    assert where.table is not None
    felt = where.table
    boxes = [spot.room for spot in felt.spots]
    play = felt.cards._replace(height=felt.middle.first if shown.table.middle.cards else 0)  # type: ignore[union-attr]
    lines = felt.texts._replace(
        top=felt.cards.top + felt.middle.first, height=50 * len(felt.middle.lines)
    )
    for one, other in combinations([*boxes, play, lines, *felt.arrows], 2):
        assert not overlap(one, other)
    for box in boxes:
        assert box.left >= 0
        assert box.right <= WIDTH
        assert box.bottom <= where.height
    assert max(box.bottom for box in (play, lines)) < felt.height


def overlap(one: Box, other: Box) -> bool:
    return (
        one.left < other.right - 0.01
        and other.left < one.right - 0.01
        and one.top < other.bottom - 0.01
        and other.top < one.bottom - 0.01
    )


@pytest.mark.parametrize("name", ["turn-4", "turn-6", "turn-12", "other-3", "dealer-3"])
def test_long_and_strange_names_fit(name: str) -> None:
    for names in (LONG, STRANGE):
        shown = with_names(hand(name), *names)
        where = layout(shown)
        assert shown.table is not None
        assert where.table is not None
        shortened = short_names(shown.table, where.table)
        for text, spot in zip(shortened, where.table.spots, strict=True):
            assert text.text
            assert text.width <= spot.plate.width
        assert compose(shown).size == (WIDTH, where.height)


@pytest.mark.parametrize("name", ["turn-4", "turn-6", "exchange-12"])
def test_clockwise_play_mirrors_the_seats(name: str) -> None:
    shown = hand(name)
    assert shown.table is not None
    other = shown.model_copy(update={"table": shown.table.model_copy(update={"clockwise": True})})
    here, there = layout(shown).table, layout(other).table
    assert here is not None
    assert there is not None
    assert here.spots[1].room.centre > WIDTH / 2 > there.spots[1].room.centre
    assert here.spots[0].room == there.spots[0].room


# --- nothing that is hidden -----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("options", some(GAMES, 2), ids=named)
def test_no_pixel_of_a_hidden_card_is_in_a_picture(
    options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every card that the reader may not see is a marked sprite; the mark is on no picture."""
    rng = Random(5)
    asked = 0
    for number, match in enumerate(walk(options, 120 if SOAK else 60, 5)):
        if number % 3:
            continue
        chair = rng.randrange(len(game(match).chairs))
        known = public_cards(view(match, chair))
        mark_cards(monkeypatch, set(CARDS) - known)
        found = marked(match, chair)
        assert found is not True
        asked += found is False
        own = next(iter(sorted(known)), None)
        if own is not None and found is False and number % 9 == 0:
            mark_cards(monkeypatch, known)
            assert marked(match, chair)
    assert asked > 5


def mark_cards(monkeypatch: pytest.MonkeyPatch, cards: set[str]) -> None:
    """Replace the faces of these cards by a colour that nothing else has."""

    def face(card: str, height: int) -> Image.Image:
        found = sprites.card(card, height)
        if card in cards:
            found = Image.new("RGBA", found.size, (*MARK, 255))
        return found

    for module in (picture, middle):
        monkeypatch.setattr(module, "card", face)
        monkeypatch.setattr(module, "shaded_card", face)


def marked(match: Match, chair: int) -> bool | None:
    """Return whether the mark is in the picture of this hand; `None` without a picture."""
    shown = hand_scene(game(match), chair, WORDS, partial(in_display_order, sorting="dog_first"))
    if shown is None:
        return None
    colours = compose(shown).getcolors(1 << 20) or []
    return MARK in [colour for _, colour in colours]
