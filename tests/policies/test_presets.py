"""The policies of real agents: where they were read, and what the model reads, written out by hand."""

from __future__ import annotations

import re

import pytest

from harness.policies.presets import GRADES, presets
from harness.policies.spec import make_policy
from harness.testing.policies import render


@pytest.mark.parametrize("name", presets())
def test_every_preset_says_where_it_was_read_and_how_well_it_is_known(name: str) -> None:
    preset = presets()[name]
    assert preset.grade in GRADES
    assert re.fullmatch(r"20\d\d-\d\d", preset.as_of)
    assert preset.agent
    assert preset.keeps
    assert preset.recovery
    assert re.search(r"@[0-9a-f]{7}\b|arXiv:|docs|\.rs|\.ts|\.py", preset.source), preset.source


def test_all_presets_of_the_survey_are_there() -> None:
    listed = (
        "swe_agent mini_swe smolagents openhands_v0 openhands_sdk inspect cline codex codex_2025 pi opencode gemini "
        "claude_code hermes deepagents goose car nooa_event nooa_prefill toolaria mask_last_n swe_agent_masking "
        "swe_agent_polling openhands_masking gemini_masking opencode_prune clear_tool_uses langchain_clear "
        "inspect_edit lease prune_boundary summarise_deepagents summarise_gemini summarise_cline"
    )
    assert set(presets()) == set(listed.split())


# The setting that sets the size down, the value, and what the model reads.
GOLDEN = {
    "swe_agent:limit=5": (
        "abcdefg",
        "abcde<response clipped><NOTE>Observations should not exceeded 5 characters. 2 characters were elided. Please "
        "try a different command that produces less output or use head/tail/grep/redirect the output to a file. Do not "
        "use interactive pagers.</NOTE>",
    ),
    "mini_swe:limit=4": (
        "abcdefg",
        "<warning>\nThe output of your last command was too long.\nPlease try a different command that produces less "
        "output.\nIf you're looking at a file you can try use head, tail or sed to view a smaller number of lines "
        "selectively.\nIf you're using grep or find and it produced too much output, you can use a more selective "
        "search pattern.\nIf you really need to see something from the full command's output, you can redirect output "
        "to a file and then search in that file.\n</warning><output_head>\nab\n</output_head>\n<elided_chars>\n"
        "3 characters elided\n</elided_chars>\n<output_tail>\nfg\n</output_tail>",
    ),
    "codex:limit=2": (
        "abcdé\nfghij\n",
        "Warning: truncated output (original token count: 4)\nTotal output lines: 2\n\nabcd…2 tokens truncated…hij\n",
    ),
    "inspect:limit=5": (
        "0123456789",
        "\nThe output of your call to bash was too long to be displayed.\nHere is a truncated version:\n"
        "<START_TOOL_OUTPUT>\n01789\n<END_TOOL_OUTPUT>\n",
    ),
    "smolagents:limit=5": (
        "0123456789",
        "01\n..._This content has been truncated to stay below 5 characters_...\n789",
    ),
    "openhands_v0:limit=5": ("0123456789", "01\n[... Observation truncated due to length ...]\n89"),
    "openhands_sdk:limit=116": (
        "0123456789" * 12,
        "01<response clipped><NOTE>Due to the max output limit, only part of the full response has been shown to "
        "you.</NOTE>9",
    ),
    "cline:limit=5,second=": (
        "0123456789",
        "012\n[... output truncated: 10 chars total. Refine the command (grep, head, tail) to view the elided middle "
        "...]\n89",
    ),
    "codex_2025:lines=2": (
        "a\nb\nc\n",
        "Total output lines: 3\n\na\n\n[... omitted 1 of 3 lines ...]\n\nc\n",
    ),
    "codex_2025:bytes=60": (
        "x" * 70,
        "Total output lines: 1\n\n" + "x" * 15 + "\n[... output truncated to fit 60 bytes ...]\n\n",
    ),
    "gemini:limit=10": (
        "0123456789" * 200,
        "Output too large. Showing first 2 and last 8 characters. For full output see: tool-outputs/bash_call-0.txt\n"
        "01\n\n... [1,990 characters omitted] ...\n\n23456789",
    ),
    "opencode:lines=1": (
        "a\nb\nc",
        "a\n\n...2 lines truncated...\n\nThe tool call succeeded but the output was truncated. Full output saved to: "
        "tool-output/tool_call-0\nUse Grep to search the full content or Read with offset/limit to view specific "
        "sections.",
    ),
    "opencode:bytes=3": (
        "a\nbc\nd",
        "a\n\n...5 bytes truncated...\n\nThe tool call succeeded but the output was truncated. Full output saved to: "
        "tool-output/tool_call-0\nUse Grep to search the full content or Read with offset/limit to view specific "
        "sections.",
    ),
    "goose:limit=3": (
        "日本語で",
        "The response returned from the tool call was larger (4 characters) and is stored in the file which you can "
        "use other tools to examine or search in: /tmp/goose_mcp_responses/mcp_response_call-0.txt",
    ),
    "deepagents:limit=12,head=1,tail=2": (
        "a\n" * 10 + "b",
        "Tool result too large, the result of this tool call call-0 was saved in the filesystem at this path: "
        "/large_tool_results/call-0\n\nYou can read the result from the filesystem by using the read_file tool, but "
        "make sure to only read part of the result at a time.\n\nYou can do this by specifying an offset and limit in "
        "the read_file tool call. For example, to read the first 100 lines, you can use the read_file tool with "
        "offset=0 and limit=100.\n\nHere is a preview showing the head and tail of the result (lines of the form "
        "`... [N lines truncated] ...` indicate omitted lines in the middle of the content):\n\n"
        "1  a\n... [8 lines truncated] ...\n10  a\n11  b\n",
    ),
    "car": (
        "x" * 401 + "y" * 200,
        'r1 = text(len=601B, lines=1, head="'
        + "x" * 400
        + '", tail="'
        + "y" * 200
        + '")\n[full value retained this run '
        '— pass "$r1" as a tool argument to operate on all of it, or "$r1.<field>" for one field]',
    ),
    "nooa_prefill:max_string=5": ("0123456789", "str(len=10, [:3]='012', [-2:]='89')"),
    "nooa_event:max_string=4": ("0123456789", "str(len=10, [:2]='01', [-2:]='89')"),
}


@pytest.mark.parametrize("spec", GOLDEN)
def test_what_the_model_reads(spec: str) -> None:
    value, text = GOLDEN[spec]
    assert render(spec, value).text == text


LIMITS = [
    # policy, tool, a text of exactly the limit, and what makes it one too long
    ("swe_agent", "bash", "a" * 100_000, "a"),
    ("swe_agent", "bash", "日" * 100_000, "a"),
    ("swe_agent", "bash", "😀" * 100_000, "a"),
    ("swe_agent", "bash", "e\u0301" * 50_000, "\u0301"),
    ("mini_swe", "bash", "a" * 9_999, "a"),
    ("mini_swe", "bash", "😀" * 9_999, "a"),
    ("codex", "bash", "a" * 40_000, "a"),
    ("codex", "bash", "日" * 13_333 + "a", "a"),
    ("codex", "bash", "😀" * 10_000, "a"),
    ("inspect", "bash", "a" * 16_384, "a"),
    ("inspect", "bash", "日" * 5_461 + "a", "a"),
    ("inspect", "bash", "😀" * 4_096, "\u0301"),
    ("smolagents", "bash", "😀" * 20_000, "a"),
    ("openhands_v0", "bash", "日" * 30_000, "a"),
    ("openhands_sdk", "bash", "😀" * 50_000, "a"),
    ("cline", "bash", "a" * 8_000, "a"),
    ("cline", "bash", "😀" * 4_000, "a"),
    ("codex_2025", "bash", "a" * 10_240, "a"),
    ("codex_2025", "bash", "日\n" * 256, "a"),
    ("pi", "bash", "a" * 51_200, "a"),
    ("pi", "bash", "\n" * 1_999, "\n"),
    ("pi", "read", "日" * 17_066 + "aa", "a"),
    ("opencode", "bash", "a\n" * 1_999, "\n"),
    ("gemini", "bash", "a" * 40_000, "a"),
    ("gemini", "bash", "日" * 40_000, "a"),
    ("gemini", "bash", "😀" * 20_000, "a"),
    ("gemini", "mcp__a__b", "😀" * 20_000, "a"),
    ("claude_code", "Bash", "😀" * 15_000, "a"),
    ("claude_code", "WebFetch", "😀" * 25_000, "a"),
    ("hermes", "bash", "😀" * 100_000, "a"),
    ("hermes", "mcp_a", "日" * 50_000, "a"),
    ("deepagents", "bash", "😀" * 80_000, "a"),
    ("goose", "bash", "😀" * 200_000, "a"),
    ("toolaria", "web_fetch", "😀\n" * 6_000, "a"),
    ("nooa_event", "bash", "日" * 10_000, "a"),
]


@pytest.mark.parametrize(("name", "tool", "value", "more"), LIMITS, ids=[f"{x[0]}-{x[2][0]!a}" for x in LIMITS])
def test_every_limit_is_in_the_agents_own_unit(name: str, tool: str, value: str, more: str) -> None:
    fits, over = render(name, value, tool=tool), render(name, value + more, tool=tool)
    assert fits.elided_bytes == 0
    assert fits.text in (value, repr(value))
    if name == "mini_swe":  # it cuts what is just 10,000 characters long, and leaves out nothing
        assert "0 characters elided" in over.text
        assert over.elided_bytes == 0
        assert render(name, value + more + "a", tool=tool).elided_bytes in (1, 4)
    else:
        assert over.elided_bytes > 0


PERSISTED = (
    "<persisted-output>\nOutput too large ({}). Full output saved to: tool-results/call-0.txt\n\n"
    "Preview (first 2KB):\n{}\n...\n</persisted-output>"
)


@pytest.mark.parametrize(
    ("size", "tool", "more", "text"),
    [
        (30_000, "Bash", {}, "x" * 30_000),
        (30_001, "Bash", {}, PERSISTED.format("29.3KB", "x" * 2048)),
        (30_001, "Bash", {"exit_code": 0}, PERSISTED.format("29.3KB", "x" * 2048)),
        (10_000, "Bash", {"exit_code": 2}, "x" * 10_000),
        (10_001, "Bash", {"exit_code": 2}, "x" * 5000 + "\n\n... [1 characters truncated] ...\n\n" + "x" * 5000),
        (10_001, "Bash", {"is_error": True}, "x" * 5000 + "\n\n... [1 characters truncated] ...\n\n" + "x" * 5000),
        (50_000, "WebFetch", {}, "x" * 50_000),
        (51_200, "WebFetch", {}, PERSISTED.format("50KB", "x" * 2048)),
        (99_999, "Read", {}, "x" * 99_999),
        (100_000, "mcp__a__b", {}, "x" * 100_000),
        (100_001, "mcp__a__b", {}, PERSISTED.format("97.7KB", "x" * 2048)),
    ],
)
def test_claude_code_looks_at_the_tool_and_its_outcome(
    size: int, tool: str, more: dict[str, object], text: str
) -> None:
    view = render("claude_code", "x" * size, tool=tool, **more)
    assert view.text == text
    assert view.reach == ("none" if len(text) == size else "rerun" if "truncated" in text else "file")


def test_pi_keeps_the_end_of_commands_and_the_beginning_of_files() -> None:
    lines = "".join(f"{n}\n" for n in range(1, 3001))
    view = render("pi", lines)
    assert view.text.startswith("1002\n")
    assert view.text.endswith("3000\n\n\n[Showing lines 1002-3001 of 3001. Full output: /tmp/pi-bash-call-0.log]")
    view = render("pi", lines, tool="read")
    assert view.text.startswith("1\n2\n")
    assert view.text.endswith("\n2000\n\n[Showing lines 1-2000 of 3001. Use offset=2001 to continue.]")
    wide = ("x" * 999 + "\n") * 60
    assert render("pi", wide).text.endswith(
        "\n\n[Showing lines 10-61 of 61 (50.0KB limit). Full output: /tmp/pi-bash-call-0.log]"
    )
    assert render("pi", "a" * 60_000).text == (
        "a" * 51_200 + "\n\n[Showing last 50.0KB of line 1 (line is 58.6KB). Full output: /tmp/pi-bash-call-0.log]"
    )
    assert render("pi", "a" * 60_000, tool="read").text == (
        "\n\n[Showing lines 1-0 of 1 (50.0KB limit). Use offset=1 to continue.]"
    )
    assert render("pi", "a\n" * 40_000, tool="grep").text.endswith("a\n\n[50.0KB limit reached]")


def test_hermes_previews_to_a_line_end() -> None:
    value = ("x" * 99 + "\n") * 1001
    view = render("hermes", value)
    assert view.text == (
        "<persisted-output>\nThis tool result was too large (100,100 characters, 97.8 KB).\nFull output saved to: "
        "cache/spillover/call-0.txt\nUse the read_file tool with offset and limit to access specific sections of this "
        "output.\nRecovery: page through the saved file with read_file (offset/limit) or process it with execute_code "
        "— do NOT re-request the same data from the remote API; the full result is already on disk.\n\n"
        "Preview (first 1500 chars):\n" + value[:1500] + "\n...\n</persisted-output>"
    )
    assert view.elided_bytes == 98_600
    assert render("hermes", "y" * 100_000).elided_bytes == 0
    assert render("hermes", "y" * 50_001, tool="mcp_x").elided_bytes == 48_501
    assert render("hermes", "y" * 100_001, tool="read_file").elided_bytes == 0


def test_cline_cuts_twice() -> None:
    once = render("cline", "x" * 8000)
    assert once.elided_bytes == 0
    view = render("cline", "x" * 8001)
    assert view.text == "x" * 3985 + "\n\n...[truncated 31 chars]...\n\n" + "x" * 3985
    assert view.elided_bytes == 31
    twice = render("cline", "x" * 50_000)
    assert "Refine the command" not in twice.text  # the second cut buries the first one's advice
    assert twice.text.startswith("x" * 3983 + "\n\n...[truncated 40")
    assert len(twice.text) <= 8000


def test_toolaria_shows_both_ends_and_telling_lines() -> None:
    lines = [f"line {n}" for n in range(100)]
    lines[60] = "an ERROR here"
    lines[61] = "chose the second"
    view = render("toolaria:limit=500", "\n".join(lines), tool="web_fetch")
    assert view.handle is not None
    assert view.text.startswith("[Toolaria: tool result rescued. tool=web_fetch; ")
    assert "Preview (first 40 / last 15 lines); this is a preview, NOT the full output:\n[text excerpt]\n" in view.text
    assert "--- head ---\nline 0\n" in view.text
    assert "line 39\n--- tail ---\nline 85\n" in view.text
    assert (
        "line 99\n--- error lines ---\nan ERROR here\n--- decision anchors ---\nchose the second\nRetrieve" in view.text
    )
    assert f'pass "tla:{view.handle}"' in view.text
    assert view.elided_bytes == len("\n".join(lines[40:85])) + 1 - len(lines[60] + lines[61]) - 1
    assert render("toolaria:limit=500", "\n".join(lines), tool="bash").elided_bytes == 0


def test_a_preset_with_a_setting_changed() -> None:
    policy = make_policy("codex:limit=5000")
    assert (policy.settings["limit"], policy.settings["unit"], policy.preset) == (5000, "tokens4", presets()["codex"])
    assert policy.page_bytes == 20_000
