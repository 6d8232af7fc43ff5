from __future__ import annotations

import json

from harness.evidence.background import background
from harness.evidence.rule import rule_record


def test_the_record_says_which_rule_it_was() -> None:
    record = json.loads(json.dumps(rule_record()))
    assert record["background"]["sha256"] == background().sha256
    assert record["min_digits"] == 3
    assert record["run_words"] == 8
