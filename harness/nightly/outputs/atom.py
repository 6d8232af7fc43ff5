"""An Atom feed of regressions (RFC 4287), the newest first; nights that were fine make no entry."""

from __future__ import annotations

import time
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

from harness.nightly.outputs import Night
from harness.nightly.outputs.junit import clean
from harness.report.units import QUANTITY
from harness.runs.groups import write_whole

NAMESPACE = "http://www.w3.org/2005/Atom"
ENTRIES = 50


class Atom:
    """`regressions.atom`."""

    name = "atom"

    def export(self, night: Night, directory: Path) -> list[Path]:
        path = directory / "regressions.atom"
        write_whole(path, feed(night))
        return [path]


def feed(night: Night) -> bytes:
    """The document."""
    suite = night.verdict.suite
    root = ET.Element("feed", xmlns=NAMESPACE)
    _text(root, "id", f"urn:context-policy-harness:{suite}")
    _text(root, "title", f"Regressions of suite {suite}")
    _text(root, "updated", _date(night.verdict.finished))
    author = ET.SubElement(root, "author")
    _text(author, "name", "harness nightly")
    bad = [record for record in night.past if record["state"] == "regression"]
    for record in bad[: -ENTRIES - 1 : -1]:
        _entry(root, record)
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _entry(root: ET.Element, record: dict[str, Any]) -> None:
    entry = ET.SubElement(root, "entry")
    _text(entry, "id", f"urn:context-policy-harness:{record['suite']}:{record['group']}")
    _text(entry, "title", record["line"])
    _text(entry, "updated", _date(record["finished"]))
    lines = [
        f"{c['part']}/{c['policy']}/{c['figure']}: {_value(c, 'before')} → {_value(c, 'after')}; "
        f"cause: {'; '.join(c['causes'])}"
        for c in record["changes"]
        if c["fails"]
    ]
    failing = [j for j in record["judged"] if j["state"] == "worse" and not j["muted"]]
    lines += [f"{j['part']}/{j['engine']}/{j['figure']}: {j['why']}" for j in failing]
    _text(entry, "content", "\n".join(lines)).set("type", "text")


def _value(change: dict[str, Any], side: str) -> str:
    return QUANTITY.text(change[side], change["unit"])


def _text(parent: ET.Element, tag: str, text: str) -> ET.Element:
    element = ET.SubElement(parent, tag)
    element.text = clean(text)
    return element


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
