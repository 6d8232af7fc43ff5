"""What holds requests and conversations, one file each. Whatever messages they hold are read by the dialect that fits
(`harness.formats.dialects`); what none reads is refused by name.
"""

from __future__ import annotations

CONTAINERS: dict[str, str] = {
    "langfuse": "harness.formats.containers.langfuse:Langfuse",
    "langsmith": "harness.formats.containers.langsmith:LangSmith",
    "opentelemetry": "harness.formats.containers.otel:OpenTelemetry",
    "phoenix": "harness.formats.containers.phoenix:Phoenix",
    "cassette": "harness.formats.containers.vcr:Cassette",
    "har": "harness.formats.containers.har:Har",
    "nock": "harness.formats.containers.nock:Nock",
    "proxy-log": "harness.formats.containers.proxy_log:ProxyLog",
    "openhands-llm-logs": "harness.formats.containers.openhands_logs:OpenHandsLlmLogs",
}
