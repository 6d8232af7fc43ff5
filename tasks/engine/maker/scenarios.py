"""Tool results, and a request about each that needs one thing from it. Made from a seed; none of it is real."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tasks.engine.maker.distraction import chatter, phrases, words
from tasks.engine.maker.markup import Record, Written, call


@dataclass(frozen=True)
class Scenario:
    """A result and a request about it.

    value: JSON, or a text. asked: the call that brought it. needs: per path of the call's arguments the text that must
    stand in the rendering. handle: per path the reference that stands for the value under a policy with handles.
    """

    name: str
    family: str
    asked: tuple[str, str, dict[str, Any]]
    value: Any
    request: str
    right: Written
    needs: Mapping[str, str]
    handle: Mapping[str, str] = field(default_factory=dict)


_FIRST = words("Ulrike Matteo Ayumi Deniz Solveig Tomasz Leila Bruno Ngozi Arvid Carmen Dmitri")
_LAST = words("Brandt Okoye Lindqvist Moreau Petrov Castellano Haugen Adeyemi Novotny Sorel")


def _contacts(rng: random.Random, at: int) -> tuple[list[Record], Record]:
    names = rng.sample([f"{first} {last}" for first in _FIRST for last in _LAST], 36)
    rows = [
        {
            "name": name,
            "number": f"+49 30 555 {rng.randrange(1000, 9999)}",
            "city": rng.choice(words("Bremen Kassel Mainz Ulm")),
            "note": rng.choice(phrases("met at the fair;asks for invoices;speaks Danish;prefers mail")),
        }
        for name in names
    ]
    return rows, rows[at]


def _contact(rng: random.Random, place: str, at: int) -> Scenario:
    rows, row = _contacts(rng, at)
    return Scenario(
        f"contacts, {place}",
        "phone",
        ("Show me the customers in the north.", "list_customers", {"region": "north"}),
        rows,
        f"Dial the number of {row['name']}",
        call("dial_number", number=row["number"].replace(" ", "")),
        {"number": row["number"]},
    )


def contact_at_the_start(rng: random.Random) -> Scenario:
    return _contact(rng, "at the start", 1)


def contact_in_the_middle(rng: random.Random) -> Scenario:
    return _contact(rng, "in the middle", 17)


def contact_at_the_end(rng: random.Random) -> Scenario:
    return _contact(rng, "at the end", 35)


def _build_log(rng: random.Random, place: str, at: int) -> Scenario:
    folders, files = words("core net store view job auth"), words("cache pool index page plan")
    units = [f"{rng.choice(folders)}/{rng.choice(files)}_{number}" for number in range(70)]
    log = [f"[{n + 1:>2}/70] compiling src/{unit}.cc ({rng.randrange(80, 2400)} ms)" for n, unit in enumerate(units)]
    path, line = f"src/{units[at]}.cc", rng.randrange(120, 980)
    log.insert(at + 1, f"error: {path}:{line}: no member named 'drain' in 'Queue'")
    return Scenario(
        f"build log, error {place}",
        "developer",
        ("Build it.", "build", {"target": "all"}),
        "\n".join(log) + "\n",
        "Open the file with the error, at the line of the error",
        call("open_file", path=path, line=line),
        {"path": f"error: {path}", "line": f"{path}:{line}"},
    )


def error_at_the_start(rng: random.Random) -> Scenario:
    return _build_log(rng, "at the start", 2)


def error_in_the_middle(rng: random.Random) -> Scenario:
    return _build_log(rng, "in the middle", 37)


def error_at_the_end(rng: random.Random) -> Scenario:
    return _build_log(rng, "at the end", 68)


def charger_address(rng: random.Random) -> Scenario:
    streets = rng.sample(
        words("Weaver Miller Cooper Mason Baker Potter Tanner Fuller Glover Sawyer Turner Tyler"),
        12,
    )
    rows: list[Record] = [
        {
            "operator": f"Volt {letter}",
            "power_kw": rng.choice([11, 22, 50, 150]),
            "address": f"{rng.randrange(2, 190)} {street} Row",
            "free": rng.randrange(0, 5),
            "remarks": " ".join(chatter(rng, 2)),
        }
        for letter, street in zip("ABCDEFGHIJKL", streets, strict=True)
    ]
    return Scenario(
        "chargers, third key",
        "car",
        ("Any chargers around here?", "search_chargers", {}),
        rows,
        "Take me to the second one",
        call("navigate", destination=rows[1]["address"]),
        {"destination": rows[1]["address"]},
    )


def mail_body(rng: random.Random) -> Scenario:
    body = " ".join(chatter(rng, 16))
    mail = {"id": "m-2291", "from": "hedda@example.org", "subject": "Round letter", "size": len(body), "body": body}
    return Scenario(
        "mail, one field",
        "notes",
        ("Open the newest mail.", "read_mail", {"index": 0}),
        mail,
        "Make a note of its whole body, word for word",
        call("create_note", text=body),
        {"text": body},
        {"text": "$r1.body"},
    )


def forecast_summary(rng: random.Random) -> Scenario:
    summary = " ".join(chatter(rng, 5)) + " So stay at home."
    hours = [{"hour": hour, "celsius": rng.randrange(-4, 9), "rain_mm": rng.randrange(0, 6)} for hour in range(48)]
    report = {"station": "Kap Arkona", "issued": "05:40", "hours": hours, "summary": summary}
    return Scenario(
        "forecast, last field",
        "phone",
        ("Get the report of Kap Arkona.", "get_report", {"station": "Kap Arkona"}),
        report,
        "Send its summary to {Tadeusz:recipient} as it is",
        call("send_message", recipient="Tadeusz", body=summary),
        {"body": summary},
        {"body": "$r1.summary"},
    )


def whole_trace(rng: random.Random) -> Scenario:
    frames = [
        f"  at importer.{rng.choice(['read', 'parse', 'merge', 'flush'])}_{rng.randrange(100, 999)} "
        f"(importer/{rng.choice(['rows', 'cells', 'files'])}.ts:{rng.randrange(20, 800)})"
        for _ in range(34)
    ]
    trace = "RangeError: offset 40961 is out of bounds\n" + "\n".join(frames)
    return Scenario(
        "trace, whole",
        "developer",
        ("Run the importer once.", "run_script", {"name": "import"}),
        trace,
        "Open an issue titled {Importer reads past the end:title}, with this output as its body",
        call("open_issue", title="Importer reads past the end", body=trace),
        {"body": trace},
        {"body": "$r1"},
    )


def event_in_the_middle(rng: random.Random) -> Scenario:
    titles = [
        f"{a} {b}" for a in words("Budget Roof Garden Harvest Archive Choir") for b in words("walk talk review day")
    ]
    rng.shuffle(titles)
    rows = [
        {
            "title": title,
            "date": f"2027-01-{day:02}",
            "room": f"R{rng.randrange(100, 400)}",
            "host": rng.choice(_FIRST),
            "remarks": chatter(rng, 1)[0],
        }
        for day, title in enumerate(titles, start=4)
    ]
    row = rows[12]
    return Scenario(
        "events, in the middle",
        "calendar",
        ("What is on in January?", "query_events", {"month": "2027-01"}),
        rows,
        f"Cancel what is on the {row['date']}",
        call("cancel_event", title=row["title"]),
        {"title": row["title"]},
    )


def second_song(rng: random.Random) -> Scenario:
    colours, things = words("Amber Cobalt Ivory Scarlet Umber"), words("Engine Meadow Parade Signal Tide")
    titles = rng.sample([f"{colour} {thing}" for colour in colours for thing in things], 20)
    artists = rng.sample([f"{name} {size}" for name in _LAST for size in words("Duo Trio Quartet")], 20)
    rows: list[Record] = [
        {
            "title": title,
            "artist": artist,
            "seconds": rng.randrange(120, 400),
            "label": rng.choice(words("Kern Halde Ostrand")),
            "plays": rng.randrange(1000, 99999),
        }
        for title, artist in zip(titles, artists, strict=True)
    ]
    song = rows[1]
    return Scenario(
        "songs, second row",
        "media",
        ("Find me some chamber music.", "search_songs", {"query": "chamber"}),
        rows,
        "Play the second one",
        call("play_song", title=song["title"], artist=song["artist"]),
        {"title": song["title"], "artist": song["artist"]},
    )


def one_room_of_thirty(rng: random.Random) -> Scenario:
    rooms = [
        f"{side} {name}"
        for side in ("east", "west", "upper")
        for name in words("hall studio pantry office store lounge stair cellar porch cabin")
    ]
    lit = rooms[19]
    state = {
        room: {
            "light": "on" if room == lit else "off",
            "celsius": rng.randrange(15, 24),
            "humidity": rng.randrange(30, 70),
            "sensor": f"s-{rng.randrange(10_000, 99_999)}",
            "battery": rng.randrange(20, 100),
        }
        for room in rooms
    }
    return Scenario(
        "rooms, one of thirty keys",
        "home",
        ("How are the rooms?", "read_rooms", {}),
        state,
        "Turn {off:on} the light in the one room where it is still on",
        call("set_light", room=lit, on=False),
        {"room": lit},
    )


def service_in_a_config(rng: random.Random) -> Scenario:
    config = {f"{name}_notes": " ".join(chatter(rng, 5)) for name in ["host", "pool", "retry"]}
    config |= {"service": f"relay-{rng.randrange(20, 90)}"}
    config |= {f"{name}_notes": " ".join(chatter(rng, 5)) for name in ["cache", "trace", "alert"]}
    return Scenario(
        "config, between long values",
        "developer",
        ("Show me the config.", "read_config", {"name": "relay"}),
        config,
        "Restart the service that it names, in {staging:environment}",
        call("restart_service", service=config["service"], environment="staging"),
        {"service": config["service"]},
    )


def invoice_in_a_table(rng: random.Random) -> Scenario:
    rows = [f"INV-{4000 + n},{rng.choice(_LAST)},{rng.randrange(20, 900)}.{rng.randrange(10, 99)}" for n in range(120)]
    invoice, _, amount = rows[61].split(",")
    return Scenario(
        "invoices, in the middle",
        "notes",
        ("Export the invoices.", "export_invoices", {}),
        "number,customer,amount\n" + "\n".join(rows) + "\n",
        f"Log the amount of {invoice} as an expense",
        call("log_expense", amount=float(amount)),
        {"amount": rows[61]},
    )


def departure_on_a_board(rng: random.Random) -> Scenario:
    hours = [f"{rng.randrange(5, 23):02}:{rng.randrange(10, 59)}" for _ in range(80)]
    gates = [f"{rng.choice('ABCD')}{rng.randrange(1, 40)}" for _ in hours]
    numbers = rng.sample(range(100, 999), len(hours))
    rows = [f"QX {number}   {hour}   gate {gate}" for number, hour, gate in zip(numbers, hours, gates, strict=True)]
    flight, time, _ = rows[6].split("   ")
    return Scenario(
        "departures, at the start",
        "phone",
        ("Which flights leave today?", "list_departures", {}),
        "\n".join(rows),
        f"Set an alarm for the time of {flight}",
        call("set_alarm", time=time),
        {"time": f"{flight}   {time}"},
    )


def delivery_address(rng: random.Random) -> Scenario:
    address = (
        f"{rng.randrange(2, 90)} Potter Row, through the arch, second yard on the left, then the green door beside the "
        "bicycle rack, bell marked Castellano, ring twice and wait"
    )
    order = {
        "order": f"ORD-{rng.randrange(10_000, 99_999)}",
        "remarks": " ".join(chatter(rng, 14)),
        "delivery_address": address,
        "items": [{"sku": f"K-{n}", "count": 1} for n in range(30)],
    }
    return Scenario(
        "order, address field",
        "car",
        ("Show me the next order.", "next_order", {}),
        order,
        "Navigate to its delivery address, the full text",
        call("navigate", destination=address),
        {"destination": address},
        {"destination": "$r1.delivery_address"},
    )


SCENARIOS: tuple[Callable[[random.Random], Scenario], ...] = (
    contact_at_the_start,
    contact_in_the_middle,
    contact_at_the_end,
    error_at_the_start,
    error_in_the_middle,
    error_at_the_end,
    charger_address,
    mail_body,
    forecast_summary,
    whole_trace,
    event_in_the_middle,
    second_song,
    one_room_of_thirty,
    service_in_a_config,
    invoice_in_a_table,
    departure_on_a_board,
    delivery_address,
)
