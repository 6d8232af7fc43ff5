"""Recordings in, transcripts out: one file a format, told apart by content.

`FORMATS` is asked in its order; the first format that claims a source reads it. Packages add their own through the
entry point group `harness.formats`.
"""

from __future__ import annotations

FORMATS: dict[str, str] = {
    "claude-code": "harness.formats.claude_code:ClaudeCode",
    "codex": "harness.formats.codex:Codex",
    "gemini-cli": "harness.formats.gemini_cli:GeminiCli",
    "pi": "harness.formats.pi:Pi",
    "opencode": "harness.formats.opencode:OpenCode",
    "cline": "harness.formats.cline:Cline",
    "goose": "harness.formats.goose:Goose",
    "copilot-cli": "harness.formats.copilot_cli:CopilotCli",
    "kimi-code": "harness.formats.kimi_code:KimiCode",
    "kimi": "harness.formats.kimi:Kimi",
    "car-runs": "harness.formats.car_runs:CarRuns",
    "atif": "harness.formats.atif:Atif",
    "mini-swe-agent": "harness.formats.mini_swe_agent:MiniSweAgent",
    "swe-agent": "harness.formats.swe_agent:SweAgent",
    "openhands-v0": "harness.formats.openhands_v0:OpenHandsV0",
    "openhands-v1": "harness.formats.openhands_v1:OpenHandsV1",
    "openhands-llm-logs": "harness.formats.containers.openhands_logs:OpenHandsLlmLogs",
    "side-files": "harness.formats.side_files:SideFiles",
    "swe-bench-predictions": "harness.formats.predictions:Predictions",
    "tau-bench": "harness.formats.tau_bench:TauBench",
    "tau2-bench": "harness.formats.tau2:Tau2",
    "inspect-ai": "harness.formats.inspect_ai:InspectAI",
    "bfcl": "harness.formats.bfcl:Bfcl",
    "langchain": "harness.formats.langchain:LangChain",
    "langfuse": "harness.formats.containers.langfuse:Langfuse",
    "opentelemetry": "harness.formats.containers.otel:OpenTelemetry",
    "ironclaw": "harness.formats.ironclaw:IronClaw",
    "cassette": "harness.formats.containers.vcr:Cassette",
    "openai-responses": "harness.formats.openai_responses:OpenAIResponses",
    "anthropic-messages": "harness.formats.anthropic_messages:AnthropicMessages",
    "openai-chat": "harness.formats.openai_chat:OpenAIChat",
}
GROUP = "harness.formats"
