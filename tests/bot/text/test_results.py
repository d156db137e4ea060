"""Result of a round: order of going out, calls, last cards, and the table."""

from __future__ import annotations

from dataclasses import replace

from bot.art.emojis import Emojis
from bot.ids import ClubEventId, UserId
from bot.pictures.descriptions import ScoreChart
from bot.pictures.table.contents import replaced_names, table_scene
from bot.table.details import Details
from bot.table.options import EventLink, ServerPolicy, TableOptions
from bot.table.outcome import write_details
from bot.table.results import match_record
from bot.table.seats import leave_to_computer, take_over
from bot.table.state import Game, Lobby
from bot.text import speech
from bot.text.cards import Speaker
from bot.text.labels import TEAM_EMOJIS
from cogs.pages.hand.status import status_lines
from cogs.pages.history.page import match_page
from cogs.pages.table.lobby import lobby_page
from cogs.pages.table.page import table_page
from cogs.pages.table.result import result_page
from cogs.pages.table.score_chart import score_chart
from cogs.pages.table.score_lines import hierarchy_lines, round_story, scores_table
from cogs.pages.verbs import Verb
from engine import Call
from tests.bot.decided_rounds import bombed, tichu
from tests.bot.positions import lords, played, position
from tests.bot.states import HOST, NOON, chairs, state
from tests.bot.text.pages import parts
from tests.bot.text.samples import games
from tests.engine.positions import after, table
from tests.simcord_clicks import numbers, rows, shown

TO = Speaker(speech("en"), Emojis.plain())
PEOPLE = ("Ada", "Ben", "Cleo", "Dan")


def over(**given: object) -> Game:
    """Return a result: Ada, Ben and Cleo went out in this order, Dan keeps a ten."""
    hands = {"C": "S9", "D": "S10"}
    return state(after(table("LEAD C", hands=hands, out="AB"), "C play:S9"), **given)


def test_shows_the_order_of_going_out_and_the_last_player() -> None:
    at = over()
    order, last = round_story(at, at.match.results[-1], TO).splitlines()
    assert shown(order, *PEOPLE) == list(PEOPLE)
    assert [number for number in ("1st", "2nd", "3rd", "last") if number in order] == [
        "1st",
        "2nd",
        "3rd",
        "last",
    ]
    assert shown(last, *PEOPLE) == ["Dan"]
    assert numbers(last) == [10, 0]
    assert [sign for sign in last if sign in TEAM_EMOJIS] == [TEAM_EMOJIS[0], TEAM_EMOJIS[0]], (
        "both to Ada's team"
    )


def test_shows_made_and_lost_calls() -> None:
    at = over()
    calls = ((0, Call.TICHU, True), (1, Call.GRAND, False))
    result = at.match.results[-1]._replace(calls=calls)
    made, lost = round_story(at, result, TO).splitlines()[-2:]
    assert (shown(made, *PEOPLE), numbers(made)) == (["Ada"], [100])
    assert (shown(lost, *PEOPLE), numbers(lost)) == (["Ben"], [-200])
    assert "✗" in lost
    assert "✗" not in made
    assert "−200" in lost


def test_long_names_of_partners_are_below_each_other() -> None:
    at = over()
    long = ("Maximilian", "Ben", "Cleopatra", "Dan")
    at = replace(at, chairs=chairs(long))
    first, second = scores_table(at, at.match.results[-1], TO).splitlines()[2:4]
    assert (first.split(), second.split()) == (["Maximilian+"], ["Cleopatra", "Ben+Dan"])
    assert all(len(line) <= 26 for line in (first, second))


def test_table_of_points_fits_on_a_phone() -> None:
    at = over()
    result = at.match.results[-1]._replace(cards=(30, 70), score=(130, -130), totals=(1130, -30))
    told = scores_table(at, result, TO)
    table_ = rows(told)
    assert table_[:2] == [list(TEAM_EMOJIS), ["Ada+Cleo", "Ben+Dan"]]
    assert [row[1:] for row in table_[2:]] == [
        ["30", "70"],
        ["+100", "−200"],
        ["+130", "−130"],
        ["1,130", "−30"],
    ]
    assert told.startswith("```"), "nothing is told twice"
    for variant in ("nanjing", "trichu", "tientsin"):
        *_, end = (at for at in games(2, 900, PEOPLE[:4], variant) if at.match.results)
        block = (
            scores_table(end, end.match.results[-1], TO).split("```")[1].strip("\n").splitlines()
        )
        assert [sign for sign in block[0] if sign in TEAM_EMOJIS], variant
        widths = {len(line) + sum(line.count(sign) for sign in TEAM_EMOJIS) for line in block}
        assert len(widths) == 1, "a sign is as wide as two characters"
        assert max(widths) <= 26, variant
        assert variant != "trichu" or block[1].split()[-1] == "Table", "it is not cut"


def test_ranks_show_rises_and_falls() -> None:
    last = position(lords(5), "LEAD 3", hands={3: "S8", 4: "S9"}, out=(0, 1, 2))
    match = played(last, "3 play:S8")
    before = match.results[-1]._replace(out=(1, 0, 2, 3))
    told = hierarchy_lines(state(match._replace(results=(before, *match.results))), TO).splitlines()
    assert [line[-2:] for line in told[:2]] == ["▲1", "▼1"]
    assert not {"▲", "▼"}.intersection("".join(told[2:]))


def test_result_names_the_players_of_the_round() -> None:
    at = over(chairs=chairs(computers=(3,)))
    now = take_over(at, UserId(999), "Eve", 3, NOON)
    assert now.chairs[3].name == "Eve"
    told = "\n".join(part.get("content", "") for part in parts(result_page(now, TO)))
    assert set(shown(told, *PEOPLE, "Eve")) == set(PEOPLE)
    assert numbers(labels(now, Verb.READY)[0]) == [0, 4], "those of now are asked"
    again = leave_to_computer(now, UserId(999))
    assert again.with_round_players().chairs[3].name == "Dan"
    assert again.with_round_players().chairs == at.chairs, "and not a person in place of a computer"
    assert Details.model_validate_json(write_details(again)).notes == again.notes


def test_table_after_a_round_shows_its_players() -> None:
    at = over(chairs=chairs(computers=(3,)))
    now = take_over(at, UserId(999), "Eve", 3, NOON)
    assert table_scene(now, TO) == table_scene(at, TO)
    told = "\n".join(part.get("content", "") for part in parts(table_page(now, TO)))
    assert set(shown(told, *PEOPLE, "Eve")) == set(PEOPLE)
    unwritable = over(chairs=chairs(("Ada", "Ben", "Cleo", "田中")))
    left = leave_to_computer(unwritable, UserId(HOST + 3))
    assert replaced_names(left, TO) == replaced_names(unwritable, TO) != ()


def test_next_round_shows_current_players() -> None:
    left = leave_to_computer(over(), UserId(HOST + 3))
    dealt = replace(left, match=table("TURN B", trick="A S8"))
    assert dealt.notes.played
    assert dealt.with_round_players() == dealt


def test_result_mentions_new_owners_of_the_round() -> None:
    at = leave_to_computer(state(table("TURN B", trick="A S8")), HOST)
    assert at.notes.played == {}
    assert at.with_round_players() == at


def test_agreed_rounds_replace_the_target() -> None:
    link = EventLink(event=ClubEventId(1), round=1, match=0, draw=1, rounds=4)
    for at in (over(), over(options=TableOptions(event=link))):
        agreed = at.options.event is not None
        pages = (result_page(at, TO), table_page(at, TO), lobby_page(at_lobby(at), TO))
        result, public, lobby = (
            "\n".join(part.get("content", "") for part in parts(page)) for page in pages
        )
        assert ("Round 1 of 4" in result) == ("Round 1 of 4" in public) == agreed
        assert ("4 rounds" in lobby) == agreed
        texts = (public, lobby, *status_lines(at, 0, TO).splitlines(), table_scene(at, TO).heading)
        assert any("1,000" in each for each in texts) != agreed
        chart = score_chart(at, TO)
        assert isinstance(chart, ScoreChart)
        assert chart.target == (None if agreed else 1000)


def at_lobby(at: Game) -> Lobby:
    """Return the lobby before this match."""
    return state(options=at.options)


def test_nobody_wins_a_draw() -> None:
    at = over()
    drawn = replace(at, match=at.match._replace(winners=(0, 1)))
    told = "\n".join(part.get("content", "") for part in parts(result_page(drawn, TO)))
    assert "The match is a draw." in told
    assert "🏆" not in told
    chart = score_chart(drawn, TO)
    assert not any(each.won for each in chart.lines)
    scene = table_scene(drawn, TO)
    assert not any(seat.badge for seat in scene.seats)
    record = match_record(drawn, NOON, "finished")
    told = "\n".join(
        part.get("content", "") for part in parts(match_page(drawn, record, (), 0, TO))
    )
    assert "-# draw · " in told
    assert "🏆" not in told


def labels(at: Game, verb: Verb) -> list[str]:
    """Return the labels of the result's buttons with this verb."""
    page = result_page(at, TO)
    return [part["label"] for part in parts(page) if f":{verb}:" in part.get("custom_id", "")]


def test_seat_and_ready_buttons_are_in_separate_rows() -> None:
    at = over(chairs=chairs(computers=(1, 2, 3)))
    rows_ = [part["components"] for part in parts(result_page(at, TO)) if part.get("type") == 1]
    verbs = [[button["custom_id"].split(":")[-2] for button in buttons] for buttons in rows_]
    assert verbs == [[Verb.READY, Verb.PAUSE], [Verb.REPLAY, Verb.REVIEW, Verb.SIT]]


def test_one_button_offers_what_decided_the_round() -> None:
    both = bombed("DRAGON", "A")
    for at, shared in ((bombed("DRAGON"), "1.0"), (tichu("A"), "1.0"), (both, "1.1")):
        for page in (result_page(at, TO), result_page(at, TO, countdown=False)):
            ids = [part.get("custom_id", "") for part in parts(page)]
            shares = [custom_id for custom_id in ids if ":share-" in custom_id]
            assert shares == [f"b:{at.id}:0:{Verb.SHARE_MOMENT}:{shared}"]
    assert labels(bombed("SK"), Verb.SHARE_MOMENT) == []
    at = bombed("DRAGON")
    without = replace(at, options=at.options.with_policy(ServerPolicy(pictures=False)))
    assert labels(without, Verb.SHARE_MOMENT) == []


def test_ready_button_counts_present_people() -> None:
    at = over(chairs=chairs(computers=(3,))).with_notes(ready=(HOST,))
    assert list(map(numbers, labels(at, Verb.READY))) == [[1, 3]]
    away = at.with_notes(away=(2,))
    assert list(map(numbers, labels(away, Verb.READY))) == [[1, 2]]
    alone = over(chairs=chairs(computers=(1, 2, 3)))
    assert list(map(numbers, labels(alone, Verb.READY))) == [[]]
    everybody = replace(
        at, notes=replace(at.notes, ready=(HOST, UserId(HOST + 1), UserId(HOST + 2)))
    )
    assert labels(everybody, Verb.READY) == [], "the next round begins"
