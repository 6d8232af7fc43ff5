"""Turns over the tools of the bundled tiny model, in sentences that its training never saw (`tasks/tiny/`)."""

from __future__ import annotations

import random

from tasks.engine.maker.markup import Line, call, turn
from tasks.tiny.catalog import TOOLS

__all__ = ["TOOLS", "lines"]

_NAMES = [tool["name"] for tool in TOOLS]


def lines(seed: int) -> list[tuple[Line, list[str]]]:
    """The turns, each with the names of the tools that it declares: its own and a few others, all for `many_tools`."""
    rng = random.Random(seed)
    made = []
    for line in _TURNS:
        own = dict.fromkeys([call.name for call in line.calls] or _meant(line.text))
        if line.kind == "no_tool":
            own = {}
        others = [name for name in _NAMES if name not in own and name not in _never(line)]
        count = len(others) if line.kind == "many_tools" else rng.randrange(2, 5)
        names = [*own, *rng.sample(others, min(count, len(others)))]
        rng.shuffle(names)
        made.append((line, names))
    return made


def _meant(text: str) -> list[str]:
    """The tool that a turn without a call speaks of; it has to be there, or the turn would test something else."""
    return [name for word, name in _WORDS.items() if word in text.lower()][:1]


def _never(line: Line) -> set[str]:
    """Tools under which a turn would have an answer after all."""
    return {"add_note", "send_message"} if line.kind in ("missing", "no_tool", "negation") else set()


_WORDS = {"light": "set_light", "heating": "set_heating", "volume": "set_volume", "timer": "set_timer",
          "alarm": "set_alarm", "weather": "get_weather", "music": "play_music", "call": "call_contact",
          "calendar": "add_event", "route": "navigate"}  # fmt: skip

_TURNS = [
    turn("single", "i would like the {pantry:room} light {on:on}", call("set_light", room="pantry", on=True)),
    turn("single", "please switch {off:on} the lamp in the {music room:room}",
         call("set_light", room="music room", on=False)),
    turn("single", "put the heating to {17:degrees} degrees for me", call("set_heating", degrees=17)),
    turn("single", "i want it to be {23:degrees} degrees at home", call("set_heating", degrees=23)),
    turn("single", "put the volume to {38:level} please", call("set_volume", level=38)),
    turn("single", "could you bring the sound down to {10:level} percent", call("set_volume", level=10)),
    turn("single", "start a {17:minutes} minute timer for the bread", call("set_timer", minutes=17)),
    turn("single", "i need a timer of {55:minutes} minutes", call("set_timer", minutes=55)),
    turn("single", "wake me at {6:45:time}", call("set_alarm", time="6:45")),
    turn("single", "i have to be up at {5:24 am:time}", call("set_alarm", time="5:24 am")),
    turn("single", "how is the weather in {Ljubljana:city} today", call("get_weather", city="Ljubljana")),
    turn("single", "should i take an umbrella in {Dakar:city}", call("get_weather", city="Dakar")),
    turn("single", "i want to hear {velvet compass:title}", call("play_music", title="velvet compass")),
    turn("single", "can you play {copper lantern:title} for me", call("play_music", title="copper lantern")),
    turn("single", "please give {Beatrix:name} a call", call("call_contact", name="Beatrix")),
    turn("single", "i need to speak to {the plumber:name}", call("call_contact", name="the plumber")),
    turn("single", "let {Quentin:name} know that {i am stuck in traffic:text}",
         call("send_message", name="Quentin", text="i am stuck in traffic")),
    turn("single", "send a text to {Ingrid:name} saying {the new helmet arrived:text}",
         call("send_message", name="Ingrid", text="the new helmet arrived")),
    turn("single", "put {violin recital:title} in my calendar on {sunday:day}",
         call("add_event", title="violin recital", day="sunday")),
    turn("single", "i have {seminar:title} on {next wednesday:day}",
         call("add_event", title="seminar", day="next wednesday")),
    turn("single", "show me how to get to {the harbour:place}", call("navigate", place="the harbour")),
    turn("single", "what is the best route to {the botanical garden:place}",
         call("navigate", place="the botanical garden")),
    turn("single", "save a note that {the blanket is in the basement:text}",
         call("add_note", text="the blanket is in the basement")),
    turn("single", "please note down {buy mustard and yogurt:text}", call("add_note", text="buy mustard and yogurt")),
    turn("several", "turn {on:on} the {loft:room} light and set a timer for {12:1.minutes} minutes",
         call("set_light", room="loft", on=True), call("set_timer", minutes=12)),
    turn("several", "volume to {30:level}, then play {frozen meadow:1.title}",
         call("set_volume", level=30), call("play_music", title="frozen meadow")),
    turn("several", "heating to {21:degrees} degrees and wake me at {7:20:1.time}",
         call("set_heating", degrees=21), call("set_alarm", time="7:20")),
    turn("several", "call {Fatima:name} and then show me the way to {the opera:1.place}",
         call("call_contact", name="Fatima"), call("navigate", place="the opera")),
    turn("several", "what's the weather in {Tbilisi:city} and in {Utrecht:1.city}",
         call("get_weather", city="Tbilisi"), call("get_weather", city="Utrecht")),
    turn("several", "lights {off:on} in the {nursery:room}. lights {on:1.on} in the {corridor:1.room}",
         call("set_light", room="nursery", on=False), call("set_light", room="corridor", on=True)),
    turn("several", "text {Naomi:name} {dinner is ready:text} and play {crimson trumpet:1.title}",
         call("send_message", name="Naomi", text="dinner is ready"), call("play_music", title="crimson trumpet")),
    turn("several", "set an alarm for {8 am:time} and put {marathon:1.title} on {sunday:1.day}",
         call("set_alarm", time="8 am"), call("add_event", title="marathon", day="sunday")),
    turn("many_tools", "get the volume up to {73:level}", call("set_volume", level=73)),
    turn("many_tools", "i want to talk to {Svetlana:name}", call("call_contact", name="Svetlana")),
    turn("many_tools", "tell me the weather for {Kampala:city}", call("get_weather", city="Kampala")),
    turn("many_tools", "bring me to {the ferry:place}", call("navigate", place="the ferry")),
    turn("number_words", "i want the heating set to {twenty five:degrees} degrees", call("set_heating", degrees=25)),
    turn("number_words", "{nineteen:minutes} minutes on my timer", call("set_timer", minutes=19)),
    turn("number_words", "let the volume go to {sixty:level}", call("set_volume", level=60)),
    turn("number_words", "run me a {fifteen:minutes} minute timer", call("set_timer", minutes=15)),
    turn("missing", "could you set up a timer for me"),
    turn("missing", "please do something about the volume"),
    turn("missing", "i would like to set an alarm"),
    turn("missing", "a light has to be switched on"),
    turn("missing", "i am looking for some music to play"),
    turn("missing", "there is somebody i need to call"),
    turn("missing", "the heating needs a change"),
    turn("missing", "how is the weather over there"),
    turn("negation", "do not turn on the light in the shed"),
    turn("negation", "please don't call Wilma"),
    turn("negation", "i don't want any music now"),
    turn("negation", "no timer for now please"),
    turn("no_tool", "can you sing me a lullaby"),
    turn("no_tool", "who was the painter of this picture"),
    turn("no_tool", "how much is seven times eight"),
    turn("no_tool", "order two pizzas"),
    turn("no_tool", "how old is Naomi"),
    turn("no_tool", "translate lantern into french"),
    turn("no_tool", "are you a human"),
    turn("no_tool", "the milk is gone"),
    turn("scripts", "weather in {São Tomé:city}", call("get_weather", city="São Tomé")),
    turn("scripts", "call {Zoë Müller:name}", call("call_contact", name="Zoë Müller")),
]  # fmt: skip
