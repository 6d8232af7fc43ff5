"""Real tools over the bundled recordings: the table of docs/compressors.md.

    python3 -m venv tools && tools/bin/pip install 'headroom-ai[proxy]==0.42.0' leantokens==0.2.0 codetool-shell==0.1.3
    python -m tasks.compressors.make tools docs/compressors.md

The tools stand in an environment of their own. Nothing is sent anywhere; as root on Linux they have no network at all.
"""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from harness.api import Run, replay
from harness.bundled import bundled
from harness.policies.spec import make_policy

BEGIN, END = "<!-- begin of the table -->", "<!-- end of the table -->"
OURS = ("head:bytes=2000", "middle:bytes=4000", "car")
PACKAGES = ("headroom-ai", "leantokens", "codetool-shell")


def tools(folder: Path) -> dict[str, str]:
    """By what they are called in the table, the policies."""
    place, lines = folder.resolve() / "bin", Path(__file__).with_name("lines.py").resolve()
    headroom = (
        f"{place}/headroom proxy --port {{port}} --openai-api-url {{upstream}}/v1 --anthropic-api-url {{upstream}}"
    )
    leantokens = f"{place}/leantokens proxy --port {{port}} --upstream {{upstream}}"
    warm = {"keeps_state": False, "start_seconds": 300, "twice": 0}  # it takes ten seconds to start
    named = {
        "headroom (proxy)": {"policy": "wire", **warm, "run": f"{headroom} --no-rate-limit"},
        "headroom, --mode token (proxy)": {"policy": "wire", **warm, "run": f"{headroom} --no-rate-limit --mode token"},
        "leantokens (proxy)": {"policy": "wire", "run": leantokens},
        "leantokens --smart --lossy (proxy)": {"policy": "wire", "run": f"{leantokens} --smart --lossy"},
        "leantokens filter (filter)": {"policy": "command", "run": f"{place}/leantokens filter", "mode": "plain"},
        "codetool-shell (filter)": {
            "policy": "command",
            "run": f"{place}/python {lines} codetool_shell:compress_text",
        },
    }
    return {name: make_policy(table).label for name, table in named.items()}


def versions(folder: Path) -> str:
    shown = subprocess.run(
        [folder / "bin" / "pip", "list", "--format=freeze"], capture_output=True, text=True, check=True
    ).stdout.split()
    return ", ".join(line.replace("==", " ") for line in shown if line.partition("==")[0] in PACKAGES)


def table(run: Run, named: dict[str, str]) -> list[str]:
    """Its lines in Markdown."""
    sums = run.transcripts.groupby("policy", observed=True)[
        ["input_tokens", "cached_warm", "visible", "reachable", "borne", "at_risk_requests", "bearing_requests"]
    ].sum()
    whole = int(sums.loc["identity", "input_tokens"])
    programs = run.table("programs")
    lines = [
        "| policy | input tokens | kept prefix | requests with all visible | ms a request, median (p95) "
        "| ms of the harness | failed | besides |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for name, label in {"identity": "identity", **{p: p for p in OURS}, **named}.items():
        row, found = sums.loc[label], programs[programs["policy"] == label]
        safe = 1 - row["at_risk_requests"] / row["bearing_requests"]
        cells = [
            f"`{name}`" if name == label else name,
            f"{int(row['input_tokens']):,} ({100 * (row['input_tokens'] / whole - 1):+.1f} %)",
            f"{100 * row['cached_warm'] / row['input_tokens']:.1f} %",
            f"{100 * safe:.1f} %",
            "", "", "", "",
        ]  # fmt: skip
        if len(found):
            seconds, own = 1000 * found["seconds"], 1000 * found["own_seconds"]
            cells[4] = f"{seconds.median():.0f} ({seconds.quantile(0.95):.0f})"
            cells[5] = f"{own[own > 0].median():.0f}" if (own > 0).any() else ""
            cells[6] = f"{found['failures'].sum()} of {found['asked'].sum()}"
            told = sorted({what for text in found["told"].astype(str) for what in text.split("+") if what})
            tried = sorted({what for text in found["tried"].astype(str) for what in text.split("+") if what})
            more = [*told, *(f"asked for {place.removeprefix('name ')}" for place in tried)]
            if found["added_tokens"].sum():
                more.append(f"{found['added_tokens'].sum():,} tokens put in")
            if found["handles"].sum():
                more.append(f"results under a handle without a tool: {found['handles'].sum()}")
            if found["different"].sum():
                more.append(f"not deterministic: {found['different'].sum()} of {found['again'].sum()} asked again")
            cells[7] = "; ".join(more)
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def main() -> None:
    folder, page = Path(sys.argv[1]), Path(sys.argv[2])
    named = tools(folder)
    run = replay([bundled() / "transcripts"], policies=[*OURS, *named.values()])
    counts = run.transcripts[run.transcripts["policy"] == "identity"]
    head = (
        f"{datetime.now(UTC):%Y-%m-%d}; {versions(folder)}; {len(counts)} bundled transcripts, "
        f"{counts['requests'].sum()} requests."
    )
    commands = [f"    {name}: {label.replace(str(folder.resolve()), 'tools')}" for name, label in named.items()]
    commands = [line.replace(str(Path(__file__).parent.resolve()), "tasks/compressors") for line in commands]
    made = "\n".join([BEGIN, "", head, "", *table(run, named), "", *commands, "", END])
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    page.write_text(before + made + rest.partition(END)[2], encoding="utf-8")
    print(made)


if __name__ == "__main__":
    main()
