"""Every rule of grounding, with cases in which it holds and cases in which it must not."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.bench.paths import leaves
from harness.engines.envelope import Call
from harness.grounding import RULES, ArgumentGrounding, Origin, Said, ground_call

TODAY = date(2026, 11, 30)  # a Monday

S: dict[str, Any] = {"type": "string"}
W: dict[str, Any] = {"type": "integer"}
N: dict[str, Any] = {"type": "number"}
B: dict[str, Any] = {"type": "boolean"}
PERCENT = {"type": "integer", "minimum": 0, "maximum": 100}
CELSIUS = {"type": "string", "enum": ["celsius", "fahrenheit"]}
MODE = {"type": "string", "enum": ["heat", "cool", "fan_only"]}


def ground(
    text: str, value: Any, schema: dict[str, Any] | None = None, name: str = "x", today: date | None = None
) -> ArgumentGrounding:
    tool = {"name": "act", "parameters": {"type": "object", "properties": {name: schema or {}}}}
    (argument,) = ground_call(Call("act", {name: value}), tool, text, today)
    return argument


# text, value, schema, argument name, rule, what the span covers
HOLDS: list[tuple[str, Any, dict[str, Any], str, str, str | None]] = [
    ("Call Anna Berg now", "Anna Berg", S, "name", "text", "Anna Berg"),
    ("call ANNA   berg now", "Anna Berg", S, "name", "text", "ANNA   berg"),
    ("meet at Cafe\u0301 Noir", "Café Noir", S, "place", "text", "Cafe\u0301 Noir"),
    ("note ｈｅｌｌｏ", "hello", S, "text", "text", "ｈｅｌｌｏ"),
    ("play ‘Don’t Stop’", "Don't Stop", S, "title", "text", "Don’t Stop"),
    ("die große Straße", "GROSSE STRASSE", S, "text", "text", "große Straße"),
    ("请打开客厅的灯", "客厅", S, "room", "text", "客厅"),
    ("서울에서 만나자", "서울", S, "city", "text", "서울"),
    ("اتصل بأحمد علي", "علي", S, "name", "text", "علي"),
    ("सुनीता को फोन करो", "सुनीता", S, "name", "text", "सुनीता"),
    ("позвони Елене Ивановой", "елене", S, "name", "text", "Елене"),
    ("switch off the living room lamp", "living_room", S, "room", "punctuation aside", "living room"),
    ("open the sales report", "SalesReport", S, "file", "punctuation aside", "sales report"),
    ("milk, eggs", "milk eggs", S, "text", "punctuation aside", "milk, eggs"),
    ("weather in Zürich", "Zurich", S, "city", "accents aside", "Zürich"),
    ("weather in Zurich", "Zürich", S, "city", "accents aside", "Zurich"),
    ("send a 👍 to Bo", "👍", S, "text", "sign", "👍"),
    ("set it to 21", 21, W, "degrees", "number", "21"),
    ("set it to 21", 21.0, N, "degrees", "number", "21"),
    ("pay 1,500 to Bo", 1500, W, "amount", "number", "1,500"),
    ("pay 2,5 kilos", 2.5, N, "amount", "number", "2,5"),
    ("it is -4 outside", -4, W, "degrees", "number", "-4"),
    ("३० मिनट का टाइमर", 30, W, "minutes", "number", "३०"),
    ("10k followers", 10_000, W, "count", "number", "10k"),
    ("channel 7", "7", S, "channel", "text", "7"),
    ("twenty-five percent", 25, PERCENT, "level", "number words", "twenty-five"),
    ("one thousand two hundred and six steps", 1206, W, "steps", "number words", "one thousand two hundred and six"),
    ("two and a half thousand", 2500, W, "amount", "number words", "two and a half thousand"),
    ("3 thousand copies", 3000, W, "copies", "number words", "3 thousand"),
    ("half a million rows", 500_000, W, "rows", "number words", "half a million"),
    ("a couple of hundred", 200, W, "amount", "number words", "couple of hundred"),
    ("a dozen eggs", 12, W, "count", "number words", "dozen"),
    ("half a dozen eggs", 6, W, "count", "number words", "half a dozen"),
    ("two point five litres", 2.5, N, "litres", "number words", "two point five"),
    ("two and a half litres", 2.5, N, "litres", "number words", "two and a half"),
    ("minus five degrees", -5, W, "degrees", "number words", "minus five"),
    ("nineteen eighty four", 1984, W, "year", "number words", "nineteen eighty four"),
    ("drive to twelve Oak Street", "12 Oak Street", S, "place", "number words", "twelve Oak Street"),
    ("the third one", 3, W, "index", "ordinal", "third"),
    ("track 22nd", 22, W, "index", "ordinal", "22"),
    ("the twenty-second floor", 22, W, "floor", "ordinal", "twenty-second"),
    ("half of it", 0.5, N, "share", "fraction", "half"),
    ("three quarters of it", 0.75, N, "share", "fraction", "three quarters"),
    ("dial nine one one", "911", S, "number", "spoken digits", "nine one one"),
    ("room oh four two", "042", S, "room", "spoken digits", "oh four two"),
    ("call +44 20 7946 0958", "+442079460958", S, "number", "digits", "+44 20 7946 0958"),
    ("call 555-12 34", "(555) 1234", S, "number", "digits", "555-12 34"),
    ("on 3 May 2026", "2026-05-03", S, "date", "date", "3 May 2026"),
    ("on May 3rd, 2026", "2026-05-03", S, "date", "date", "May 3rd, 2026"),
    ("on 3/5/2026", "2026-05-03", S, "date", "date", "3/5/2026"),
    ("the third of May", "May 3", S, "date", "date", "the third of May"),
    ("2026年5月3日", "2026-05-03", S, "date", "date", "2026年5月3日"),
    ("at half past seven", "07:30", S, "time", "time", "half past seven"),
    ("at 7 in the evening", "19:00", S, "time", "time", "7 in the evening"),
    ("at 7pm", "19:00:00", S, "time", "time", "7pm"),
    ("at quarter to nine", "8:45 am", S, "time", "time", "quarter to nine"),
    ("at noon", "12:00", S, "time", "time", "noon"),
    ("下午3点半开会", "15:30", S, "time", "time", "下午3点半"),
    ("3 May 2026 at 7pm", "2026-05-03T19:00:00Z", S, "start", "date", "3 May 2026"),
    ("how many °C is it", "celsius", CELSIUS, "unit", "synonym", "°C"),
    ("in centigrade please", "celsius", CELSIUS, "unit", "synonym", "centigrade"),
    ("every morning", "daily", {"type": "string", "enum": ["daily", "weekly"]}, "repeat", "synonym", "every morning"),
    ("fan only, please", "fan_only", MODE, "mode", "punctuation aside", "fan only"),
    ("turn on the kitchen light", True, B, "on", "switch word", "on"),
    ("switch the lamp on", True, B, "state", "switch word", "on"),
    ("enable wifi", True, B, "state", "switch word", "enable"),
    ("turn the lights off", False, B, "on", "switch word", "off"),
    ("disable wifi", False, B, "state", "switch word", "disable"),
    ("打开客厅的灯", True, B, "on", "switch word", "打开"),
    ("play it shuffled", True, B, "shuffle", "named", "shuffled"),
    ("no notification this time", False, B, "notification", "named", "notification"),
    ("please shut the blinds", False, B, "open", "named", "shut"),
    ("unlock the door", False, B, "locked", "named", "unlock"),
    ("turn off wifi", False, B, "wifi", "named", "wifi"),
    ("wifi off please", False, B, "wifi_enabled", "named", "wifi"),
    ("the price with tax", True, B, "include_tax", "named", "tax"),
    ("warm and heating", "heat", MODE, "mode", "synonym", "warm"),
    ("it needs cooling", "cool", MODE, "mode", "inflected", "cooling"),
    ("the kitchen lights", "kitchen light", S, "device", "inflected", "kitchen lights"),
    ("in half an hour", 30, W, "minutes", "unit", "half an hour"),
    ("an hour and a half", 90, W, "minutes", "unit", "an hour and a half"),
    ("1 hour 20 minutes", 80, W, "minutes", "unit", "1 hour 20 minutes"),
    ("an hour and twenty", 80, W, "minutes", "unit", "an hour and twenty"),
    ("1h20 to go", 80, W, "minutes", "unit", "1h20"),
    ("in two hours", 7200, W, "delay_s", "unit", "two hours"),
    ("three minutes", 180, {"type": "integer", "description": "seconds to wait"}, "x", "unit", "three minutes"),
    ("run 5 miles", 8.05, N, "km", "unit", "5 miles"),
    ("heat to 68°F", 20, W, "celsius", "unit", "68°F"),
    ("for half an hour", "30 minutes", S, "duration", "unit", "half an hour"),
    ("dim it to 40 percent", 0.4, {"type": "number", "minimum": 0, "maximum": 1}, "level", "unit", "40 percent"),
    ("full brightness", 100, PERCENT, "brightness", "share of range", "full"),
    ("half brightness", 50, PERCENT, "brightness", "share of range", "half"),
    ("max volume", 11, {"type": "integer", "minimum": 0, "maximum": 11}, "volume", "share of range", "max"),
    ("open them fully", 100, W, "percent", "share of range", "fully"),
    ("at 7pm", 19, W, "hour", "part of a date or time", "7pm"),
    ("half past seven", 30, W, "minute", "part of a date or time", "half past seven"),
    ("in May", 5, W, "month", "part of a date or time", "May"),
    ("mail anna at example dot com", "anna@example.com", S, "to", "address", "anna at example dot com"),
    ("open example.com/docs", "https://www.example.com/docs", S, "url", "address", "example.com/docs"),
    ("milk, some eggs and bread", "milk, eggs, bread", S, "text", "words apart", "milk, some eggs and bread"),
    ("water all the plants", "Water plants", S, "title", "words apart", "water all the plants"),
    ("play it", 5, {"type": "integer", "default": 5}, "count", "schema default", None),
    ("weather in Paris", "celsius", {**CELSIUS, "default": "celsius"}, "unit", "schema default", None),
    ("play it", 5, {"type": "integer", "description": "how many (default: 5)"}, "count", "described default", None),
    ("area", "units", {"type": "string", "description": "defaults to 'units'"}, "unit", "described default", None),
    ("anything", None, S, "x", "empty", None),
    ("anything", "", S, "x", "empty", None),
    ("anything", [], {"type": "array"}, "x", "empty", None),
    ('r1 = array(len=3) pass "$r1"', "$r1", S, "rows", "handle", "r1"),
    ('r1 = json(id: 3) pass "$r1"', "$r1.items.0.id", S, "id", "handle", "r1"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "schema", "name", "rule", "covers"), HOLDS)
def test_a_rule_that_holds(
    text: str, value: Any, schema: dict[str, Any], name: str, rule: str, covers: str | None
) -> None:
    found = ground(text, value, schema, name)
    assert (found.rule, found.state) == (rule, RULES[rule][0])
    assert (None if found.span is None else text[slice(*found.span)]) == covers


RELATIVE: list[tuple[str, str, str]] = [
    ("tomorrow", "2026-12-01", "relative date"),
    ("the day after tomorrow", "2026-12-02", "relative date"),
    ("next Friday", "2026-12-04", "relative date"),
    ("next Friday", "2026-12-11", "relative date"),
    ("in two weeks", "2026-12-14", "relative date"),
    ("in a fortnight", "2026-12-14", "relative date"),
    ("a week from Friday", "2026-12-11", "relative date"),
    ("this morning", "2026-11-30", "relative date"),
    ("three days ago", "2026-11-27", "relative date"),
    ("the 15th", "2026-12-15", "relative date"),
    ("at the end of next month", "2026-12-31", "relative date"),
    ("24 December", "2026-12-24", "year of the day"),
    ("3 May", "2027-05-03", "year of the day"),
    ("tomorrow at 7pm", "2026-12-01T19:00", "relative date"),
    ("tomorrow", "Tuesday", "relative date"),
]


@pytest.mark.parametrize(("text", "value", "rule"), RELATIVE)
def test_days_that_need_the_day_of_speaking(text: str, value: str, rule: str) -> None:
    found = ground(text, value, S, "date", TODAY)
    assert (found.rule, found.state) == (rule, Origin.DERIVED)
    assert ground(text, value, S, "date", None).state is Origin.UNGROUNDED
    stated = ground(f"Today is Monday, 30 November 2026.\n\n{text}", value, S, "date")
    assert stated.rule == rule


INVENTED: list[tuple[str, Any, dict[str, Any], str]] = [
    ("call Joanna", "Anna", S, "name"),
    ("go to the island", "land", S, "place"),
    ("error 14049", 404, W, "code"),
    ("error 14049", "404", S, "code"),
    ("it took 1.5 hours", 5, W, "count"),
    ("v2.13 is out", 13, W, "count"),
    ("the A4 sheet", 4, W, "count"),
    ("2 million", 2, W, "count"),
    ("twenty-five", 20, W, "count"),
    ("twenty-five", 5, W, "count"),
    ("weather in Paris", "celsius", CELSIUS, "unit"),
    ("set it to 20", "celsius", CELSIUS, "unit"),
    ("set the thermostat", "cool", MODE, "mode"),
    ("cool it, then warm", "fan_only", MODE, "mode"),
    ("in half an hour", 45, W, "minutes"),
    ("in half an hour", 30, W, "count"),  # no unit is named, so none is converted into
    ("in half an hour", 60, W, "minutes"),
    ("5 miles", 8, W, "litres"),
    ("full brightness", 90, PERCENT, "brightness"),
    ("full brightness", 100, W, "brightness"),  # no range is stated
    ("at half past seven", "08:30", S, "time"),
    ("at 7 in the evening", "07:00", S, "time"),
    ("at 7pm", "07:00", S, "time"),
    ("on 3 May 2026", "2027-05-03", S, "date"),
    ("on 3 May", "2026-05-04", S, "date"),
    ("3 May 2026 at 7pm", "2026-05-03T20:00", S, "start"),
    ("set a meeting on Monday", True, B, "recurring"),
    ("put it on the calendar", True, B, "state"),
    ("turn on the light", False, B, "state"),
    ("start the playlist", True, B, "shuffle"),
    ("it is not far", False, B, "shuffle"),
    ("turn off wifi", True, B, "wifi"),
    ("on 2026-12-30", "12:30", S, "start"),
    ("2026-12-24 and 2026-12-31", "2026-12-12", S, "date"),
    ("turn off the light", True, B, "on"),
    ("call 555 1234", "5551235", S, "number"),
    ("mail Anna", "anna@example.com", S, "to"),
    ("play it", 6, {"type": "integer", "default": 5}, "count"),
    ("play it", 1, {"type": "boolean", "default": True}, "count"),
    ("play it", 50, {"type": "integer", "description": "how many (default: 5)"}, "count"),
    ("bread " + "and " * 40 + "milk", "bread milk", S, "text"),
    ("milk and bread", "bread, milk", S, "text"),
    ("pass it on", "$r1", S, "rows"),
    ('r1 = array(len=3) pass "$r1"', "$r2", S, "rows"),
    ("send it", "👍", S, "text"),
    ("ok", float("nan"), N, "x"),
]


@pytest.mark.parametrize(("text", "value", "schema", "name"), INVENTED)
def test_what_no_rule_accepts(text: str, value: Any, schema: dict[str, Any], name: str) -> None:
    found = ground(text, value, schema, name)
    assert (found.state, found.span) == (Origin.UNGROUNDED, None), found.rule


CLOCK = {"role": "system", "content": "Today is Monday, 30 November 2026."}
PREVIEW = (
    'r1 = text(len=1.2KB, lines=35, head="RangeError: offset 40961", tail="exit 3")\n[full value retained this run — '
    'pass "$r1" as a tool argument to operate on all of it, or "$r1.<field>" for one field]'
)


def tool_said(content: str) -> dict[str, str]:
    return {"role": "tool", "content": content}


# messages, user, value, argument, rule, source
SAID: list[tuple[list[dict[str, str]], str, Any, str, str, str]] = [
    ([CLOCK], "lunch in three weeks", "2026-12-21", "date", "relative date", "user"),
    ([CLOCK], "lunch in three weeks", "2026-11-30", "date", "clock", "clock"),
    ([CLOCK], "lunch", 2026, "year", "clock", "clock"),
    ([CLOCK], "lunch today", "2026-11-30", "date", "relative date", "user"),
    ([tool_said("limit: 4000")], "go on", 4000, "limit", "number", "result"),
    ([tool_said("a\n[4000 of 9000 bytes left out]\nb 7")], "go on", 4000, "limit", "furniture", "furniture"),
    ([tool_said("a\n[4000 of 9000 bytes left out]\nb 7")], "go on", 7, "limit", "number", "result"),
    ([tool_said(PREVIEW)], "file it", "text(len=1.2KB, lines=35)", "body", "furniture", "furniture"),
    ([tool_said(PREVIEW)], "file it", "RangeError: offset 40961", "body", "text", "result"),
    ([tool_said(PREVIEW)], "file it", "$r1", "body", "handle", "result"),
    ([tool_said('r1 = log(len=2KB, errors=2)\nerrors=5')], "go on", 2, "errors", "furniture", "furniture"),
    ([tool_said('r1 = log(len=2KB, errors=2)\nerrors=5')], "go on", 5, "errors", "number", "result"),
    ([tool_said("x\n\n[Showing lines 1-4 of 9. Full output: /a.log]")], "go on", "/a.log", "path", "handle", "result"),
    ([{"role": "system", "content": "Be brief, use 3 calls."}], "go on", 3, "n", "furniture", "furniture"),
    ([{"role": "assistant", "content": "I take room 12."}], "go on", 12, "room", "own words", "own words"),
    ([tool_said("Anna, Bo")], "call Anna", "Anna", "name", "text", "user"),
    ([tool_said("milk eggs")], "milk, some eggs", "milk eggs", "text", "text", "result"),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "user", "value", "name", "rule", "source"), SAID)
def test_who_said_it(messages: list[dict[str, str]], user: str, value: Any, name: str, rule: str, source: str) -> None:
    said = Said.of(messages, user)
    tool = {"name": "act", "parameters": {"properties": {name: {}}}}
    (found,) = ground_call(Call("act", {name: value}), tool, said)
    assert (found.rule, found.source, found.state) == (rule, source, RULES[rule][0])
    assert found.span is None or said.text[slice(*found.span)]


def test_the_pieces_of_an_input_are_all_of_it() -> None:
    said = Said.of([CLOCK, tool_said("a\n[4 of 9 bytes left out]\nb")], "Today is Monday, 30 November 2026. Go.")
    assert said.text == CLOCK["content"] + "\n\na\n[4 of 9 bytes left out]\nb\n\nToday is Monday, 30 November 2026. Go."
    assert all(said.text[piece.start :].startswith(piece.text) for piece in said.pieces)
    assert [(str(piece.source), piece.text) for piece in said.pieces if piece.text.strip()] == [
        ("clock", CLOCK["content"]),
        ("result", "a\n"),
        ("furniture", "[4 of 9 bytes left out]"),
        ("result", "\nb"),
        ("furniture", "a\n[4 of 9 bytes left out]\nb"),
        ("clock", CLOCK["content"]),
        ("user", " Go."),
    ]


@given(st.lists(st.tuples(st.sampled_from(["user", "tool", "assistant", "system"]), st.text())), st.text())
def test_any_messages_come_apart_into_pieces(messages: list[tuple[str, str]], asked: str) -> None:
    said = Said.of([{"role": role, "content": content} for role, content in messages], asked)
    assert all(said.text[piece.start : piece.start + len(piece.text)] == piece.text for piece in said.pieces)


def test_every_rule_has_a_case() -> None:
    reached = {rule for *_, rule, _ in HOLDS} | {rule for _, _, rule in RELATIVE}
    reached |= {rule for *_, rule, _ in SAID}
    reached |= {ground(text, value, schema, name).rule for text, value, schema, name in INVENTED}
    assert reached == set(RULES)


def test_the_page_about_grounding_has_every_rule() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "grounding.md").read_text(encoding="utf-8")
    rows = "".join(f"| {state} | {name} | {accepts} |\n" for name, (state, accepts) in RULES.items())
    assert rows in page


def test_nested_arguments_go_by_the_path_of_each_leaf() -> None:
    point = {"type": "object", "properties": {"name": S, "minutes": W}}
    tool = {"name": "act", "parameters": {"properties": {"stops": {"type": "array", "items": point}}}}
    call = Call("act", {"stops": [{"name": "Oslo", "minutes": 30}, {"name": "Rome", "minutes": 5}]})
    found = {one.path: one.rule for one in ground_call(call, tool, "half an hour in Oslo")}
    assert found == {
        "stops[0].name": "text",
        "stops[0].minutes": "unit",
        "stops[1].name": "nothing",
        "stops[1].minutes": "nothing",
    }


def test_synonyms_of_the_task() -> None:
    tool = {"name": "act", "parameters": {"properties": {"mode": {"enum": ["eco", "boost"]}}}}
    call = Call("act", {"mode": "eco"})
    assert ground_call(call, tool, "save some energy")[0].rule == "nothing"
    (found,) = ground_call(call, tool, "save some energy", synonyms={"eco": ["save some energy"]})
    assert (found.rule, found.state) == ("synonym", Origin.GROUNDED)


def test_a_call_without_arguments_or_tool() -> None:
    assert ground_call(Call("act", None), None, "act") == []
    assert ground_call(Call("act", {}), None, "act") == []
    (found,) = ground_call(Call("act", {"x": "act"}), None, "please act")
    assert found.rule == "text"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(min_size=1), inner, max_size=3),
    max_leaves=6,
)


@given(st.text(), st.dictionaries(st.text(min_size=1), json_values, max_size=3), st.none() | st.dates())
def test_any_call_against_any_text(text: str, arguments: dict[str, Any], today: date | None) -> None:
    found = ground_call(Call("act", arguments), {"name": "act", "parameters": {}}, text, today)
    assert [(one.path, one.value) for one in found] == list(leaves(arguments))
    for one in found:
        assert one.state is RULES[one.rule][0]
        assert one.span is None or 0 <= one.span[0] < one.span[1] <= len(text)


@given(st.text(), st.text(alphabet=st.characters(categories=["L", "N"]), min_size=1), st.text())
def test_a_word_of_the_input_is_grounded_where_it_stands(before: str, word: str, after: str) -> None:
    text = f"{before} {word} {after}"
    found = ground(text, word, S)
    assert found.state is Origin.GROUNDED
    assert found.span is not None
