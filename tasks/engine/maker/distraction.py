"""Turns behind a long text that is full of other names, numbers and places. In half of them the value stands in it."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tasks.engine.maker.markup import Line, Record, Written, call, turn


def words(text: str) -> list[str]:
    """What stands between spaces."""
    return text.split()


def phrases(text: str) -> list[str]:
    """What stands between semicolons."""
    return [phrase.strip() for phrase in text.split(";")]


_PEOPLE = words("""Adaeze Bartek Cillian Dagny Emeka Freya Goran Hedda Imre Jaswinder Kalina Lubna Mireille Nuno Oriel
    Pelle Quillon Rosalba Sigrun Teodor Ulla Vasco Winnie Xanthe Yannis Zuzana""")
_PLACES = phrases("""the boathouse; the old mill; the annex; the reading room; Dock 4; the tram depot; Canal Street 81;
    the orchard; the north stair; the pavilion; Hangar C; the town archive""")
_THINGS = phrases("""the lighting plan; the spare pump; a crate of oranges; the visitor badges; the second projector;
    the rota; a box of fuses; the guest list; the paint samples; the first-aid kit; the archive boxes; the stage curtain
    """)
_SENTENCES = [
    "{who} moved {thing} to {place} and wants it back by {hour}:{minute}.",
    "At {place} the temperature was {number} degrees all week, says {who}.",
    "{who} counted {number} chairs, {other} counted {more}.",
    "Nobody has seen {thing} since {who} was at {place}.",
    "{who} asked whether {place} is free on the {day}th; {other} thinks it is not.",
    "The bill for {thing} came to {more} euros, of which {who} paid {number}.",
    "Please do not call {who} before {hour}:{minute}; {other} is on duty until then.",
    "{other} left a message for {who}: bring {thing} and {number} metres of cable.",
    "The light in the corridor to {place} went off at {hour}:{minute} and nobody knows why.",
    "{who} would like {thing} to be played down in the newsletter, {other} would not.",
]


def chatter(rng: random.Random, sentences: int) -> list[str]:
    """So many sentences about nothing that any turn asks for."""
    return [
        rng.choice(_SENTENCES).format(
            who=rng.choice(_PEOPLE),
            other=rng.choice(_PEOPLE),
            place=rng.choice(_PLACES),
            thing=rng.choice(_THINGS),
            number=rng.randrange(31, 98),
            more=rng.randrange(101, 990),
            hour=rng.randrange(10, 21),
            minute=rng.randrange(11, 59),
            day=rng.randrange(13, 20),
        )
        for _ in range(sentences)
    ]


def lines(seed: int) -> dict[str, list[Line]]:
    """By family: two turns each, one with its values in the request, one with a value in the text before it."""
    rng = random.Random(seed)
    made: dict[str, list[Line]] = {}
    for at, (family, request, said, hint, *calls) in enumerate(_ASKED):
        sentences = chatter(rng, 20 + 6 * (at % 5))
        marks: dict[str, tuple[str, str]] = {}
        if hint:
            sentences.insert(rng.randrange(5, len(sentences) - 4), hint)
            marks = {path: (hint, value) for path, value in said.items()}
        message: Record = {"role": "user", "content": "Here is this week's round letter.\n\n" + _paragraphs(sentences)}
        if marks:
            message["marks"] = marks
        answer = {"role": "assistant", "content": "Thank you, I have read it."}
        made.setdefault(family, []).append(turn("distracting", request, *calls, context=[message, answer]))
    return made


def _paragraphs(sentences: Sequence[str]) -> str:
    return "\n\n".join(" ".join(sentences[at : at + 5]) for at in range(0, len(sentences), 5))


_ASKED: list[tuple[str, str, dict[str, str], str, *tuple[Written, ...]]] = [
    ("home", "Good. Now turn {off:on} the light in the {utility room:room}", {}, "",
     call("set_light", room="utility room", on=False)),
    ("home", "Run the scene that the letter recommends", {"scene": "Lantern Hour"},
     "For the evening the committee recommends the scene called Lantern Hour.",
     call("run_scene", scene="Lantern Hour")),
    ("phone", "Whatever. Text {Saoirse:recipient} {I skimmed the letter:body}", {}, "",
     call("send_message", recipient="Saoirse", body="I skimmed the letter")),
    ("phone", "Dial the number of the lift repair service", {"number": "+43 1 555 0142"},
     "The lift repair service now answers at +43 1 555 0142, day and night.",
     call("dial_number", number="+4315550142")),
    ("car", "Enough of that. Cruise control at {87:speed_kmh}", {}, "", call("set_cruise_control", speed_kmh=87)),
    ("car", "Take me to where the annual dinner is", {"destination": "Ferry Wharf 9"},
     "The annual dinner will be held at Ferry Wharf 9 this time.",
     call("navigate", destination="Ferry Wharf 9")),
    ("media", "Fine. Play {Slow Machinery:title} now", {}, "", call("play_song", title="Slow Machinery")),
    ("media", "Start the playlist they made for the party", {"name": "Brass and Velvet"},
     "For the party there is a playlist, Brass and Velvet, three hours long.",
     call("play_playlist", name="Brass and Velvet")),
    ("calendar", "OK. Which events do I have on {2027-04-06:date}?", {}, "", call("list_events", date="2027-04-06")),
    ("calendar", "Put the general assembly into my calendar",
     {"title": "general assembly", "date": "2027-03-23", "start": "18:30"},
     "The general assembly takes place on 2027-03-23 at 18:30, and everybody is expected.",
     call("create_event", title="general assembly", date="2027-03-23", start="18:30")),
    ("notes", "Not interesting. Add {clothes pegs:items[0]} to the {laundry:list} list", {}, "",
     call("add_to_list", list="laundry", items=["clothes pegs"])),
    ("notes", "Log the membership fee, {household:category}", {"amount": "36.50", "currency": "EUR"},
     "The membership fee is 36.50 EUR from next year on.",
     call("log_expense", amount=36.5, currency="EUR", category="household")),
    ("developer", "Back to work: open {src/queue/drain.rs:path}", {}, "", call("open_file", path="src/queue/drain.rs")),
    ("developer", "Create the branch that they ask for in the letter", {"name": "letters/winter-layout"},
     "Whoever does the web page, please use a branch named letters/winter-layout for it.",
     call("create_branch", name="letters/winter-layout")),
]  # fmt: skip
