"""Recordings in, transcripts out: one file a format, told apart by content.

`FORMATS` is asked in its order; the first format that claims a source reads it. Packages add their own through the
entry point group `harness.formats`.
"""

from __future__ import annotations

from harness.formats.containers import CONTAINERS
from harness.formats.dialects import DIALECTS

FORMATS: dict[str, str] = {
    "claude-code": "harness.formats.claude_code:ClaudeCode",
    "codex": "harness.formats.codex:Codex",
    "codex-exec": "harness.formats.codex_exec:CodexExec",
    "gemini-cli": "harness.formats.gemini_cli:GeminiCli",
    "qwen-code": "harness.formats.qwen_code:QwenCode",
    "droid": "harness.formats.droid:Droid",
    "pi": "harness.formats.pi:Pi",
    "opencode": "harness.formats.opencode:OpenCode",
    "opencode-events": "harness.formats.opencode_events:OpenCodeEvents",
    "cursor": "harness.formats.cursor:Cursor",
    "vscode-copilot": "harness.formats.vscode_copilot:VsCodeCopilot",
    "cline": "harness.formats.cline:Cline",
    "goose": "harness.formats.goose:Goose",
    "copilot-cli": "harness.formats.copilot_cli:CopilotCli",
    "kimi-code": "harness.formats.kimi_code:KimiCode",
    "kimi": "harness.formats.kimi:Kimi",
    "grok": "harness.formats.grok:Grok",
    "antigravity": "harness.formats.antigravity:Antigravity",
    "car-runs": "harness.formats.car_runs:CarRuns",
    "atif": "harness.formats.atif:Atif",
    "mini-swe-agent": "harness.formats.mini_swe_agent:MiniSweAgent",
    "swe-agent": "harness.formats.swe_agent:SweAgent",
    "openhands-v0": "harness.formats.openhands_v0:OpenHandsV0",
    "openhands-v1": "harness.formats.openhands_v1:OpenHandsV1",
    "side-files": "harness.formats.side_files:SideFiles",
    "swe-bench-predictions": "harness.formats.predictions:Predictions",
    "tau-bench": "harness.formats.tau_bench:TauBench",
    "tau2-bench": "harness.formats.tau2:Tau2",
    "inspect-ai": "harness.formats.inspect_ai:InspectAI",
    "bfcl": "harness.formats.bfcl:Bfcl",
    "openai-agents": "harness.formats.openai_agents:OpenAIAgents",
    "smolagents": "harness.formats.smolagents:Smolagents",
    "autogen": "harness.formats.autogen:AutoGen",
    "sharegpt": "harness.formats.sharegpt:ShareGPT",
    "ironclaw": "harness.formats.ironclaw:IronClaw",
    **CONTAINERS,
    **{name: f"harness.formats.containers.json_files:{target.rpartition(':')[2]}" for name, target in DIALECTS.items()},
}
GROUP = "harness.formats"
