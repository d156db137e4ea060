"""Pictures and animations of replays: as they should look, and without hidden cards."""

from __future__ import annotations

import io
from random import Random

import pytest
from PIL import Image

from bench.walks import random_action, random_deck
from bot.pictures.replay import animation, picture
from bot.pictures.replay.animation import MOST_BYTES, draw_animation
from bot.pictures.replay.layout import layout
from bot.pictures.replay.picture import compose, draw_replay
from bot.pictures.replay.replay_text import replay_text
from bot.pictures.replay.scene import ReplayScene, TrickAnimation
from bot.pictures.table import middle
from bot.pictures.table.layout import WIDTH
from bot.pictures.table.scene_text import LONGEST
from engine import Match, Options, Phase, apply, card_text, deal, indices, new_match, view
from tests.bot.pictures import references
from tests.bot.pictures.replays import ALL, REPLAYS, replay, shown
from tests.bot.pictures.scenes import WORDS, game
from tests.bot.pictures.table.test_contents import GAMES, hidden_shuffled, named, public_cards
from tests.campaign import SOAK

LARGEST = 140_000
TALLEST = 720
"""Maximum height on a phone: with twelve players."""


def walk(options: Options, steps: int, seed: int) -> list[Match]:
    """Return the positions of random rounds."""
    rng, match, found = Random(seed), new_match(options, 0), list[Match]()
    for _ in range(steps):
        if match.phase is Phase.MATCH_END:
            break
        if match.round is None or match.phase is Phase.ROUND_END:
            match = deal(match, random_deck(match, rng))[0]
        else:
            match = apply(match, random_action(match, rng))[0]
        found.append(match)
    return found


@pytest.mark.parametrize("name", references.REPLAYS)
def test_pictures_look_as_they_should(name: str) -> None:
    found = references.difference(
        references.reduced(references.stored_replay(name)), references.reference(name)
    )
    assert found < references.TOLERANCE


def test_small_differences_are_noticed() -> None:
    right = references.reference("replays/trick-4")
    scene = references.stored_replay("replays/trick-4")
    own, *others = scene.hands
    for hands in ((("T7", *own[1:]), *others), (own[:-1], *others), (own, (), *others[1:])):
        changed = scene.model_copy(update={"hands": hands})
        assert references.difference(references.reduced(changed), right) > references.TOLERANCE


@pytest.mark.parametrize("name", REPLAYS)
def test_pictures_are_small_and_nothing_overlaps(name: str) -> None:
    scene = replay(name)
    where = layout(scene)
    assert len(draw_replay(scene)) < LARGEST
    assert where.table.height * 350 / WIDTH < TALLEST
    boxes = [*where.hands, *(spot.room for spot in where.table.spots), where.table.felt]
    for n, one in enumerate(boxes):
        assert 0 <= one.left < one.right <= WIDTH
        assert 0 < one.top < one.bottom <= where.table.height
        for other in boxes[:n]:
            beside = one.right <= other.left or other.right <= one.left
            assert beside or one.bottom <= other.top or other.bottom <= one.top


def test_partners_sit_diagonally() -> None:
    for name in ("trick-4", "trick-3"):
        scene = replay(name)
        one, two, three, four = layout(scene).hands
        assert one.left == four.left != two.left == three.left
        assert one.top == two.top != three.top == four.top


@pytest.mark.parametrize("options", GAMES, ids=named)
def test_hidden_hands_are_neither_in_the_scene_nor_on_the_picture(
    options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = set[str]()
    for module, name in ((picture, "card"), (middle, "card"), (middle, "shaded_card")):
        original = getattr(module, name)

        def watched(card: str, height: int, original: object = original) -> Image.Image:
            drawn.add(card)
            return original(card, height)  # type: ignore[operator, no-any-return]

        monkeypatch.setattr(module, name, watched)

    def forget() -> None:
        drawn.clear()

    rng = Random(3)
    for n, match in enumerate(walk(options, 250 if SOAK else 120, 3)):
        public = public_cards(view(match, None))
        scene = shown(game(match), ())
        assert shown(game(hidden_shuffled(match, rng)), ()) == scene
        own = {card_text(card).partition("#")[0] for card in indices(_hand(match, 1))}
        one = shown(game(match), (1,))
        told = {card for hand in one.hands for card in hand}
        assert told <= public | own
        if n % 12 == 0:
            forget()
            compose(scene)
            before = {*scene.table.middle.before}
            assert drawn <= public | before
            forget()
            compose(one)
            assert own <= drawn <= public | before | own


def _hand(match: Match, seat: int) -> int:
    assert match.round is not None
    return match.round.hands[seat].cards


@pytest.mark.parametrize("options", GAMES, ids=named)
def test_text_has_every_open_hand_and_is_short_enough(options: Options) -> None:
    for match in walk(options, 60, 5):
        scene = shown(game(match), ALL)
        text = replay_text(scene, WORDS)
        assert len(text) <= LONGEST
        for seat, hand in zip(scene.table.seats, scene.hands, strict=True):
            assert text.count(f"{seat.name.text}: ") >= 1 + bool(hand) - 1


def animated(scenes: list[ReplayScene]) -> tuple[int, tuple[int, int], int]:
    """Return the number of pictures of an animation, their size, and its bytes."""
    data = draw_animation(TrickAnimation(scenes=tuple(scenes)))
    with Image.open(io.BytesIO(data)) as file:
        return getattr(file, "n_frames", 1), file.size, len(data)


def test_animation_has_all_pictures_in_one_size() -> None:
    scenes = [replay("trick-4"), replay("seat-4"), replay("end-4")]
    frames, (width, _), size = animated(scenes)
    assert (frames, width) == (3, animation.WIDTHS[0])
    assert size < MOST_BYTES


def test_large_animation_becomes_narrower(monkeypatch: pytest.MonkeyPatch) -> None:
    scenes = [replay("trick-4"), replay("deal-4")]
    _, _, size = animated(scenes)
    monkeypatch.setattr(animation, "MOST_BYTES", size - 1)
    _, (width, _), narrower = animated(scenes)
    assert width == animation.WIDTHS[1]
    assert narrower < size
