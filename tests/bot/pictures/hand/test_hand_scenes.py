"""Scenes of hands: the own cards, what can be done with them, and the table only when asked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import pytest

from bench.walks import random_action, random_deck
from bot.art.emojis import Emojis
from bot.pictures.hand.contents import hand_scene
from bot.pictures.hand.hand_text import hand_text
from bot.pictures.hand.scene import HandCard, HandScene, SceneHand
from bot.pictures.process_messages import fingerprint, parse_drawing
from bot.pictures.table.scene import NAME
from bot.pictures.table.scene_text import LONGEST
from bot.table.state import Game
from bot.text import LOCALES, SOURCE, Say, speech
from bot.text.cards import Speaker
from cogs.pages.hand.card_order import in_display_order
from engine import (
    WINDOW_PHASES,
    AnswerGrand,
    CallTichu,
    Match,
    Options,
    Pass,
    Phase,
    Play,
    Seat,
    after_quiet_window,
    apply,
    card_text,
    deal,
    indices,
    new_match,
    read_cards,
    view,
)
from tests.bot.pictures.hands import ADA, HANDS, hand, shown
from tests.bot.pictures.scenes import FOUR, LONG, NANJING, WORDS, game, scene
from tests.bot.pictures.table.test_contents import GAMES, hidden_shuffled, named
from tests.bot.positions import TRICHU, begun, declined, passed, position
from tests.bot.states import state
from tests.bot.text.pseudo import Pseudo, bare
from tests.bot.text.template import asked_in
from tests.campaign import SOAK
from tests.engine.positions import round_of

LANGUAGES = (SOURCE, *sorted(file.name for file in LOCALES.iterdir() if file.is_dir()))
ORDER = partial(in_display_order, sorting="dog_first")


def scenes_of(of: Game) -> list[HandScene | None]:
    """The scenes of all chairs."""
    return [hand_scene(of, chair.seat, WORDS, ORDER) for chair in of.chairs]


def asked_chairs(of: Game) -> set[Seat]:
    """The chairs whose scene has the table part."""
    found = scenes_of(of)
    return {seat for seat, each in enumerate(found) if each is not None and each.table}


def faces(of: SceneHand, **marks: bool) -> list[str]:
    """The cards of a hand, or those with these marks."""
    return [
        card.card
        for card in of.cards
        if all(getattr(card, mark) == value for mark, value in marks.items())
    ]


def walk(options: Options, steps: int, seed: int) -> Iterator[Match]:
    """The positions of a random match."""
    rng = Random(seed)
    match = new_match(options, 0)
    for _ in range(steps):
        if match.phase is Phase.MATCH_END:
            return
        if match.round is None or match.phase is Phase.ROUND_END:
            match = deal(match, random_deck(match, rng))[0]
        else:
            match = apply(match, random_action(match, rng))[0]
        yield match


# --- the cards ------------------------------------------------------------------------------------


def test_cards_are_in_the_readers_order_without_their_copies() -> None:
    make, chair = HANDS["turn-8"]
    upwards, downwards = shown(make(), chair), shown(make(), chair, "rank_high_first")
    assert faces(upwards.hands[0]) == faces(downwards.hands[0])[::-1]
    assert "T9" in faces(upwards.hands[0])


def test_on_turn_the_cards_of_legal_plays_are_bright_and_the_others_quiet() -> None:
    assert faces(hand("turn-4").hands[0], quiet=False) == ["J6", "S6"]
    assert faces(hand("single-4").hands[0], quiet=False) == ["PA", "DRAGON"]
    assert faces(hand("nothing-4").hands[0], quiet=False) == []
    assert faces(hand("straight-4").hands[0], quiet=False) == ["J2", "S2", "P2", "T2"]


def test_a_binding_wish_leaves_only_the_plays_that_fulfil_it_bright() -> None:
    match = position(NANJING, "TURN 0", "wish 9", hands={0: ADA}, trick="3 J8")
    assert faces(shown(game(match), 0).hands[0], quiet=False) == ["T9"]


@pytest.mark.parametrize("name", ["alone-4", "grand-4", "exchange-4", "gift-4", "lead-4"])
def test_no_card_is_quiet_where_none_is_played(name: str) -> None:
    assert faces(hand(name).hands[0], quiet=True) == []


def test_out_of_turn_only_bombs_are_bright() -> None:
    bomb = hand("bomb-4")
    assert faces(bomb.hands[0], quiet=False) == ["J7", "S7", "P7", "T7"]
    assert [seat.mark for seat in bomb.table.seats] == ["", "turn", "", "passed"]  # type: ignore[union-attr]


def test_in_the_exchange_the_cards_that_may_be_given_are_bright() -> None:
    """The Wretch gives the best three cards (G16)."""
    assert faces(hand("exchange-12").hands[0], quiet=False) == ["JQ", "TK", "PHOENIX"]


@pytest.mark.parametrize("options", GAMES, ids=named)
def test_bright_cards_are_exactly_those_of_legal_plays(options: Options) -> None:
    looked = 0
    for match in walk(options, 120, 4):
        if match.phase not in (Phase.LEAD, Phase.TURN) or round_of(match).asked:
            continue
        seat = round_of(match).turn
        of = game(match)
        legal = 0
        for action in view(match, seat).actions:
            legal |= action.cards if isinstance(action, Play) else 0
        found = shown(of, of.decider(seat))
        (acting,) = (each for each in found.hands if each.seat == seat)
        bright = [card_text(card).partition("#")[0] for card in ORDER(legal)]
        assert faces(acting, quiet=False) == bright
        looked += 1
    assert looked > 10


def test_received_cards_are_marked_until_the_first_own_play() -> None:
    match = passed(declined(begun(NANJING)))
    got = [cards for _, cards in round_of(match).opening.received[0]]
    marked = [card_text(card) for card in ORDER(sum(got))]
    assert faces(shown(game(match), 0).hands[0], received=True) == marked
    leader = round_of(match).turn
    low = min(indices(round_of(match).hands[leader].cards & ~read_cards("MAHJONG")))
    match = after_quiet_window(apply(match, Play(leader, 1 << low))[0])
    assert faces(shown(game(match), leader).hands[0], received=True) == []
    others = [seat for seat in range(4) if seat != leader]
    for seat in others:
        assert len(faces(shown(game(match), seat).hands[0], received=True)) == 3
    match = apply(match, Pass(round_of(match).turn))[0]
    assert len(faces(shown(game(match), others[0]).hands[0], received=True)) == 3


# --- when the table is above the hand -------------------------------------------------------------


def test_the_grand_tichu_question_asks_until_it_is_answered() -> None:
    match = begun(NANJING)
    assert asked_chairs(game(match)) == {0, 1, 2, 3}
    before = shown(game(match), 1)
    match = apply(match, AnswerGrand(0, False))[0]
    assert asked_chairs(game(match)) == {1, 2, 3}
    assert shown(game(match), 1) == before, "answers of others change nothing"


def test_the_exchange_asks_until_the_own_cards_are_given() -> None:
    match = declined(begun(NANJING))
    before = shown(game(match), 1)
    match = passed(match, 0, 2)
    assert asked_chairs(game(match)) == {1, 3}
    assert shown(game(match), 1) == before


def test_a_call_of_another_player_is_shown_at_once() -> None:
    match = declined(begun(NANJING))
    before = shown(game(match), 1)
    after = shown(game(apply(match, CallTichu(2))[0]), 1)
    assert after != before
    assert [seat.call is not None for seat in after.table.seats] == [False, True, False, False]  # type: ignore[union-attr]


def test_in_a_bomb_window_the_next_player_and_holders_of_bombs_are_asked() -> None:
    hands = {0: "J3 S4 P5 T6", 1: "J9 S10", 2: "J7 S7 P7 T7", 3: "J2 S3"}
    match = position(NANJING, "WINDOW 1", hands=hands, trick="0 J8")
    of = game(match)
    assert asked_chairs(of) == {1, 2}
    assert faces(shown(of, 1).hands[0], quiet=False) == ["J9", "S10"]
    kept = state(match, details={"premoves": {1: Pass(1)}})
    assert asked_chairs(kept) == {2}, "the choice is made"


@pytest.mark.parametrize("options", GAMES, ids=named)
def test_the_end_of_a_bomb_window_changes_nothing_for_the_player_on_turn(options: Options) -> None:
    """They choose for the moment after it, so a trick costs one picture less."""
    looked = set()
    for match in walk(options, 150, 6):
        quiet = after_quiet_window(match)
        if match.phase in WINDOW_PHASES and quiet.phase in (Phase.LEAD, Phase.TURN, Phase.GIFT):
            of, later = game(match), game(quiet)
            chair = of.decider(round_of(match).turn)
            if chair in asked_chairs(of):
                assert shown(of, chair) == shown(later, chair)
                looked.add(quiet.phase)
    assert looked >= {Phase.LEAD, Phase.TURN}


def test_who_is_away_or_has_nothing_to_decide_is_not_asked() -> None:
    match = position(NANJING, "TURN 0", hands={0: ADA}, trick="3 J8")
    assert asked_chairs(game(match)) == {0}
    assert asked_chairs(game(match, away=[0])) == set()
    assert asked_chairs(game(position(NANJING, "GIFT 2", trick="2 DRAGON"))) == {2}


def test_after_the_round_nobody_is_asked() -> None:
    for match in walk(NANJING, 200, 2):
        if match.phase is Phase.ROUND_END:
            assert asked_chairs(game(match)) == set()


def test_who_is_out_has_no_picture() -> None:
    match = position(NANJING, "TURN 1", out=(0,), trick="3 J8")
    assert scenes_of(game(match))[0] is None


@pytest.mark.parametrize("options", GAMES, ids=named)
def test_moves_of_others_change_no_hand_that_is_not_asked(options: Options) -> None:
    """So they upload nothing."""
    last: list[HandScene | None] = []
    same = 0
    for match in walk(options, 150, 5):
        found = scenes_of(game(match))
        for before, now in zip(last, found, strict=False):
            if before is None or now is None or before.table or now.table:
                continue
            if [faces(each) for each in before.hands] == [faces(each) for each in now.hands]:
                assert before == now
                same += 1
        last = found
    assert same > 50


# --- the table ------------------------------------------------------------------------------------


def test_the_table_is_seen_from_the_own_seat() -> None:
    of = HANDS["turn-4"][0]()
    table = hand("turn-4").table
    assert table is not None
    assert [seat.name.text for seat in table.seats] == ["Ada", "Ben", "Cleo", "Lin"]
    assert table.middle.cards == ("J5", "S5")
    (caption,) = table.middle.captions
    assert NAME in caption.text
    assert table.seats[caption.named or 0].name.text == "Cleo"
    assert [note.icon for note in table.middle.notes] == ["", "wish"]
    assert [len(seat.notes) for seat in table.seats] == [1, 0, 0, 0]
    other = shown(game(of.match.with_round(round_of(of.match)._replace(turn=2)), FOUR), 2).table
    assert other is not None
    assert [seat.name.text for seat in other.seats] == ["Cleo", "Lin", "Ada", "Ben"]


def test_the_table_has_the_facts_of_the_public_one() -> None:
    for name, (make, _) in HANDS.items():
        table, public = hand(name).table, scene(make())
        if table is None:
            continue
        assert table.clockwise == public.clockwise
        assert table.middle.cards == public.middle.cards
        for seat in table.seats:
            (same,) = (each for each in public.seats if each.seat == seat.seat)
            assert (seat.cards, seat.call, seat.place) == (same.cards, same.call, same.place)


def test_clockwise_play_comes_from_the_other_side() -> None:
    match = position(Options(direction="clockwise"), "TURN 0", trick="1 J8")
    table = shown(game(match, FOUR), 0).table
    assert table is not None
    assert table.clockwise
    assert [seat.name.text for seat in table.seats] == ["Ada", "Lin", "Cleo", "Ben"]


def test_a_lead_says_whose_it_is() -> None:
    table = hand("lead-4").table
    assert table is not None
    assert table.middle.captions[0].text == "You lead"
    assert table.middle.cards == ()


def test_trichus_dealer_sees_both_hands_and_the_one_that_acts_large() -> None:
    for name, acts in (
        ("dealer-3", [True, False]),
        ("table-3", [False, True]),
        ("alone-3", [True, True]),
    ):
        found = hand(name)
        assert [each.seat for each in found.hands] == [1, 3]
        assert [each.own for each in found.hands] == [True, False]
        assert [each.acts for each in found.hands] == acts
        assert not any(seat.open_cards for seat in (found.table.seats if found.table else ()))
    assert [each.name is None for each in hand("table-3").hands] == [True, False]
    assert not any(each.name is None for each in hand("alone-3").hands)


def test_trichus_others_see_one_hand_and_the_open_cards_of_the_table() -> None:
    found = hand("other-3")
    assert len(found.hands) == 1
    assert found.table is not None
    assert [len(seat.open_cards) for seat in found.table.seats] == [0, 13, 0, 0]


def test_the_table_has_no_hand_before_the_full_deal() -> None:
    match = begun(TRICHU, dealer=1)
    found = shown(game(match, ("Ada", "Ben", "Cleo")), 1)
    assert [each.seat for each in found.hands] == [1]


# --- as a value -----------------------------------------------------------------------------------


def test_scenes_survive_the_way_to_the_drawing_process() -> None:
    for name in HANDS:
        assert parse_drawing(hand(name).model_dump_json().encode()) == hand(name)


def test_equal_scenes_have_equal_fingerprints_and_others_have_others() -> None:
    prints = {name: fingerprint(hand(name)) for name in HANDS}
    assert len(set(prints.values())) == len(HANDS)
    for name, (make, chair) in HANDS.items():
        assert fingerprint(shown(make(), chair)) == prints[name]


def test_no_card_is_in_a_repr() -> None:
    for name in HANDS:
        found = hand(name)
        text = f"{found!r}{found}{found.hands!r}{found.hands[0].cards[0]!r}"
        public = {*found.table.middle.cards} if found.table else set()
        for seat in found.table.seats if found.table else ():
            public |= set(seat.open_cards)
        for card in (card for each in found.hands for card in faces(each)):
            assert card in public or f"'{card}'" not in text
    with pytest.raises(ValueError, match="SceneHand") as caught:
        SceneHand(seat=0, cards=("JACK",))  # type: ignore[arg-type]
    assert "JACK" not in str(caught.value)
    assert "S8" not in repr(HandCard(card="S8"))


# --- nothing that is hidden -----------------------------------------------------------------------


@pytest.mark.parametrize("options", GAMES, ids=named)
def test_no_scene_depends_on_a_card_that_its_reader_may_not_see(options: Options) -> None:
    """Dealing the cards of all others again does not change the scene."""
    rng = Random(7)
    asked = 0
    for match in walk(options, 250 if SOAK else 80, 7):
        of = game(match)
        for chair in of.chairs:
            found = hand_scene(of, chair.seat, WORDS, ORDER)
            other = game(hidden_shuffled(match, rng, chair.seat))
            assert hand_scene(other, chair.seat, WORDS, ORDER) == found
            asked += found is not None and found.table is not None
    assert asked > 30


# --- in words -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_have_all_cards_and_are_short_enough(language: str) -> None:
    words = Speaker(speech(language), Emojis.plain())
    for name, (make, chair) in HANDS.items():
        found = hand_scene(make(), chair, words, ORDER)
        assert found is not None
        text = hand_text(found, words)
        assert len(text) <= LONGEST
        for card in (card for each in found.hands for card in faces(each)):
            assert words.card_name(next(indices(read_cards(card)))) in text, name


def test_a_text_says_what_is_asked_and_what_is_marked() -> None:
    text = hand_text(hand("turn-4"), WORDS)
    for part in ("Your hand: 2 of jade, ", "Possible now: 6 of jade, 6 of swords.", "Dragon"):
        assert part in text
    for part in ("Cleo – Pair of 5s.", "10 points.", "Wish: 9.", "Ada's turn.", "Tichu", "you"):
        assert part in text
    assert "You received 2 of swords, " in hand_text(hand("lead-4"), WORDS)
    assert hand_text(hand("alone-1"), WORDS) == "Your hand: Dragon."
    both = hand_text(hand("alone-3"), WORDS)
    assert both.startswith("Your hand: Dog, ")
    assert " The Table: 2 of jade, " in both


def test_long_names_shorten_the_table_and_never_the_hand() -> None:
    make, chair = HANDS["turn-12"]
    of = make()
    names = [name * 3 for name in LONG]
    text = hand_text(shown(game(of.match, names), chair), WORDS)
    assert len(text) <= LONGEST
    for card in faces(hand("turn-12").hands[0]):
        assert WORDS.card_name(next(indices(read_cards(card)))) in text


def test_every_word_comes_from_the_catalogue_and_every_message_is_used() -> None:
    pseudo = Pseudo()
    words = Speaker(Say("en", pseudo), Emojis.plain())
    received = (passed(declined(begun(TRICHU, dealer=1))), 1)
    made = [(make(), chair) for make, chair in HANDS.values()]
    for of, chair in (*made, (game(received[0]), received[1])):
        seats = (each.model_copy(update={"name": str(1000 + each.seat)}) for each in of.chairs)
        found = hand_scene(_renamed(of, tuple(seats)), chair, words, ORDER)
        assert found is not None
        assert bare(hand_text(found, words)) == []
        for each in found.hands:
            assert each.name is None or bare(each.name.text) == []
        for caption in found.table.middle.captions if found.table else ():
            assert bare(caption.text.replace(NAME, "")) == []
    assert asked_in("test_hand_scenes") - pseudo.asked == set()


def _renamed(of: Game, chairs: tuple[object, ...]) -> Game:
    for chair in chairs:
        of = of.with_chair(chair)  # type: ignore[arg-type]
    return of
