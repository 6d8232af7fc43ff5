"""`harness show`: prompts, differences, and the evidence in them, against a recording written here."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.evidence.marks import Mark
from harness.policies.spec import make_policy
from harness.report.secrets import Mask
from harness.show.show import PromptView, difference_text, find_transcript, mask_for, prompt_text, view_prompt
from harness.show.show_html import write_page
from harness.tokens.counter import open_counter
from harness.tokens.profiles import token_profile

KEY = "AKIAIOSFODNN7EXAMPLE"
RESULT = (
    f"order ord_7731_kestrel is late\n<script>alert(1)</script> {KEY}\n" + "filler line\n" * 60 + "parcel px-4410-z\n"
)


def call(name: str, **arguments: str) -> dict[str, object]:
    return {"id": name, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    messages = [
        {"role": "user", "content": "Where is it?"},
        {"role": "assistant", "content": None, "tool_calls": [call("find", what="late orders")]},
        {"role": "tool", "tool_call_id": "find", "content": RESULT},
        {"role": "assistant", "content": None, "tool_calls": [call("track", a="ord_7731_kestrel", b="px-4410-z")]},
        {"role": "tool", "tool_call_id": "track", "content": "in \x1b[31mtransit"},
        {"role": "assistant", "content": "On its way."},
    ]
    path = tmp_path / "late.json"
    path.write_text(json.dumps({"messages": messages}), encoding="utf-8")
    return path


def view(recording: Path, policy: str, request: int | None = 2) -> PromptView:
    profile = token_profile()
    transcript = find_transcript(str(recording), None)
    return view_prompt(transcript, make_policy(policy), request, open_counter(profile.encoding), profile)


def test_evidence_is_marked_where_it_is_visible_and_listed_where_it_is_not(recording: Path) -> None:
    text = prompt_text(view(recording, "head:bytes=100"))
    assert "order ⟦ord_7731_kestrel⟧ is late" in text
    assert "takes 2 atoms that only results had shown; visible under head:bytes=100: 1 (" in text
    assert "lost: px-4410-z from [2]" in text


def test_the_answer_stands_below_the_prompt_with_what_it_takes_marked(recording: Path) -> None:
    text = prompt_text(view(recording, "head:bytes=100"))
    answer = text.partition("answer to request 2 (recorded):")[2]
    assert 'track({"a": "⟦ord_7731_kestrel⟧", "b": "⟦px-4410-z⟧"})' in answer


def test_under_identity_all_of_it_is_visible(recording: Path) -> None:
    whole = view(recording, "identity")
    assert {(t.atom, t.state) for t in whole.taken} == {("ord_7731_kestrel", "visible"), ("px-4410-z", "visible")}
    assert whole.entries[-1].text == RESULT


def test_the_difference_of_two_policies_names_what_each_hides(recording: Path) -> None:
    text = difference_text(view(recording, "identity"), view(recording, "tail:bytes=100"))
    assert "2 of 3 messages are the same under both" in text
    assert "lost: ord_7731_kestrel from [2]" in text
    assert "-order ord_7731_kestrel is late" in text


def test_what_holds_under_both_policies_is_said_once(recording: Path) -> None:
    text = difference_text(view(recording, "identity", 1), view(recording, "tail:bytes=100", 1))
    assert text.count("takes nothing that only a result had shown") == 1


def test_control_characters_cannot_drive_the_terminal(recording: Path) -> None:
    text = prompt_text(view(recording, "identity", 3))
    assert "\x1b" not in text
    assert "in ␛[31mtransit" in text


def test_the_page_escapes_the_recording_and_masks_secrets(recording: Path, tmp_path: Path) -> None:
    views = [view(recording, "identity"), view(recording, "head:bytes=100")]
    page = write_page(tmp_path / "page.html", "late.json", views, mask=Mask()).read_text(encoding="utf-8")
    assert "<mark>ord_7731_kestrel</mark>" in page
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert KEY not in page
    shown = write_page(tmp_path / "page.html", "late.json", views, mask=None).read_text(encoding="utf-8")
    assert KEY in shown


def test_a_key_that_evidence_marks_in_its_middle_is_masked_as_a_whole(recording: Path, tmp_path: Path) -> None:
    token = "ghp_" + "A1b2C3d4E5" * 3 + "F6g7H8"
    messages = json.loads(recording.read_text(encoding="utf-8"))["messages"]
    messages[2]["content"] = f"the key is {token} keep it"
    recording.write_text(json.dumps({"messages": messages}), encoding="utf-8")
    whole = view(recording, "identity")
    at = whole.entries[-1].text.index(token)
    marked = dataclasses.replace(
        whole,
        entries=[
            dataclasses.replace(e, marks=(Mark(at + 9, at + 20, "visible", token[9:20]),) if token in e.text else ())
            for e in whole.entries
        ],
    )
    assert token[9:20] in prompt_text(marked)
    text = prompt_text(marked, Mask())
    assert "the key is ⟦[masked 1]⟧ keep it" in text
    assert token[9:20] not in text
    page = write_page(tmp_path / "page.html", "late.json", [marked], mask=Mask()).read_text(encoding="utf-8")
    assert "<mark>[masked 1]</mark>" in page
    assert token[9:20] not in page


@pytest.mark.parametrize("policy", ["identity", "head:bytes=100"])
def test_a_password_is_masked_also_away_from_the_words_that_tell_it_for_one(recording: Path, policy: str) -> None:
    password = "hunter2abc_99xy"
    messages = json.loads(recording.read_text(encoding="utf-8"))["messages"]
    messages[2]["content"] = "filler line\n" * 60 + f'password = "{password}"\n'
    messages[3]["tool_calls"] = [call("track", a=password)]
    messages[4]["content"] = f"{password} is right"
    recording.write_text(json.dumps({"messages": messages}), encoding="utf-8")
    mask = mask_for(find_transcript(str(recording), None))
    taken, later = (prompt_text(view(recording, policy, k), mask) for k in (2, 3))
    assert password not in taken + later
    assert ("lost: [masked 1] from [2]" if policy != "identity" else 'password = "⟦[masked 1]⟧"') in taken
    assert "[masked 1] is right" in later


def test_a_request_or_a_transcript_that_is_not_there_is_named(recording: Path) -> None:
    with pytest.raises(HarnessError, match="no request 9; it has requests 1 to 3"):
        view(recording, "identity", 9)
    with pytest.raises(HarnessError, match="no transcript of that id in it"):
        find_transcript(f"{recording}#other", None)


def test_the_tokens_of_the_messages_and_their_framing_are_those_of_the_prompt(recording: Path) -> None:
    for policy in ("identity", "head:bytes=100", "car"):
        whole = view(recording, policy, 3)
        assert sum(e.tokens + 3 for e in whole.entries) + 3 == whole.tokens


def test_a_transcript_is_found_in_a_file_whose_path_has_a_number_sign(recording: Path, tmp_path: Path) -> None:
    (tmp_path / "fix #7").mkdir()
    moved = recording.rename(tmp_path / "fix #7" / "late#2.json")
    assert len(find_transcript(str(moved), None).messages) == 6
    with pytest.raises(HarnessError, match="no transcript of that id in it; name one as FILE#ID"):
        find_transcript(f"{moved}#other", None)
