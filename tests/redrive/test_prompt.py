"""A recorded prompt as an engine is given it."""

from __future__ import annotations

import orjson

from harness.policies.rendering import Rendering
from harness.redrive.prompt import RecordedPrompt, recorded_prompt
from harness.tokens.profiles import token_profile
from harness.transcript import Message, ToolCall, ToolResult, Transcript

MESSAGES = (
    Message("system", "Be brief."),
    Message("system", "Today is Monday."),
    Message("user", "Look.", images=1),
    Message("assistant", "I look.", (ToolCall("grep", '{"pattern":"ä"}'),), reasoning="Hm."),
    Message("tool", result=ToolResult("rows 1 to 900", "grep")),
    Message("assistant", "Done."),
)
VIEWS = {4: Rendering("rows 1 to 3", 10)}


def prompt(shown: list[int], resends: bool = False, messages: tuple[Message, ...] = MESSAGES) -> RecordedPrompt:
    return recorded_prompt(Transcript("t", "test", messages, resends_reasoning=resends), shown, VIEWS, ())


def test_system_context_and_input_are_told_apart() -> None:
    found = prompt([0, 1, 2, 3, 4])
    assert found.system == "Be brief.\n\nToday is Monday."
    assert found.context == (
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": 'I look.\n{"name": "grep", "arguments": {"pattern": "ä"}}'},
    )
    assert found.input == "rows 1 to 3"
    assert found.left_out == 1
    assert found.text.startswith("Be brief.\n\nToday is Monday.\n\nLook.\n\nI look.")
    assert "Hm." not in found.text
    assert "Hm.\nI look." in prompt([0, 1, 2, 3, 4], resends=True).text


def test_words_of_the_model_are_not_put_into_a_users_mouth() -> None:
    found = prompt([0, 2, 3])
    assert [one["role"] for one in found.context] == ["user", "assistant"]
    assert found.input == ""
    assert prompt([0]).input == ""


def test_equal_prompts_have_equal_digests_and_others_do_not() -> None:
    assert prompt([0, 2, 3, 4]).digest == prompt([0, 2, 3, 4]).digest
    assert len({prompt(shown).digest for shown in ([0, 2], [0, 1, 2], [0, 2, 3], [0, 2, 3, 4])}) == 4


def test_tokens_are_counted_as_they_are_given() -> None:
    class Words:
        def count(self, text: str) -> int:
            return len(text.split())

    framing = token_profile("openai-chat-3-3")
    assert prompt([0, 2]).tokens(Words(), framing) == 3 + (3 + 2) + (3 + 1)
    assert prompt([2]).tokens(Words(), token_profile("content-only")) == 1


def test_half_a_surrogate_pair_can_be_sent() -> None:
    messages = (Message("user", "cut \ud83d here"), Message("assistant", "", (ToolCall("x", "not \udc00 JSON"),)))
    found = prompt([0, 1], messages=messages)
    assert orjson.dumps([found.context, found.input])
    assert "cut \ufffd here" in found.text
