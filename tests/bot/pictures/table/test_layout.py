"""Layout of table pictures: nothing overlaps anything of another seat."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.pictures.canvas import BACKGROUND, Canvas
from bot.pictures.descriptions import Name
from bot.pictures.table import middle, plates
from bot.pictures.table.captions import caption_lines
from bot.pictures.table.layout import HEADER, ROWS, WIDTH, Box, layout
from bot.pictures.table.plates import fitting_title, short_names
from bot.pictures.table.scene import (
    NAME,
    Caption,
    Mark,
    Middle,
    Note,
    SceneCall,
    SceneSeat,
    Score,
    TableScene,
)
from bot.pictures.typeface import CAPITAL, Colour, FontText
from tests.campaign import examples


@pytest.mark.parametrize("clockwise", [False, True])
@pytest.mark.parametrize("number", ROWS)
def test_plates_do_not_overlap_or_leave_the_picture(number: int, clockwise: bool) -> None:
    seat = SceneSeat(seat=0, name=Name("Ada", "Player 1"), title="Burgher 5")
    seats = (seat,) * number
    where = layout(TableScene(language="en", clockwise=clockwise, heading="", seats=seats))
    boxes = [spot.plate for spot in where.spots]
    assert len(boxes) == number
    for box in boxes:
        assert 0 <= box.left < box.right <= WIDTH
        assert HEADER <= box.top < box.bottom <= where.height
    for one, other in combinations([*boxes, where.cards], 2):
        assert not _meet(one, other)


def _meet(one: Box, other: Box) -> bool:
    across = one.left < other.right and other.left < one.right
    return across and one.top < other.bottom and other.top < one.bottom


class Outlines(Canvas):
    """Records the boxes of pieces and texts."""

    def __init__(self) -> None:
        super().__init__(Image.new("RGB", (1, 1)))  # nothing is drawn
        self.boxes: list[Box] = []

    def put(self, piece: Image.Image, left: float, top: float) -> None:
        """Record the box of a piece."""
        self.boxes.append(Box(left, top, piece.width, piece.height))

    def slab(self, left: float, top: float, width: float, height: float, **look: object) -> None:
        """Record the box of a background."""
        self.boxes.append(Box(left, top, width, height))

    def write(
        self, text: FontText, left: float, middle: float, colour: Colour = BACKGROUND
    ) -> None:
        """Record the box of a text."""
        self.boxes.append(Box(left, middle - CAPITAL / 2, text.width, CAPITAL))


def crowded(number: int, mark: Mark, made: bool | None, middle: Middle | None = None) -> TableScene:
    """Return a table with everything at once at every seat."""
    call = SceneCall(text="Grand Tichu", grand=True, made=made)
    seats = tuple(
        SceneSeat(
            seat=seat,
            name=Name("W" * 32, "Player 1"),
            sitter="computer",
            team=seat % 2 if number in (4, 6) else None,
            title="" if number in (4, 6) else "Great Lord",
            badge="" if number in (4, 6) else "crown",
            cards=14,
            call=call if number in (4, 6) else None,
            mark=mark,
            word="pass" if mark == "passed" else "",
            notes=("not at the table",),
        )
        for seat in range(number)
    )
    return TableScene(
        language="en", clockwise=False, heading="", seats=seats, middle=middle or Middle()
    )


def seat_boxes(of: TableScene) -> list[list[Box]]:
    """Return the boxes of everything drawn for each seat."""
    where = layout(of)
    each: list[list[Box]] = []
    for seat, spot, name in zip(of.seats, where.spots, short_names(of, where), strict=True):
        canvas = Outlines()
        plates.Plates(canvas, of, where).draw_seat(seat, spot, name)
        each.append(canvas.boxes)
    return each


@pytest.mark.parametrize("mark", ["turn", "passed", "waiting"])
@pytest.mark.parametrize("number", [4, 5, 6, 7, 8, 9, 10, 11, 12])
@pytest.mark.parametrize("made", [None, False])
def test_marks_of_a_seat_do_not_overlap_its_neighbours(
    number: int, mark: Mark, made: bool | None
) -> None:
    """With everything at once at every seat."""
    shown = crowded(number, mark, made)
    where, each = layout(shown), seat_boxes(shown)
    for box in [box for boxes in each for box in boxes]:
        assert 0 <= box.left < box.right <= WIDTH
        assert HEADER <= box.top < box.bottom <= where.height
    for one, other in combinations([*each, list(where.arrows)], 2):
        assert not any(_meet(a, b) for a in one for b in other)


PLAIN = ("Four-of-a-kind bomb, kings", NAME, f"{NAME} gives the trick away")
CAPTIONS = st.lists(st.sampled_from((*PLAIN, "long words " * 9, "W" * 60)), max_size=3)
NOTES = st.lists(
    st.builds(
        Note,
        icon=st.sampled_from(["", "bomb", "wish", "paused"]),
        text=st.sampled_from(["Bomb!", "25 points", "Wish: 10", "a note of many words " * 3]),
    ),
    max_size=4,
)


@st.composite
def middles(draw: st.DrawFn, number: int) -> Middle:
    """Draw a table centre with more items than ever occur together."""
    named = st.integers(0, number - 1)
    captions = [
        Caption(text=text, named=draw(named) if NAME in text else None) for text in draw(CAPTIONS)
    ]
    scores = [Score(team=None, holder=n, change="+100", total="1,000") for n in range(4)]
    return Middle(
        cards=("JK",) * draw(st.sampled_from([0, 1, 4, 8, 9, 14])),
        before=("J8",) * draw(st.sampled_from([0, 1, 14])),
        captions=tuple(captions),
        notes=tuple(draw(NOTES)),
        scores=tuple(scores[: draw(st.sampled_from([0, 0, 2, 4]))]),
    )


@pytest.mark.slow
@pytest.mark.parametrize("number", ROWS)
@examples(20)
@given(st.data())
def test_centre_does_not_overlap_seats_or_arrows(number: int, data: st.DataObject) -> None:
    middle_ = data.draw(middles(number))
    shown = crowded(number, data.draw(st.sampled_from(["", "passed", "waiting"])), None, middle_)
    where = layout(shown)
    canvas = Outlines()
    middle.draw_middle(canvas, shown, where)
    taken = [box for boxes in seat_boxes(shown) for box in boxes] + list(where.arrows)
    for box in canvas.boxes:
        assert 0 <= box.left <= box.right <= WIDTH
        assert HEADER <= box.top < box.bottom <= where.height
        assert not any(_meet(box, other) for other in taken)


@pytest.mark.parametrize("number", [4, 5, 8, 9, 12])
def test_usual_centres_do_not_change_the_height(number: int) -> None:
    """Otherwise the buttons below the picture would jump from play to play."""
    bomb = Middle(
        cards=("JK", "SK", "PK", "TK"),
        captions=(Caption(text=PLAIN[0]), Caption(text=NAME, named=1)),
        notes=(Note(icon="bomb", text="Bomb!"), Note(icon="wish", text="Wish: 2")),
    )
    heights = {layout(crowded(number, "", None, found)).height for found in (bomb, Middle())}
    assert len(heights) == 1
    assert heights.pop() <= WIDTH


@pytest.mark.parametrize("clockwise", [False, True])
@pytest.mark.parametrize("number", ROWS)
def test_seats_are_placed_in_the_direction_of_play(number: int, clockwise: bool) -> None:
    """Angles seen from the centre only grow, or only shrink for clockwise play."""
    seat = SceneSeat(seat=0, name=Name("Ada", "Player 1"))
    scene_ = TableScene(language="en", clockwise=clockwise, heading="", seats=(seat,) * number)
    where = layout(scene_)
    centre = where.height / 2 + 30
    angles = [
        math.atan2(centre - spot.plate.top - 30, spot.plate.centre - WIDTH / 2)
        for spot in where.spots
    ]
    if clockwise:
        angles = [-angle - math.pi for angle in angles]
    turned = [(angle - angles[0]) % math.tau for angle in angles]
    assert turned == sorted(turned)


@pytest.mark.parametrize("text", [f"a long line in front of {NAME}", f"{NAME} in front of a line"])
def test_name_on_its_own_line_stays_on_its_side(text: str) -> None:
    shown = crowded(4, "", None, Middle(captions=(Caption(text=text, named=1),)))
    lines = caption_lines(shown, 300)
    named = [line.named is not None for line in lines]
    assert len(lines) > 1
    assert named.index(True) == (0 if text.startswith(NAME) else len(lines) - 1)
    told = (line.before.text for line in lines if line.named is None)
    assert " ".join(told) == text.replace(NAME, "").strip()


def test_each_caption_may_have_two_lines() -> None:
    captions = (Caption(text="Раунд 1 закінчено"), Caption(text="Подвійна перемога!"))
    lines = caption_lines(crowded(4, "", None, Middle(captions=captions)), 300)
    assert [line.before.text for line in lines] == ["Раунд 1", "закінчено", "Подвійна", "перемога!"]


def test_shortened_title_keeps_its_number() -> None:
    assert fitting_title("Міщанин 3", 1000).text == "Міщанин 3"
    cut = fitting_title("Міщанин 3", 180)
    assert cut.text.startswith("Мі")
    assert cut.text.endswith("… 3")
    assert cut.width <= 180
    assert fitting_title("Великий Лорд", 180).text.endswith("…")
