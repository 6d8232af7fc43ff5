"""Synthetic turns for the tiny model, and the held-out test sets.

    python -m tasks.tiny.generate            writes heldout/*.jsonl, the same bytes every time

A turn is {query, tools, answers}: `tools` in the order shown to the model, `answers` the calls it should make. In
training it has two keys more, from which the thought before the answer is written: `wanted`, the names of the tools
that the user asks for, shown or not, and `kind`, why they are called or not (a key of `text.VERDICTS`).
"""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tasks.tiny import catalog, paraphrases, refusals
from tasks.tiny.values import Values, invented

Turn = dict[str, Any]
Clause = tuple[str, dict[str, Any]]

BY_NAME = {tool["name"]: tool for tool in catalog.TOOLS}
NAMES = list(BY_NAME)
FREE_TEXT = {"send_message", "add_note", "play_music", "add_event"}
INTEGERS = {"minutes", "degrees", "level"}
ASKING = ["please", "can you", "could you", "would you", "hey", "ok", "hi,", "i want you to", "i need you to",
          "go ahead and", "now", "can you please", "hey, can you", "quick,", "so", "then", "alright,",
          "just", *paraphrases.ASKING]  # fmt: skip
ASKING_HELD = ["would you mind and", "be so kind and", "listen,", "you there,", "i would love you to"]
TRAIN = {tool: [*catalog.TRAIN[tool], *paraphrases.CALLS[tool]] for tool in catalog.TRAIN}
MISSING_TRAIN = {tool: [*refusals.MISSING_TRAIN[tool], *paraphrases.MISSING[tool]] for tool in catalog.TRAIN}
OFF_TOPIC_TRAIN = [*refusals.OFF_TOPIC_TRAIN, *paraphrases.OFF_TOPIC]
REFUSING_TRAIN = [*refusals.REFUSING_TRAIN, *paraphrases.REFUSING]
AFTER = [" please", " now", " for me", " right away", " thanks", " if you can", ", please", " right now", " ok"]
JOINERS = [" and ", ", then ", " and then ", " and also ", ". ", ", and ", " then ", "; "]
CLOSED_JOINERS = [", then ", " and then ", " and also ", ". ", ", and "]
HELD_SETS = {
    "phrasings": 360, "values": 360, "both": 120, "several": 150,
    "off_topic": 120, "absent_tool": 120, "missing_argument": 150, "negated": 60,
}  # fmt: skip
CHOICE = re.compile(r"\[([^\[\]]*)\]")


class Generator:
    """Turns from one seed; `held_phrasings` and `held_values` choose which half of each is used."""

    def __init__(self, seed: int, held_phrasings: bool = False, held_values: bool = False) -> None:
        self.rng = random.Random(seed)
        self.values = Values(self.rng, held_values)
        self.held = held_phrasings
        self.patterns = catalog.HELD if held_phrasings else TRAIN
        self.off_topics = refusals.OFF_TOPIC_HELD if held_phrasings else OFF_TOPIC_TRAIN
        self.missing = refusals.MISSING_HELD if held_phrasings else MISSING_TRAIN
        self.refusing = refusals.REFUSING_HELD if held_phrasings else REFUSING_TRAIN
        self.asking = ASKING_HELD if held_phrasings else ASKING

    def _fill(self, pattern: str) -> tuple[str, dict[str, Any]]:
        """Resolve choices and slots; returns the text and the value of each slot as an argument."""
        while CHOICE.search(pattern):
            pattern = CHOICE.sub(lambda found: self.rng.choice(found[1].split("|")), pattern, count=1)
        values: dict[str, Any] = {}
        text = ""
        for part in re.split(r"(\{\w+\})", pattern):
            slot = part[1:-1]
            if not part.startswith("{"):
                text += part
            elif slot in INTEGERS:
                values[slot], shown = self.values.integer(slot)
                text += shown
            elif slot == "state":
                state = self.rng.choice(("on", "off"))
                values["on"] = state == "on"
                text += state
            else:
                values[slot] = self.values.draw[slot]()
                text += values[slot]
        return re.sub(r"  +", " ", text).strip(), values

    def _clause(self, tool: str, polite: bool = True) -> Clause:
        entry = self.rng.choice(self.patterns[tool])
        pattern, implied = entry if isinstance(entry, tuple) else (entry, {})
        text, values = self._fill(self._noisy(pattern.lstrip("~")))
        text = self._dress(text, pattern) if polite else text
        arguments = {key: {**values, **implied}[key] for key in BY_NAME[tool]["parameters"]["properties"]}
        return text, {"name": tool, "arguments": arguments}

    def _dress(self, text: str, pattern: str) -> str:
        """Polite, empty or unknown words before and after, as people add them."""
        if not pattern.startswith("~") and self.rng.random() < 0.4:
            text = self.rng.choice(self.asking) + " " + text
        elif self.rng.random() < 0.12:
            text = self.rng.choice(("please", "hey", "ok,", invented(self.rng), invented(self.rng) + ",")) + " " + text
            if self.rng.random() < 0.3:
                text = invented(self.rng) + " " + text
        if not pattern.endswith("}") and self.rng.random() < 0.2:
            text += self.rng.choice(AFTER)
        return text

    def _noisy(self, pattern: str) -> str:
        """The pattern, at times with an unknown word between two of its own: it changes nothing."""
        words = pattern.split(" ")
        places = [at for at in range(1, len(words)) if not {*"{}[]|"} & {*(words[at - 1] + words[at])}]
        if not self.held and places and self.rng.random() < 0.08:
            words.insert(self.rng.choice(places), invented(self.rng))
        return " ".join(words)

    def _turn(self, query: str, answers: list[dict[str, Any]], shown: list[str], kind: str, wanted: list[str]) -> Turn:
        lowered = self.rng.random() < 0.5
        if lowered:
            query = query.lower()
            answers = [
                {
                    "name": call["name"],
                    "arguments": {k: v.lower() if isinstance(v, str) else v for k, v in call["arguments"].items()},
                }
                for call in answers
            ]
        elif self.rng.random() < 0.4 and not any(
            query.startswith(str(v)) for c in answers for v in c["arguments"].values()
        ):
            query = query[:1].upper() + query[1:]
        if self.rng.random() < 0.25:
            query += self.rng.choice((".", ".", "!", "?"))
        self.rng.shuffle(shown)
        tools = [BY_NAME[name] for name in shown]
        return {"query": query, "tools": tools, "answers": answers, "kind": kind, "wanted": wanted}

    def _shown(self, needed: list[str], most: int) -> list[str]:
        """Between three and `most` tools, the needed ones among them."""
        others = [name for name in NAMES if name not in needed]
        count = self.rng.randint(min(3, most), most)
        return needed + self.rng.sample(others, max(0, min(len(others), count - len(needed))))

    def single(self, most: int) -> Turn:
        tool = self.rng.choice(NAMES)
        text, call = self._clause(tool)
        return self._turn(text, [call], self._shown([tool], most), "call", [tool])

    def several(self, most: int) -> Turn:
        count = self.rng.choices((2, 3), (4, 1))[0]
        clauses: list[Clause] = []
        while len(clauses) < count:
            tool = self.rng.choice(NAMES)
            clauses.append(self._clause(tool, polite=not clauses))
        text = clauses[0][0]
        for (_, before), (words, _) in itertools.pairwise(clauses):
            text += self.rng.choice(CLOSED_JOINERS if before["name"] in FREE_TEXT else JOINERS) + words
        needed = list(dict.fromkeys(call["name"] for _, call in clauses))
        names = [call["name"] for _, call in clauses]
        return self._turn(text, [call for _, call in clauses], self._shown(needed, most), "call", names)

    def off_topic(self, most: int) -> Turn:
        pattern = self.rng.choice(self.off_topics)
        text = self._dress(self._fill(pattern.lstrip("~"))[0], "~" + pattern)
        return self._turn(text, [], self._shown([], most), "off_topic", [])

    def absent_tool(self, most: int) -> Turn:
        return self._absent_tool(most)[0]

    def missing_argument(self, most: int) -> Turn:
        return self._missing_argument(most)[0]

    def negated(self, most: int) -> Turn:
        return self._negated(most)[0]

    def _absent_tool(self, most: int) -> tuple[Turn, Clause]:
        tool = self.rng.choice(NAMES)
        text, call = self._clause(tool)
        shown = [name for name in self._shown([tool], min(most + 1, len(NAMES))) if name != tool]
        return self._turn(text, [], shown, "absent_tool", [tool]), (text, call)

    def _missing_argument(self, most: int) -> tuple[Turn, Clause | None]:
        tool = self.rng.choice(NAMES)
        pattern = self.rng.choice(self.missing[tool])
        text = self._dress(self._fill(pattern.lstrip("~"))[0], pattern)
        return self._turn(text, [], self._shown([tool], most), "missing_argument", [tool]), None

    def _negated(self, most: int) -> tuple[Turn, Clause]:
        tool = self.rng.choice(NAMES)
        commands = [entry for entry in self.patterns[tool] if isinstance(entry, str) and not entry.startswith("~")]
        text, values = self._fill(self.rng.choice(commands))
        call = {"name": tool, "arguments": {key: values[key] for key in BY_NAME[tool]["parameters"]["properties"]}}
        query = f"{self.rng.choice(self.refusing)} {text}"
        return self._turn(query, [], self._shown([tool], most), "negated", [tool]), (text, call)

    def mixed(self, most: int) -> list[Turn]:
        """One training turn or two; `most` bounds the number of tools shown.

        A refusal comes with its twin, a turn of the same tool (where it can be, of the same words) that is answered,
        so that what decides is what is learnt.
        """
        plain = (self.single, self.several, self.off_topic)
        twins = (self._absent_tool, self._missing_argument, self._negated)
        make = self.rng.choices((*plain, *twins), (28, 18, 11, 14, 15, 6))[0]
        if make in plain:
            return [make(most)]
        turn, clause = make(most)
        (tool,) = turn["wanted"]
        text, call = clause or self._clause(tool)
        shown = [other["name"] for other in turn["tools"]]
        if tool not in shown:
            shown[self.rng.randrange(len(shown))] = tool
        return [turn, self._turn(text, [call], shown, "call", [tool])]


def held_out() -> Iterator[tuple[str, list[Turn]]]:
    """The test sets by name. Eight tools at most are shown, as in most of training."""
    for at, (name, count) in enumerate(HELD_SETS.items()):
        source = Generator(90_000 + at, held_phrasings=name != "values", held_values=name in ("values", "both"))
        kind = "single" if name in ("phrasings", "values", "both") else name
        make = getattr(source, kind)
        turns: dict[str, Turn] = {}
        while len(turns) < count:
            made = make(8)
            turn = {key: made[key] for key in ("query", "tools", "answers")}
            turns.setdefault(turn["query"].lower(), turn)
        yield name, list(turns.values())


def main() -> None:
    folder = Path(__file__).parent / "heldout"
    folder.mkdir(exist_ok=True)
    for name, turns in held_out():
        with open(folder / f"{name}.jsonl", "w", encoding="utf-8") as file:
            for turn in turns:
                file.write(json.dumps(turn, ensure_ascii=False) + "\n")
        print(f"{name:<18}{len(turns):>5}")


if __name__ == "__main__":
    main()
