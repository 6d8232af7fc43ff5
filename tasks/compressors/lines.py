"""A function of another environment as a filter: a JSON line in, a JSON line out, for `command:run=`.

VENV/bin/python lines.py package.module:function
"""

import importlib
import json
import sys

module, _, name = sys.argv[1].partition(":")
function = getattr(importlib.import_module(module), name)
for line in sys.stdin:
    try:
        found = {"text": function(json.loads(line)["result"])}
    except Exception as error:  # noqa: BLE001  the tool's own failure is an answer
        found = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(found), flush=True)
