"""A filter that shortens as `head:bytes=2000` does; its argument names a fault that it has."""

import json
import os
import random
import sys
import time

MOST = 2000


def shortened(value: str) -> str:
    """What the built-in policy makes of a text."""
    data = value.encode("utf-8", "surrogatepass")
    if len(data) <= MOST:
        return value
    head = data[:MOST].decode("utf-8", "ignore")
    left = len(data) - len(head.encode())
    return f"{head}\n[{left} of {len(data)} bytes left out]"


def answer(fault: str, number: int, value: str) -> None:
    if fault == "crash" and number % 2:
        os._exit(3)
    if fault == "stall":
        time.sleep(60)
    if fault == "broken" or (fault == "half-broken" and number % 2):
        print("{no json")
    elif fault == "refuse":
        print(json.dumps({"error": "too long"}))
    elif fault == "random":
        print(json.dumps({"text": value[: random.randrange(1, len(value) + 1)]}))
    elif fault == "remembers":
        print(json.dumps({"text": f"number {number}: {value[:100]}"}))
    else:
        print(json.dumps({"text": shortened(value)}))
    sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:] == ["plain"]:
        sys.stdout.write(shortened(sys.stdin.read()))
    else:
        for number, line in enumerate(sys.stdin):
            answer(sys.argv[1] if len(sys.argv) > 1 else "", number, json.loads(line)["result"])
