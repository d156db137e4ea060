"""Pictures of tables as pixels: equal to the references, small, legible, no hidden cards."""

from __future__ import annotations

import io
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFont

from bench.walks import random_action, random_deck
from bot.art.names import CARDS
from bot.pictures import sprites, typeface
from bot.pictures.canvas import BACKGROUND, FELT, RIM, STRIP
from bot.pictures.descriptions import Name
from bot.pictures.letters import FACES, letters
from bot.pictures.table import middle, plates
from bot.pictures.table.layout import CARD, SMALL_CARD, WIDTH, layout
from bot.pictures.table.picture import compose, draw_table
from bot.pictures.table.plates import short_names
from bot.pictures.table.scene import (
    SceneCall,
    TableScene,
)
from bot.pictures.typeface import (
    CAPITAL,
    Colour,
    font_text,
    in_display_order,
    name_text,
    shorten,
    shorten_distinctly,
    wrap,
)
from engine import Match, Phase, apply, deal, new_match, view
from tests.bot.pictures import references
from tests.bot.pictures.scenes import LONG, STRANGE, TABLES, game, sample, scene
from tests.bot.pictures.table.test_contents import GAMES, named, public_cards
from tests.campaign import CHARACTERS, SOAK, examples
from tests.campaign import sample as some

MOST_BYTES = 80_000
PHONE = 350
"""Width of the smallest picture that must be legible."""
SMALLEST = 11
"""Minimum height of capitals in pixels at that width."""
MARK = (255, 0, 255)
"""Colour that no picture contains."""


def opened(picture: bytes) -> Image.Image:
    with Image.open(io.BytesIO(picture)) as file:
        return file.convert("RGBA")


def with_names(of: TableScene, *names: str) -> TableScene:
    """Return the scene with these names, up to the number of seats."""
    found = (
        seat.model_copy(update={"name": Name(name, f"Player {seat.seat + 1}")})
        for seat, name in zip(of.seats, names * 3, strict=False)
    )
    return of.model_copy(update={"seats": tuple(found)})


# --- references ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", references.NAMES)
def test_pictures_equal_their_references(name: str) -> None:
    found = references.difference(
        references.reduced(references.stored(name)), references.reference(name)
    )
    assert found < references.TOLERANCE


def test_small_differences_are_noticed() -> None:
    """The tolerance covers font smoothing only; another digit or mark exceeds it."""
    trick = references.stored("trick-4")
    right = references.reference("trick-4")
    ada, ben, *others = trick.seats
    changes = (
        ada.model_copy(update={"cards": ada.cards - 1}),
        ada.model_copy(update={"mark": "passed"}),
        ada.model_copy(update={"team": 1}),
        ada.model_copy(update={"name": Name("Ida", "")}),
    )
    for changed in changes:
        other = trick.model_copy(update={"seats": (changed, ben, *others)})
        assert references.difference(references.reduced(other), right) > references.TOLERANCE


def test_every_reference_is_used() -> None:
    files = {file.stem for file in references.FOLDER.glob("*.png")}
    assert files == set(references.NAMES)
    assert sum(file.stat().st_size for file in references.FOLDER.glob("*.png")) < 500_000


@pytest.mark.parametrize("name", TABLES)
def test_files_are_small_and_have_the_agreed_width(name: str) -> None:
    picture = references.drawn(sample(name))
    assert picture.startswith(b"\x89PNG")
    assert len(picture) <= MOST_BYTES
    image = opened(picture)
    assert 800 <= image.width <= 1000
    assert image.height <= image.width


def test_corners_are_transparent_and_the_rest_is_opaque() -> None:
    image = opened(references.drawn(sample("lead-4")))
    alpha = image.getchannel("A")
    right, low = image.width - 1, image.height - 1
    corners = ((0, 0), (right, 0), (0, low), (right, low))
    assert [alpha.getpixel(corner) for corner in corners] == [0] * 4
    middle_of_edges = ((WIDTH // 2, 0), (WIDTH // 2, low), (0, low // 2), (right, low // 2))
    assert {image.getpixel(place) for place in middle_of_edges} == {(*RIM, 255)}
    clear = sum(alpha.histogram()[:255])
    assert clear < 4 * 30 * 30


def test_palette_colours_are_near_the_intended_ones() -> None:
    for name in ("trick-4", "trick-12", "match-3", "lobby-6"):
        found = opened(references.drawn(sample(name))).convert("RGB")
        meant = compose(sample(name))
        inside = (30, 30, WIDTH - 30, meant.height - 30)
        apart = references.difference(meant.crop(inside), found.crop(inside))
        assert apart < 16
    found = opened(references.drawn(sample("lead-4")))
    for place, colour in (((450, 8), STRIP), ((4, 600), BACKGROUND), ((300, 350), FELT)):
        assert found.getpixel(place) == (*colour, 255)


# --- legibility ----------------------------------------------------------------------------------


def test_capitals_and_digits_are_legible_on_a_phone() -> None:
    assert CAPITAL * PHONE / WIDTH >= SMALLEST
    for face in FACES:
        font = ImageFont.truetype(face.file, face.size)
        for sign in "HA08":
            _, top, _, bottom = font.getbbox(sign, anchor="ls")
            assert bottom - top >= CAPITAL  # measured in whole pixels


@pytest.mark.parametrize("height", [CARD, SMALL_CARD, middle.BEFORE])
def test_ranks_on_cards_are_legible_on_a_phone(height: int) -> None:
    face = sprites.card("JK", height)
    dark = face.convert("L").crop((6, 6, face.width // 3, round(height * 0.37)))
    rows = [
        row
        for row in range(dark.height)
        if min(dark.crop((0, row, dark.width, row + 1)).tobytes()) < 140
    ]
    assert (rows[-1] - rows[0] + 1) * PHONE / WIDTH >= SMALLEST


def test_signs_of_teams_differ_without_colours() -> None:
    first, second = (sprites.team_emoji(team, 38).getchannel("A") for team in (0, 1))
    apart = sum(abs(a - b) for a, b in zip(first.tobytes(), second.tobytes(), strict=True)) / 255
    assert apart > 0.2 * 38 * 38


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours as defined by WCAG, 1 to 21."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in colour)
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def test_words_at_seats_stand_out_from_their_background() -> None:
    calls = [
        SceneCall(text="", grand=grand, made=made)
        for grand in (True, False)
        for made in (None, True, False)
    ]
    for look in (plates.NOTE, *map(plates.call_style, calls)):
        assert contrast(look.fill, look.ink) >= 4.5


def test_turn_is_visible_without_colours() -> None:
    """The plate of the seat on turn is much brighter than all others."""
    grey = compose(sample("trick-4")).convert("L")
    found = sample("trick-4")
    for seat, spot in zip(found.seats, layout(found).spots, strict=True):
        edge = spot.plate.left if spot.side == "left" else spot.plate.right - 30
        if spot.side in ("top", "bottom"):
            edge = spot.plate.centre - 90
        brightness = grey.getpixel((round(edge + 12), round(spot.plate.top + 12)))
        assert (brightness > 180) == (seat.mark == "turn")  # type: ignore[operator]


# --- names ----------------------------------------------------------------------------------------


def test_two_long_names_with_the_same_beginning_differ() -> None:
    shown = with_names(sample("trick-12"), *LONG)
    names = [name.text for name in short_names(shown, layout(shown))]
    assert len(set(names)) == 12
    assert all("…" in name for name in names)


@given(
    st.lists(st.sampled_from(LONG), min_size=2, max_size=12, unique=True),
    st.lists(st.integers(130, 420), min_size=12, max_size=12),
)
def test_shortened_names_stay_distinct(names: list[str], widths: list[int]) -> None:
    """With plates of any widths."""
    texts = [font_text(name) for name in names]
    short = shorten_distinctly(texts, [float(width) for width in widths[: len(names)]])
    for one, text in zip(short, texts, strict=True):
        beginning, cut, end = one.text.partition("…")
        fitting = [
            other
            for other in texts
            if other.text.startswith(beginning) and other.text.endswith(end)
        ]
        assert not cut or fitting == [text]


def test_centre_shortens_a_name_like_its_plate() -> None:
    shown = with_names(sample("trick-12"), *LONG)
    where = layout(shown)
    for short, end in zip(short_names(shown, where), plates.name_ends(shown, where), strict=True):
        assert len(short.text.partition("…")[2]) == end
    assert any(plates.name_ends(shown, where))


def test_titles_are_never_cut() -> None:
    titles = {seat.title for name in TABLES for seat in sample(name).seats if seat.title}
    assert len(titles) == 12
    narrowest = min(spot.plate.width for spot in layout(sample("trick-12")).spots)
    for title in titles:
        assert font_text(title).width <= narrowest - 2 * plates.PAD


def test_long_texts_are_wrapped_and_then_shortened() -> None:
    two = wrap("Four-of-a-kind bomb, aces, thrown by somebody at last", 300, 2)
    assert len(two) == 2
    assert two[1].text.endswith("…")
    assert all(line.width <= 300 for line in two)
    assert [line.text for line in wrap("Ace", 300, 2)] == ["Ace"]
    assert wrap("", 300, 2) == []


@pytest.mark.parametrize(
    "name, text",
    [
        ("Ada", "Ada"),
        ("Ελένη", "Ελένη"),
        ("Александра", "Александра"),
        ("𝓐𝓭𝓪", "Ada"),
        ("Zoë🔥", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("Z\u0351\u0352\u0353alg\u0489o", "Zalgo"),
        ("a\nb\tc", "a b c"),
        ("\u202eAda\u2066", "Ada"),
        ("שלום", "שלום"),
        ("محمد", "محمد"),
        ("田中太郎", "Player 1"),
        ("田中 Taro", "Taro"),
        ("愛愛愛愛a", "Player 1"),
        ("😀🎴", "Player 1"),
        ("👨‍👩‍👧", "Player 1"),
        ("", "Player 1"),
        ("\x00\ud7ff\ue000", "Player 1"),
        ("---", "Player 1"),
    ],
)
def test_names_without_glyphs_are_replaced(name: str, text: str) -> None:
    assert name_text(Name(name, "Player 1")).text == text


@pytest.mark.slow
@examples(20)
@given(st.lists(st.text(CHARACTERS, max_size=32), min_size=4, max_size=4))
def test_no_name_breaks_a_picture_or_shows_missing_glyphs(names: list[str]) -> None:
    shown = with_names(sample("trick-4"), *names)
    where = layout(shown)
    for text, spot in zip(short_names(shown, where), where.spots, strict=True):
        assert text.text.strip()
        assert {ord(sign) for sign in text.text} <= letters(text.face)
        assert text.width <= spot.plate.width
    assert compose(shown).size == (WIDTH, where.height)


def test_strange_names_fit_at_a_full_table() -> None:
    assert compose(with_names(sample("trick-12"), *STRANGE)).width == WIDTH


@pytest.mark.parametrize(
    "text, drawn",
    [
        ("Ada (2)", "Ada (2)"),
        ("שלום (ב) 12", "12 (ב) םולש"),
        ("Ada שלום", "Ada םולש"),
        ("Ada (שלום) 2", "Ada (םולש) 2"),
        ("שלום (Ada) 7", "7 (Ada) םולש"),
        ("Ada שלום (2)", "Ada (2) םולש"),
        ("[(ב) א]", "[א (ב)]"),
        ("שלום…", "…םולש"),
        ("لا", "\ufefb"),
        ("محمد", "\ufeaa\ufee4\ufea4\ufee3"),
        ("عبد الله", "\ufeea\ufee0\ufedf\ufe8d \ufeaa\ufe92\ufecb"),
    ],
)
def test_right_to_left_text_is_drawn_in_its_order(text: str, drawn: str) -> None:
    """Brackets are mirrored and Arabic letters are joined."""
    assert in_display_order(text, 1) == drawn


def test_joined_arabic_letters_are_in_the_font() -> None:
    """All contextual forms and ligatures."""
    arabic = [chr(code) for code in sorted(letters(1)) if 0x600 <= code < 0x700]
    words = [f"{letter} {letter}ب ب{letter}ب ب{letter} ل{letter} بل{letter}" for letter in arabic]
    for word in [*words, "الله", "بالله", "صلى الله عليه وسلم", "محمد", "اكبر", "ریال"]:
        assert {ord(shape) for shape in in_display_order(word, 1)} <= letters(1), ascii(word)


def test_pictures_are_the_same_without_fribidi(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pillow's default layout, Raqm, needs it; the references prove this where it is missing."""
    names = ("שרה (ב)", "محمد علي", "Walter AVA", "דוד 2")
    here = draw_table(with_names(sample("trick-4"), *names))
    for cached in (typeface._font, typeface._width, typeface._text_mask):
        cached.cache_clear()
    monkeypatch.setattr(ImageFont.core, "HAVE_RAQM", False)
    assert draw_table(with_names(sample("trick-4"), *names)) == here


@given(st.text(CHARACTERS, max_size=40), st.floats(60, 400), st.integers(0, 4))
def test_shortened_texts_fit(text: str, width: float, end: int) -> None:
    short = shorten(font_text(text), width, end)
    assert short.width <= width or short.text == "…"


def test_fonts_have_the_glyphs_of_their_tables() -> None:
    """No other character is drawn as the box for missing glyphs."""
    for number, face in enumerate(FACES):
        font = ImageFont.truetype(face.file, face.size)
        missing = font.getmask("\U0010fffe").getbbox(), bytes(font.getmask("\U0010fffe"))
        known = letters(number)
        assert {ord(sign) for sign in "AzÄçŁğΑωЖя…→−–✗"[: -1 if number == 0 else None]} <= known
        for sign in "AzΩЖ":
            drawn = font.getmask(sign)
            assert (drawn.getbbox(), bytes(drawn)) != missing
        assert ord("田") not in known


# --- hidden information --------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("options", some(GAMES, 2), ids=named)
def test_pictures_contain_no_hidden_card(options: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every hidden card is drawn in the mark colour, which must not appear."""
    rng = Random(5)
    match = new_match(options, 0)  # type: ignore[arg-type]
    seen_open = 0
    for step in range(120 if SOAK else 60):
        if match.phase is Phase.MATCH_END:
            break
        if match.round is None or match.phase is Phase.ROUND_END:
            match = deal(match, random_deck(match, rng))[0]
        elif step % 3:
            match = apply(match, random_action(match, rng))[0]
            continue
        public = public_cards(view(match, None))
        seen_open += bool(public)
        mark_cards(monkeypatch, set(CARDS) - public)
        assert not marked(match)
        match = apply(match, random_action(match, rng))[0]
    assert seen_open > 2


def test_marked_card_on_the_table_is_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    match = TABLES["trick-4"]().match  # type: ignore[union-attr]
    mark_cards(monkeypatch, {"SK"})
    assert marked(match)
    mark_cards(monkeypatch, {"J4"})
    assert marked(match)


def mark_cards(monkeypatch: pytest.MonkeyPatch, cards: set[str]) -> None:
    """Draw these cards in the mark colour."""

    def face(card: str, height: int) -> Image.Image:
        found = sprites.card(card, height)
        if card in cards:
            found = Image.new("RGBA", found.size, (*MARK, 255))
        return found

    monkeypatch.setattr(middle, "card", face)
    monkeypatch.setattr(middle, "shaded_card", face)
    monkeypatch.setattr(plates, "card", face)


def marked(match: Match) -> bool:
    """Return whether the mark is in the picture of this match."""
    colours = compose(scene(game(match))).getcolors(1 << 20) or []
    return MARK in [colour for _, colour in colours]
