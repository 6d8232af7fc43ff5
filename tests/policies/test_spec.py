"""From what a user writes to a policy, and back."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from harness import Policy
from harness.errors import HarnessError
from harness.policies import FAMILIES
from harness.policies.family import Admission, Arrival
from harness.policies.rendering import Rendering
from harness.policies.spec import make_policy, names
from harness.spec import size
from harness.testing.policies import render


@dataclass(frozen=True, kw_only=True)
class FirstLine(Admission):
    """Keeps the first line."""

    def render(self, arrival: Arrival) -> Rendering:
        line, _, rest = arrival.value.partition("\n")
        return Rendering(line, elided_bytes=len(rest.encode()), reach="rerun")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("2000", 2000),
        ("1_000", 1000),
        ("10k", 10_000),
        ("10K", 10_000),
        ("10kB", 10_000),
        ("16KiB", 16_384),
        ("16Ki", 16_384),
        ("1.5M", 1_500_000),
        ("2MiB", 2_097_152),
        ("512B", 512),
        ("0.2", 0.2),
        (".2", 0.2),
        ("inf", math.inf),
    ],
)
def test_sizes_as_people_write_them(text: str, number: float) -> None:
    assert size(text) == number


@pytest.mark.parametrize(
    ("spec", "label", "settings"),
    [
        ("head", "head:bytes=10000", {"limit": 10_000, "unit": "bytes", "min_bytes": 0, "exempt": []}),
        ("head:bytes=2000", "head:bytes=2000", {"limit": 2000, "unit": "bytes"}),
        ("head:limit=2k", "head:bytes=2000", {"limit": 2000}),
        ("head:unit=lines,limit=50", "head:lines=50", {"unit": "lines", "limit": 50}),
        (" middle : ratio = .2 , tokens4 = 1_000 ", "middle:tokens4=1000,ratio=0.2", {"ratio": 0.2}),
        ("head:limit=inf", "head:bytes=inf", {"limit": "inf"}),
        ("car:min_bytes=600", "car:min_bytes=600", {"min_bytes": 600, "text_head_bytes": 400}),
        ("codex:limit=5000", "codex:limit=5000", {"limit": 5000, "unit": "tokens4"}),
        ("codex:limit=10_000", "codex", {"limit": 10_000}),
        ("tail:exempt=a+b", "tail:bytes=10000,exempt=a+b", {"exempt": ["a", "b"]}),
        ("turn_budget:unit=bytes", "turn_budget:unit=bytes", {"unit": "bytes", "total": 200_000}),
        ("gemini:only=", 'gemini:only=""', {"only": []}),
        ('head:marker="a, \\"b\\"\\n"', 'head:bytes=10000,marker="a, \\"b\\"\\n"', {"marker": 'a, "b"\n'}),
        ("head:marker='a, \"b\"'", 'head:bytes=10000,marker="a, \\"b\\""', {"marker": 'a, "b"'}),
        ("mask_last_n:admission=head:limit=5", "mask_last_n:admission=head:bytes=5", {"admission": "head:bytes=5"}),
        (
            'mask_last_n:n=3,admission="head:lines=2,min_bytes=9"',
            'mask_last_n:admission="head:lines=2,min_bytes=9",n=3',
            {"admission": "head:lines=2,min_bytes=9"},
        ),
    ],
)
def test_labels_are_canonical_and_settings_complete(spec: str, label: str, settings: dict[str, object]) -> None:
    policy = make_policy(spec)
    assert policy.label == label
    assert settings.items() <= dict(policy.settings).items()
    again = make_policy(policy.label)
    assert (again.label, again.settings) == (label, policy.settings)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("hed", "did you mean 'head'"),
        ("codecs", "did you mean 'codex'"),
        ("", "no policies called ''"),
        ("head:limt=3", "did you mean 'limit'"),
        ("head:ratio=.2", "no setting 'ratio'"),
        ("head:limit=much", "limit='much' will not do; give a number"),
        ("head:limit=nan", "will not do"),
        ("head:limit=-1", "give 0 or more"),
        ("car:seq_head=1.5", "whole number"),
        ("head:page=inf", "whole number"),
        ("head:unit=words", "one of bytes, codepoints"),
        ("head:limit=3,", "ends in a comma"),
        ("head:limit=3,limit=4", "given twice"),
        ("head:limit", "no key=value at 'limit'"),
        ("head:marker=a,b", "no key=value at 'b'"),
        ('head:marker="a', "quote"),
        ('head:marker="\\x"', "escape as in JSON"),
        ("head:marker={elide}", "names the field 'elide'"),
        ("head:marker={0}", "names the field '0'"),
        ("head:marker={elided", "double the braces"),
        ("head:marker={elided.real}", "names the field 'elided.real'"),
        ("head:marker={tool:d}", "double the braces"),
        ("head:path={path}", "can only name"),
        ("middle:ratio=1.5", "from 0 to 1"),
        ("head:exempt=@shel", "no kind of tool called '@shel'"),
        ("head:tokenizer=5,encoding=none_base", "no encoding called 'none_base'"),
        ("head:second=car", "does not clip"),
        ("head:second=had", "did you mean 'head'"),
        ("head:min_bytes=-5", "min_bytes"),
        ("mask_last_n:admission=lease", "give an admission policy"),
        ("mask_last_n:replace=car", "follows a whole run"),
        ("mask_last_n:replace=", "replace is empty"),
        ("placebo:of=", "needs the policy"),
        ("by_tool:shell=turn_budget", "follows a whole run"),
    ],
)
def test_a_mistake_is_named_with_what_is_near(spec: str, says: str) -> None:
    with pytest.raises(HarnessError) as error:
        make_policy(spec)
    assert says in str(error.value)


def test_a_policy_as_a_toml_table() -> None:
    table = {"policy": "middle", "lines": 20, "exempt": ["a"], "min_bytes": math.inf}
    assert make_policy(table).label == "middle:lines=20,min_bytes=inf,exempt=a"
    nested = {"policy": "mask_last_n", "n": 2, "replace": {"policy": "head", "lines": 1}}
    assert make_policy(nested).label == "mask_last_n:replace=head:lines=1,n=2"
    assert make_policy({"policy": "codex", "limit": 500}).label == "codex:limit=500"
    with pytest.raises(HarnessError, match="needs its name"):
        make_policy({"limit": 3})
    with pytest.raises(HarnessError, match="whole number"):
        make_policy({"policy": "head", "page": True})
    with pytest.raises(HarnessError, match="give a text"):
        make_policy({"policy": "head", "marker": 3})


@pytest.mark.parametrize("name", names())
def test_every_policy_is_what_its_label_and_its_settings_say(name: str) -> None:
    policy = make_policy(name)
    assert policy.label.partition(":")[0] == name
    assert (policy.label == name) == (policy.preset is not None or not {"limit", "unit"} <= policy.settings.keys())
    assert make_policy({"policy": name, **policy.settings}).label == policy.label
    changed = make_policy(f"{name}:min_bytes=77")
    assert changed.label.startswith(policy.label)
    assert "min_bytes=77" in changed.label
    assert make_policy(changed.label).settings == changed.settings
    assert make_policy({"policy": name, **changed.settings}).label == changed.label


def test_a_policy_with_other_values() -> None:
    policy = make_policy("codex:min_bytes=9")
    assert policy.varied(limit=500).label == "codex:min_bytes=9,limit=500"
    assert make_policy("head:lines=3").varied(limit="2k").label == "head:lines=2000"
    with pytest.raises(HarnessError, match="did you mean 'limit'"):
        policy.varied(limits=3)


def test_labels_of_different_settings_differ() -> None:
    specs = ["head", "head:bytes=1", "head:codepoints=10000", "head:bytes=1,page=2", "head:bytes=12", "tail"]
    assert len({make_policy(spec).label for spec in specs}) == len(specs)


def test_a_family_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FAMILIES, "first_line", f"{__name__}:FirstLine")
    policy: Policy = make_policy("first_line:min_bytes=4")
    assert (policy.label, policy.stage) == ("first_line:min_bytes=4", "admission")
    assert render("first_line:min_bytes=4", "a\nbcd") == Rendering("a", 3, "rerun")
    assert render("first_line:min_bytes=6", "a\nbcd") == Rendering("a\nbcd")


def test_what_is_no_family_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FAMILIES, "odd", "harness.spec:size")
    with pytest.raises(HarnessError, match="made from Family"):
        make_policy("odd")
