"""Hold our verdicts on BFCL answers against those of the leaderboard's own checker, and list where they differ.

    pip download --no-deps bfcl-eval==2026.3.23 && unzip -d bfcl bfcl_eval-*.whl
    python -m tasks.engine.compare_bfcl bfcl simple_python multiple

Per question: the first accepted value of everything, three random choices among the accepted values, and twelve
mutated answers. The leaderboard's checker imports every vendor's SDK through one module of model settings; that module
is replaced here, the rest runs as it is. docs/bfcl.md explains the differences.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
import types
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from harness.bench.scoring import score_turn
from harness.bench.tasks import read_tasks
from harness.engines.envelope import Call

Answer = list[tuple[str, dict[str, Any]]]
Truth = list[dict[str, dict[str, list[Any]]]]
SEED = 7


def checker(folder: Path) -> Callable[[list[Any], Answer, Truth, str], bool]:
    """The leaderboard's verdict, from the unpacked wheel in `folder`."""
    sys.path.insert(0, str(folder))
    settings = types.ModuleType("bfcl_eval.constants.model_config")
    settings.MODEL_CONFIG_MAPPING = defaultdict(lambda: types.SimpleNamespace(underscore_to_dot=False))  # type: ignore[attr-defined]
    sys.modules[settings.__name__] = settings
    check = import_module("bfcl_eval.eval_checker.ast_eval.ast_checker").ast_checker
    python = import_module("bfcl_eval.constants.enums").Language.PYTHON

    def verdict(functions: list[Any], answer: Answer, truth: Truth, category: str) -> bool:
        calls = [{name: arguments} for name, arguments in copy.deepcopy(answer)]
        return bool(check(functions, calls, truth, python, category, "any")["valid"])

    return verdict


def chosen(truth: Truth, choose: Callable[[list[Any]], Any]) -> Answer:
    """An answer from accepted values; an argument for which the empty text is chosen is left out."""
    made: Answer = []
    for call in truth:
        for name, accepted in call.items():
            arguments = {}
            for argument, values in accepted.items():
                if values and (value := choose(values)) != "":
                    arguments[argument] = _inside(value, choose)
            made.append((name, arguments))
    return made


def _inside(value: Any, choose: Callable[[list[Any]], Any]) -> Any:
    if isinstance(value, dict):
        picked = {key: choose(choices) if isinstance(choices, list) else choices for key, choices in value.items()}
        return {key: choice for key, choice in picked.items() if choice != ""}
    return (
        [_inside(item, choose) if isinstance(item, dict) else item for item in value]
        if isinstance(value, list)
        else value
    )


def first(values: list[Any]) -> Any:
    return next((value for value in values if value != ""), "")


def answers(truth: Truth, rng: random.Random) -> Iterator[tuple[str, Answer]]:
    yield "first", chosen(truth, first)
    for _ in range(3):
        yield "random", chosen(truth, rng.choice)
    for _ in range(12):
        name, change = rng.choice(list(_MUTATIONS.items()))
        answer = copy.deepcopy(chosen(truth, first))
        if change(answer, rng):
            yield name, answer


def _change(kinds: tuple[type, ...], change: Callable[[Any], Any]) -> Callable[[Answer, random.Random], bool]:
    """A mutation of one argument of these types."""

    def mutate(answer: Answer, rng: random.Random) -> bool:
        places = [(given, key) for _, given in answer for key, value in given.items() if type(value) in kinds]
        if places:
            arguments, key = rng.choice(places)
            arguments[key] = change(arguments[key])
        return bool(places)

    return mutate


def _of_calls(change: Callable[[Answer, random.Random], object]) -> Callable[[Answer, random.Random], bool]:
    def mutate(answer: Answer, rng: random.Random) -> bool:
        change(answer, rng)
        return True

    return mutate


def _drop(answer: Answer, rng: random.Random) -> None:
    _, arguments = rng.choice(answer)
    if arguments:
        del arguments[rng.choice(list(arguments))]


def _inner(value: Any) -> Any:
    """The first thing inside a list or object, changed as the outer mutations do."""
    key = next(iter(value if isinstance(value, dict) else range(len(value))), None)
    if key is not None:
        value[key] = _other_type(value[key]) if type(value[key]) in (int, float) else str(value[key]).upper() + "."
    return value


def _other_type(value: float) -> float:
    return float(value) if isinstance(value, int) else int(value)


_MUTATIONS: dict[str, Callable[[Answer, random.Random], bool]] = {
    "upper case": _change((str,), str.upper),
    "punctuation": _change((str,), lambda text: text.replace(" ", "_") + "."),
    "spaces": _change((str,), lambda text: f" {text} "),
    "another word": _change((str,), lambda text: text + " x"),
    "another number": _change((int, float), lambda number: number + 1),
    "other number type": _change((int, float), _other_type),
    "as text": _change((int, float, bool), str),
    "negated": _change((bool,), lambda flag: not flag),
    "null": _change((str, int, float, bool, list, dict), lambda _: None),
    "reversed": _change((list,), lambda items: items[::-1]),
    "inner": _change((list, dict), _inner),
    "argument dropped": _of_calls(_drop),
    "argument added": _of_calls(lambda answer, rng: rng.choice(answer)[1].update(surprise=1)),
    "call dropped": _of_calls(lambda answer, rng: answer.pop(rng.randrange(len(answer)))),
    "call doubled": _of_calls(lambda answer, rng: answer.append(rng.choice(answer))),
    "another name": _of_calls(lambda answer, rng: answer.append((answer.pop()[0] + "x", {}))),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tasks.engine.compare_bfcl", description="Compare our verdicts with those of BFCL's checker."
    )
    parser.add_argument("folder", type=Path, help="folder with the unpacked wheel of bfcl-eval")
    parser.add_argument("category", nargs="+", help="simple_python, multiple, parallel, live_multiple, ...")
    args = parser.parse_args()
    verdict = checker(args.folder)
    for category in args.category:
        path = args.folder / "bfcl_eval" / "data" / f"BFCL_v4_{category}.json"
        questions = {record["id"]: record for record in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
        truths = (path.parent / "possible_answer" / path.name).read_text(encoding="utf-8").splitlines()
        truth = {record["id"]: record["ground_truth"] for record in map(json.loads, truths)}
        counts: Counter[tuple[bool, bool]] = Counter()
        differing: dict[str, list[str]] = {}
        for task in read_tasks(path):
            rng = random.Random(f"{SEED} {task.id}")
            for kind, answer in answers(truth[task.id], rng):
                theirs = verdict(questions[task.id]["function"], answer, truth[task.id], category)
                ours = score_turn(task.turns[0], [Call(name, given) for name, given in answer]).right
                counts[theirs, ours] += 1
                if theirs != ours:
                    differing.setdefault(task.id, []).append(f"{kind} (theirs {'right' if theirs else 'wrong'})")
        same = counts[True, True] + counts[False, False]
        print(f"{category}: {sum(counts.values())} answers, {counts[True, True]} right by both, "
              f"{counts[False, False]} wrong by both, {sum(counts.values()) - same} different")  # fmt: skip
        for name, kinds in differing.items():
            print(f"  {name}: {', '.join(kinds)}")


if __name__ == "__main__":
    main()
