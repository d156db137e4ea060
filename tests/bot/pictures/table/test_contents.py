"""Scenes of tables: all public information in the right places, and nothing hidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bench.walks import random_action, random_deck
from bot.art.emojis import Emojis
from bot.ids import UserId
from bot.pictures.process_messages import parse_drawing
from bot.pictures.table.contents import replaced_names, table_scene
from bot.pictures.table.scene import NAME, SceneSeat, TableScene
from bot.pictures.table.scene_text import LONGEST, scene_text
from bot.table.state import Game
from bot.text import Say
from bot.text.cards import Speaker
from bot.text.labels import TEAM_EMOJIS
from cogs.pages.table.lobby import lobby_page
from cogs.pages.table.page import table_page
from engine import (
    AnswerGrand,
    Hand,
    Match,
    Options,
    Phase,
    Seat,
    View,
    after_quiet_window,
    apply,
    card_text,
    deal,
    indices,
    new_match,
    view,
)
from tests.bot.pictures.scenes import (
    FOUR,
    LONG,
    NANJING,
    SIX,
    STRANGE,
    TABLES,
    TWELVE,
    WORDS,
    begun_second,
    game,
    lobby,
    sample,
    scene,
    trichu,
    walked,
)
from tests.bot.positions import TIENTSIN, TRICHU, begun, declined, lords, passed, position
from tests.bot.text.pages import TEXT, parts
from tests.bot.text.pseudo import Pseudo, bare
from tests.bot.text.template import asked_in
from tests.campaign import SOAK
from tests.engine.positions import round_of

GAMES = (NANJING, TRICHU, TIENTSIN, lords(5), lords(8), lords(12))


def named(options: Options) -> str:
    return f"{options.variant}{options.players or ''}"


def names(of: TableScene) -> list[str]:
    return [seat.name.text for seat in of.seats]


def marks(of: TableScene, mark: str) -> set[int]:
    return {seat.seat for seat in of.seats if seat.mark == mark}


def at(of: TableScene, name: str) -> SceneSeat:
    (found,) = (seat for seat in of.seats if seat.name.text == name)
    return found


# --- seats ---------------------------------------------------------------------------------------


def test_seats_are_in_turn_order_and_partners_opposite() -> None:
    four = scene(game(walked(NANJING, 30, 1), FOUR))
    assert names(four) == ["Ada", "Ben", "Cleo", "Lin"]
    assert [seat.team for seat in four.seats] == [0, 1, 0, 1]
    six = scene(game(walked(TIENTSIN, 30, 1), SIX))
    assert names(six) == list(SIX)
    assert [seat.team for seat in six.seats] == [0, 1, 0, 1, 0, 1]


def test_clockwise_play_goes_the_other_way_round_the_same_seats() -> None:
    options = Options(direction="clockwise")
    shown = scene(game(walked(options, 30, 1), FOUR))
    assert shown.clockwise
    assert names(shown) == ["Ada", "Lin", "Cleo", "Ben"]


@pytest.mark.parametrize("person", range(4))
def test_only_person_is_at_the_bottom(person: int) -> None:
    others = [seat for seat in range(4) if seat != person]
    shown = scene(game(walked(NANJING, 30, 1), FOUR, others))
    assert shown.seats[0].seat == person
    assert [seat.sitter for seat in shown.seats] == ["person", *["computer"] * 3]


@pytest.mark.parametrize("dealer", range(3))
def test_only_person_is_at_the_bottom_of_trichu_too(dealer: int) -> None:
    three = game(declined(begun(TRICHU, dealer=dealer)), ("Ada", "Ben", "Cleo"), (0, 2))
    assert scene(three).seats[0].name.text == "Ben"


@pytest.mark.parametrize("dealer", range(3))
def test_in_trichu_the_table_is_opposite_its_dealer(dealer: int) -> None:
    shown = scene(game(declined(begun(TRICHU, dealer=dealer)), ("Ada", "Ben", "Cleo")))
    first, _, third, _ = shown.seats
    assert (first.seat, third.sitter) == (dealer, "table")
    assert first.team == third.team != shown.seats[1].team == shown.seats[3].team
    assert [bool(seat.notes) for seat in shown.seats] == [True, False, False, False]
    assert all("0" in seat.score for seat in shown.seats)
    assert shown.scores == ()


def test_lords_sit_by_rank_and_have_titles_but_no_teams() -> None:
    match = position(lords(12), "TURN 9", trick="7 J8 | 8 DRAGON", ranks=TWELVE)
    shown = scene(game(begun_second(match, TWELVE)))
    order = (TWELVE[0], *reversed(TWELVE[1:]))
    assert tuple(seat.seat for seat in shown.seats) == order
    assert len({seat.title for seat in shown.seats}) == 12
    assert [seat.badge for seat in shown.seats[:3]] == ["crown", "broom", ""]
    assert {seat.team for seat in shown.seats} == {None}


def test_lobby_has_one_heading_and_one_count_of_free_seats() -> None:
    """The heading is that of the message, and the count is below the picture."""
    state = lobby(NANJING, ("Ada", "Lin"), computers=[1])
    shown = scene(state)
    page = "\n".join(p["content"] for p in parts(lobby_page(state, WORDS)) if p["type"] == TEXT)
    assert f"## {shown.heading}" in page.splitlines()
    assert shown.middle.captions == ()


def test_lobby_shows_players_and_free_seats() -> None:
    shown = scene(lobby(NANJING, ("Ada", "Lin"), computers=[1]))
    assert [seat.sitter for seat in shown.seats] == ["person", "computer", "nobody", "nobody"]
    assert [seat.team for seat in shown.seats] == [0, 1, 0, 1]
    assert [bool(seat.notes) for seat in shown.seats] == [True, False, False, False]
    three = scene(lobby(TRICHU, ("Ada",)))
    assert [seat.sitter for seat in three.seats] == ["person", "nobody", "table", "nobody"]
    assert {seat.team for seat in three.seats} == {None}


@pytest.mark.parametrize("people, seats", [(1, 5), (4, 5), (5, 6), (11, 12), (12, 12)])
def test_lobby_of_lords_shows_the_needed_free_seats(people: int, seats: int) -> None:
    shown = scene(lobby(Options(variant="grandseigneur"), LONG[:people]))
    assert len(shown.seats) == seats
    assert sum(seat.sitter == "person" for seat in shown.seats) == people


# --- all phases -----------------------------------------------------------------------------------


@pytest.mark.parametrize("options", GAMES[:3], ids=named)
def test_grand_tichu_question_marks_open_answers(options: Options) -> None:
    match = begun(options)
    asked = {n for n, answer in enumerate(round_of(match).opening.answers) if answer is None}
    assert marks(scene(game(match)), "waiting") == asked
    one = min(asked)
    answered = apply(match, AnswerGrand(one, False))[0]
    assert marks(scene(game(answered)), "waiting") == asked - {one}
    assert marks(scene(game(answered)), "ready") == {one}


@pytest.mark.parametrize("options", GAMES, ids=named)
def test_exchange_marks_players_who_still_have_to_pass_cards(options: Options) -> None:
    ranks = range(options.players or 0) if options.variant == "grandseigneur" else ()
    match = declined(begun(options, ranks=list(ranks)))
    assert match.phase is Phase.EXCHANGE
    giving = {n for n, given in enumerate(round_of(match).opening.given) if given is None}
    shown = scene(game(match))
    assert marks(shown, "waiting") == giving
    assert not any(seat.open_cards for seat in shown.seats)
    one = min(giving)
    shown = scene(game(passed(match, one)))
    assert marks(shown, "waiting") == giving - {one}
    assert one in marks(shown, "ready")


def test_lead_has_a_leader_and_perhaps_a_wish_but_no_cards() -> None:
    match = position(NANJING, "LEAD 2", "wish Q")
    shown = scene(game(match, FOUR))
    assert shown.middle.cards == ()
    assert [caption.named for caption in shown.middle.captions] == [2]
    assert NAME in shown.middle.captions[0].text
    assert marks(shown, "turn") == {2}
    assert [note.icon for note in shown.middle.notes] == ["wish"]


def test_trick_shows_the_last_two_plays_and_passes() -> None:
    match = position(
        NANJING, "TURN 1", trick="0 J4,S4 | 1 pass | 2 PHOENIX=10,S10 | 3 pass | 0 pass"
    )
    shown = scene(game(match, FOUR))
    assert shown.middle.cards == ("PHOENIX", "S10")
    assert shown.middle.before == ("J4", "S4")
    assert shown.middle.captions[0].text == WORDS.combination(view(match, None).top)  # type: ignore[arg-type]
    assert shown.middle.captions[1].named == 2
    assert marks(shown, "turn") == {1}
    assert marks(shown, "passed") == {0, 3}


@pytest.mark.parametrize(
    "options, phase, trick",
    [
        (NANJING, "WINDOW 1", "0 J8"),
        (TRICHU, "CLOSING 0", "0 J8 | 1 pass | 3 pass | 2 pass"),
        (TIENTSIN, "GIFT 0", "0 DRAGON | 1 pass | 2 pass | 3 pass | 4 pass | 5 pass"),
        (lords(5), "TURN 1", "0 DRAGON"),
    ],
)
def test_windows_and_gifts_show_the_trick_and_who_is_next(
    options: Options, phase: str, trick: str
) -> None:
    match = position(options, phase, trick=trick)
    shown = scene(game(match))
    assert shown.middle.cards == (trick.split()[1],)
    assert [caption.named is not None for caption in shown.middle.captions] == [False, True]
    taken = phase.startswith("CLOSING")
    assert marks(shown, "turn") == (set() if taken else {round_of(match).turn})
    if phase.startswith("WINDOW"):
        assert scene(game(after_quiet_window(match))) == shown, "its end costs no request"


def test_dragon_gift_is_shown_before_and_after_the_bomb_window() -> None:
    trick = "0 DRAGON | 1 pass | 2 pass | 3 pass"
    closing, gift = (
        scene(game(position(NANJING, phase, trick=trick), FOUR))
        for phase in ("CLOSING 0", "GIFT 0")
    )
    assert closing == gift
    assert marks(closing, "turn") == {0}
    taken = scene(game(position(NANJING, "CLOSING 0", trick=trick.replace("DRAGON", "JA")), FOUR))
    assert taken.middle.captions[1].text != closing.middle.captions[1].text


@pytest.mark.parametrize("dealer", range(3))
def test_dealer_is_marked_while_the_table_is_on_turn(dealer: int) -> None:
    shown = scene(game(trichu("TURN 3", f"{dealer} S8", dealer=dealer).match))
    assert marks(shown, "turn") == {3}
    assert marks(shown, "plays") == {dealer}
    other = scene(game(trichu(f"TURN {dealer}", "3 J8", dealer=dealer).match))
    assert marks(other, "plays") == set()
    assert shown.seats[0].notes != other.seats[0].notes


def test_calls_are_open_until_they_are_made_or_lost() -> None:
    lines = ("calls tichu grand - -",)
    shown = scene(game(position(NANJING, "LEAD 0", *lines), FOUR))
    ada, ben = at(shown, "Ada").call, at(shown, "Ben").call
    assert ada is not None
    assert ben is not None
    assert (ada.grand, ada.made, ben.grand, ben.made) == (False, None, True, None)
    shown = scene(game(position(NANJING, "LEAD 0", *lines, out=[1]), FOUR))
    ada, ben = at(shown, "Ada").call, at(shown, "Ben").call
    assert ada is not None
    assert ben is not None
    assert (ada.made, ben.made) == (False, True)
    assert at(shown, "Ben").place == 1


def test_marks_absent_players_and_computers() -> None:
    shown = scene(game(walked(NANJING, 20, 2), FOUR, computers=[3], away=[0]))
    assert [bool(seat.notes) for seat in shown.seats] == [True, False, False, False]
    assert [seat.sitter for seat in shown.seats] == ["person", "person", "person", "computer"]


@pytest.mark.parametrize("name", ["round-4", "round-6", "match-4"])
def test_result_has_a_row_for_each_team(name: str) -> None:
    shown = sample(name)
    assert [score.team for score in shown.middle.scores] == [0, 1]
    assert all(score.change and score.total for score in shown.middle.scores)
    assert any(score.won for score in shown.middle.scores) == name.startswith("match")
    crowned = {seat.team for seat in shown.seats if seat.badge == "crown"}
    assert crowned == {score.team for score in shown.middle.scores if score.won}


@pytest.mark.parametrize("name", ["round-3", "match-3"])
def test_result_of_trichu_has_a_row_for_each_seat(name: str) -> None:
    shown = sample(name)
    holders = [shown.seats[score.holder or 0] for score in shown.middle.scores]
    assert [seat.seat for seat in holders] == [0, 1, 2, 3]
    assert not any(seat.score for seat in shown.seats)


def test_result_of_lords_names_the_new_great_lord() -> None:
    shown = sample("round-12")
    assert shown.middle.scores == ()
    (named,) = (caption.named for caption in shown.middle.captions if caption.named is not None)
    assert shown.seats[named].badge == "crown"
    assert sorted(seat.place or 12 for seat in shown.seats) == list(range(1, 13))


# --- as a value -----------------------------------------------------------------------------------


def test_scenes_survive_serialisation() -> None:
    for name in TABLES:
        assert parse_drawing(sample(name).model_dump_json().encode()) == sample(name)


def test_paused_table_is_marked() -> None:
    for name in ("grand-4", "exchange-12", "lead-4", "trick-9"):
        state = TABLES[name]()
        assert isinstance(state, Game)
        icons = [note.icon for note in scene(state.with_timers(paused=True)).middle.notes]
        assert icons.count("paused") == 1
        assert "paused" not in {note.icon for note in scene(state).middle.notes}


def test_invisible_changes_do_not_change_a_scene() -> None:
    state = game(walked(NANJING, 40, 3), FOUR)
    assert scene(state) == scene(state.with_timers(nudged=(UserId(1),)))
    moved = game(apply(state.match, random_action(state.match, Random(1)))[0], FOUR)
    assert scene(state) != scene(moved)


# --- hidden information --------------------------------------------------------------------------


def hidden_shuffled(match: Match, rng: Random, seat: Seat | None = None) -> Match:
    """Return the match with all cards that a seat may not see redealt; hand sizes stay.

    By default these are the cards that a spectator may not see.
    """
    round_ = round_of(match)
    public = dict(view(match, seat).hands)
    hands = [
        [] if seat in public else list(indices(hand.cards))
        for seat, hand in enumerate(round_.hands)
    ]
    stocks = [list(indices(stock)) for stock in round_.opening.stock]
    cards = [card for pile in (*hands, *stocks) for card in pile]
    rng.shuffle(cards)
    dealt = [[cards.pop() for _ in pile] for pile in (*hands, *stocks)]
    new = tuple(
        public[seat] if seat in public else Hand(sum(1 << card for card in dealt[seat]))
        for seat in range(len(hands))
    )
    stock = tuple(sum(1 << card for card in pile) for pile in dealt[len(hands) :])
    opening = round_.opening._replace(stock=stock)
    return match.with_round(round_._replace(hands=new, opening=opening))


def public_cards(of: View) -> set[str]:
    """Return all public cards on the table, in notation without copies."""
    cards = {card for _, hand in of.hands for card in indices(hand.cards)}
    for step in of.trick:
        cards |= set(indices(step.combination.cards)) if step.combination else set()
    return {card_text(card).partition("#")[0] for card in cards}


@pytest.mark.parametrize("options", GAMES, ids=named)
def test_scenes_do_not_depend_on_hidden_cards(options: Options) -> None:
    """Other hands give the same scene, which has only public cards."""
    rng = Random(7)
    match = new_match(options, 0)
    for _ in range(250 if SOAK else 100):
        if match.phase is Phase.MATCH_END:
            break
        if match.round is None or match.phase is Phase.ROUND_END:
            match = deal(match, random_deck(match, rng))[0]
            continue
        shown = scene(game(match))
        assert scene(game(hidden_shuffled(match, rng))) == shown
        told = {*shown.middle.cards, *shown.middle.before}
        for seat in shown.seats:
            told |= set(seat.open_cards)
        assert told <= public_cards(view(match, None))
        match = apply(match, random_action(match, rng))[0]


def test_hidden_shuffle_changes_hands() -> None:
    match = walked(NANJING, 30, 1)
    other = hidden_shuffled(match, Random(1))
    before, after = round_of(match), round_of(other)
    assert before.hands != after.hands
    assert [hand.size for hand in before.hands] == [hand.size for hand in after.hands]


def test_only_the_hand_of_trichus_table_is_shown() -> None:
    table = sample("trick-3")
    assert [bool(seat.open_cards) for seat in table.seats] == [False, False, True, False]
    for name in TABLES:
        for seat in sample(name).seats:
            assert not seat.open_cards or seat.sitter == "table"


# --- in words -------------------------------------------------------------------------------------


def test_texts_describe_the_state_and_are_short_enough() -> None:
    for name in TABLES:
        text = scene_text(sample(name), WORDS)
        assert 0 < len(text) <= LONGEST
        assert "{" not in text
    text = scene_text(sample("trick-4"), WORDS)
    play = WORDS.combination(view(TABLES["trick-4"]().match, None).top)  # type: ignore[union-attr, arg-type]
    for part in ("240", "310", play, "Cleo", "Ben", "25", "8", "Tichu", "11"):
        assert part in text


@pytest.mark.parametrize("name", ["lobby-4", "lobby-6", "trick-3", "round-3"])
def test_texts_without_points_have_team_signs(name: str) -> None:
    shown, text = sample(name), scene_text(sample(name), WORDS)
    for seat in shown.seats:
        assert seat.team is not None or name.endswith("3")
        sign = "" if seat.team is None else f"{TEAM_EMOJIS[seat.team]} "
        assert f"{sign}{seat.name.text}" in text
    assert not any(sign in scene_text(sample("trick-4"), WORDS) for sign in TEAM_EMOJIS)


def test_names_in_texts_are_whole_and_without_control_characters() -> None:
    text = scene_text(sample("strange-4"), WORDS)
    assert STRANGE[0] in text
    assert STRANGE[1] in text
    assert "\u202e" not in text
    assert "\x00" not in scene_text(sample("strange-4-too"), WORDS)


def test_too_long_text_omits_seats_without_news() -> None:
    match = position(lords(12), "TURN 9", trick="7 J8 | 8 DRAGON")
    many = game(match, [f"{number:02}" + "x" * 90 for number in range(12)], away=[2])
    text = scene_text(scene(many), WORDS)
    assert len(text) <= LONGEST
    assert "02x" in text
    assert "09x" in text
    assert "04x" not in text


def test_each_seat_is_a_sentence_with_one_full_stop() -> None:
    shown = sample("trick-3")
    seats = tuple(seat.model_copy(update={"score": "75 оч."}) for seat in shown.seats)
    text = scene_text(shown.model_copy(update={"seats": seats}), WORDS)
    assert "Cleo: 3 cards, 75 оч. 🔵 The Table: 13 cards, 75 оч. 🔶 Ada: " in text
    assert ".." not in text


def test_names_without_glyphs_are_listed_below_the_picture() -> None:
    state = game(walked(NANJING, 30, 1), ("田中太郎", "Ada", "😀", "محمد"))
    found = replaced_names(state, WORDS)
    assert [name.text for name in found] == ["田中太郎", "😀"]
    assert found[0].replacement == sample("strange-4").seats[0].name.replacement
    assert replaced_names(game(walked(NANJING, 30, 1), FOUR), WORDS) == ()
    below = str(table_page(state, WORDS, "table.png", "").to_components())
    for name in found:
        assert name.text in below
        assert name.replacement in below
    assert "Player 2" not in below


def deal_words(of: TableScene) -> Iterator[str]:
    """Yield everything readable on a picture."""
    yield of.heading
    for seat in of.seats:
        yield from (seat.name.text, seat.name.replacement, seat.title, seat.score, seat.word)
        yield from seat.notes
        yield seat.call.text if seat.call else ""
    yield from (caption.text.replace(NAME, "") for caption in of.middle.captions)
    yield from (note.text for note in of.middle.notes)
    for score in (*of.scores, *of.middle.scores):
        yield from (score.change, score.total)


def test_every_word_comes_from_the_catalogue_and_every_message_is_used() -> None:
    pseudo = Pseudo()
    words = Speaker(Say("en", pseudo), Emojis.plain())
    for make in TABLES.values():
        made = make()
        numbers = (
            chair.model_copy(update={"name": str(1000 + chair.seat) if chair.name else ""})
            for chair in made.chairs
        )
        shown = table_scene(replace(made, chairs=tuple(numbers)), words)
        for text in (*deal_words(shown), scene_text(shown, words)):
            assert bare(text) == []
    assert asked_in("test_contents") - pseudo.asked == set()
