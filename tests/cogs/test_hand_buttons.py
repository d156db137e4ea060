"""Buttons of the private hand that stay on the screen while the table continues."""

from __future__ import annotations

import pytest

from bot.text.sentences import sentence
from cogs.pages.hand.play_choices import write_choice
from cogs.pages.verbs import Verb
from engine import WINDOW_PHASES, Call, IllegalAction, Kind, Phase, card_text, indices, read_cards
from engine.errors import Reason
from tests.cogs.forged_clicks import forge
from tests.cogs.table_play import HandPlayer, dealt, seat_all
from tests.cogs.test_rematch import told
from tests.cogs.worlds import SAY, World, refusal
from tests.simcord_clicks import controls

ADA = "MAHJONG J3 J4 J5 S6"
"""Cards of the leader; everybody passes their last three in the exchange."""
NINES = "J9 S9 P9 T9 J2 S2 P2"


async def test_bomb_button_of_the_window_works_at_the_own_turn(world: World) -> None:
    ada, ben, *_ = await dealt(world, {0: ADA, 1: NINES, 2: "J10 S10 P10", 3: "JJ SJ PJ"})
    await ada.lead_mahjong()
    assert ben.can(Verb.BOMB)
    await world.to_next_deadline()
    round_ = world.game().round
    assert round_ is not None
    assert (round_.phase, round_.turn) == (Phase.TURN, 1)
    await ben.press(Verb.BOMB)
    round_ = world.game().round
    assert round_ is not None
    assert round_.top is not None
    assert (round_.top_seat, round_.top.kind) == (1, Kind.FOUR_BOMB)


async def test_usual_actions_take_few_clicks(world: World) -> None:
    """Clicks: Grand Tichu no 1, yes 2; exchange 4; usual play 1, pass 1, lead with a wish 2."""
    world.chance.dealer = 0
    world.chance.deals = [{0: ADA, 1: "S9 S3 S4 S5", 2: "P10 P3 P4 P5", 3: "TJ T3 T4 T5"}]
    ada, ben, cai, dan = players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))

    def clicks(player: HandPlayer) -> int:
        """Return the clicks since the last call."""
        number = len(player.clicked)
        player.clicked.clear()
        return number

    for player in (ben, cai, dan):
        await player.press_with(Verb.GRAND, "no")
        assert clicks(player) == 1
    await ada.call_grand()
    assert clicks(ada) == 2
    assert world.game().round.calls[0] is Call.GRAND
    for player in players:
        await player.pass_cards()
        assert clicks(player) == 4
    assert world.game().phase is Phase.LEAD
    leader = next(player for player in players if player.can(Verb.PLAY))
    first, *_ = leader.controls(Verb.PLAY)
    await leader.press(first)
    if leader.can(Verb.WISH):
        await leader.wish("none")
    assert clicks(leader) <= 2
    assert world.game().round.top is not None
    await world.to_next_deadline()
    passing = next(player for player in players if player.can(Verb.PASS))
    await passing.press(Verb.PASS)
    assert clicks(passing) == 1
    assert world.game().round.passes == 1


async def test_beating_play_is_one_click(world: World) -> None:
    ada, ben, *_ = await dealt(world, {0: ADA, 1: "S9 J2 S2 P2", 2: "J10", 3: "JJ"})
    await ada.lead_mahjong()
    await world.to_next_deadline()
    ben.clicked.clear()
    await ben.press(ben.controls(Verb.PLAY)[0])
    assert ben.clicked == [Verb.PLAY]
    assert world.game().round.top_seat == 1


async def test_same_cards_can_be_chosen_again_after_going_back(world: World) -> None:
    """Discord keeps the choice of a select while its id stays, and does not offer it again."""
    ada, *_ = await dealt(world, {0: ADA})
    before = {ada.control(Verb.CARDS).custom_id}
    for _ in range(2):
        await ada.choose(Verb.CARDS, "J3")
        await ada.press(Verb.REFRESH)
        assert ada.control(Verb.CARDS).custom_id not in before
        before.add(ada.control(Verb.CARDS).custom_id)
    await ada.choose(Verb.CARDS, "J3")
    await ada.press(ada.controls(Verb.PLAY)[0])
    assert world.game().round.top is not None


async def test_answers_of_others_keep_picked_cards_and_confirmations(world: World) -> None:
    ada, ben, *others = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    await ada.press(Verb.GRAND_ASK)
    for player in (ben, *others):
        await player.press_with(Verb.GRAND, "no")
    await world.env.advance_time(4)
    assert ada.can(Verb.REFRESH), "still the question whether it is meant"
    await ada.press(Verb.REFRESH)
    await ada.press_with(Verb.GRAND, "no")
    card, button = next(iter(ada.pickable().items()))
    await ada.press(button)
    await ben.pass_cards()
    await world.env.advance_time(4)
    assert card not in ada.pickable()
    assert Phase.EXCHANGE is world.game().phase


async def test_play_of_another_keeps_the_confirmation_of_a_call(world: World) -> None:
    ada, _, cai, _ = await dealt(world, {0: ADA, 2: "J10 S3 S4 S5"})
    await cai.press(Verb.TICHU)
    await ada.lead_mahjong()
    await world.env.advance_time(1)
    assert cai.can(Verb.TICHU_YES)
    assert not cai.can(Verb.WAIT), "one question at a time"
    await cai.press(Verb.TICHU_YES)
    assert world.game().round.calls[2] is Call.TICHU


async def test_forged_pick_is_refused_when_passed(world: World) -> None:
    ada, *_ = players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    for player in players:
        await player.press_with(Verb.GRAND, "no")
    before = world.game()
    strange = next(card for card in indices(before.round.hands[1].cards))
    for args in (f"{card_text(strange)},-,-", "S2.S3.S4,-,-", "S2,S2,S2", "zz", "-"):
        await forge(ada.person, ada.hand, f"b:{before.id}:{before.revision}:pick:{args}")
        await forge(ada.person, ada.hand, f"b:{before.id}:{before.revision}:give:{args}")
        assert world.game().match == before.match
    await ada.open()
    assert ada.pickable()


async def test_wish_is_asked_only_for_own_cards(world: World) -> None:
    ada, *_ = await dealt(world, {0: ADA, 1: NINES, 2: "J10 S10 P10", 3: "JJ SJ PJ"})
    game = world.game()
    choice = write_choice(read_cards("MAHJONG J9"))
    forged = f"b:{game.id}:{game.revision}:play:{choice}"
    answer = await forge(ada.person, ada.hand, forged)
    assert answer.response is not None
    wishes = [each for each in controls(answer.response) if each.verb == Verb.WISH]
    assert len(wishes) < 2, "the hand offers the usual wish at most, not all of them"
    assert world.game() is game


async def test_two_players_are_asked_to_withdraw(world: World) -> None:
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    for player in players:
        await player.call_grand()
    asked = [player for player in players if player.can(Verb.WITHDRAW)]
    assert len(asked) == 2
    for player in asked:
        await player.press_with(Verb.WITHDRAW, "yes")
    round_ = world.game().round
    assert round_ is not None
    assert sum(call is Call.GRAND for call in round_.calls) == 2
    assert all(player.can(Verb.PICK) for player in players)


async def test_cards_are_not_passed_during_a_withdrawal_question(world: World) -> None:
    ada, ben, cai, dan = players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    for player in players:
        await player.press_with(Verb.GRAND, "no")
    await ada.pass_cards()
    for player in (ben, dan):
        await player.press(Verb.TICHU)
        await player.press(Verb.TICHU_YES)
    (asked,) = [player for player in players if player.can(Verb.WITHDRAW)]
    assert [player for player in players if player.can(Verb.GIVE, Verb.PICK)] == []
    assert sentence(SAY, IllegalAction(Reason.WITHDRAWAL_FIRST, "N78")) in cai.text()
    await asked.press_with(Verb.WITHDRAW, "no")
    assert [player for player in players if player.can(Verb.PICK)] == players
    for player in players:
        await player.pass_cards()
    assert world.game().phase is Phase.LEAD


async def test_nothing_is_offered_during_a_withdrawal_question(world: World) -> None:
    ada, ben, cai, dan = await dealt(world, {0: ADA, 1: "J10 S10 P10", 2: NINES, 3: "JJ SJ PJ"})
    await ada.lead_mahjong()
    assert cai.can(Verb.BOMB)
    for player in (ben, dan):
        await player.press(Verb.TICHU)
    for player in (ben, dan):
        await player.press(Verb.TICHU_YES)
    asked = [player for player in (ben, dan) if player.can(Verb.WITHDRAW)]
    assert len(asked) == 1
    assert not any(
        player.can(Verb.BOMB, Verb.PLAY, Verb.PASS, Verb.GIFT) for player in (ada, ben, cai, dan)
    )
    await asked[0].press_with(Verb.WITHDRAW, "yes")
    assert cai.can(Verb.BOMB)
    round_ = world.game().round
    assert round_ is not None
    assert sum(call is Call.TICHU for call in round_.calls) == 1
    await cai.press(Verb.BOMB)
    await world.to_next_deadline()
    assert world.game().phase in WINDOW_PHASES
    await world.check_replay()


async def test_refuses_a_forged_rank_of_the_phoenix(
    world: World, subtests: pytest.Subtests
) -> None:
    ada, *_ = await dealt(world, {0: ADA})
    before = world.table()
    for rank in (-1, 0, 1, 15, 99):
        with subtests.test(rank=rank):
            play = f"play:{write_choice(read_cards('J3'), (rank,))}"
            result = await forge(ada.person, ada.hand, f"b:{before.id}:{before.revision}:{play}")
            assert refusal("unknown-button") in told(result)
            assert world.table() == before
