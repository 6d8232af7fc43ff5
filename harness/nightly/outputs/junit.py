"""JUnit XML: a test case a figure, as build servers show it.

Valid by the two schemas in use, of Jenkins (junit-10.xsd) and of Apache Ant (JUnit.xsd): so every attribute is there, a
case holds one element at most, and what is no failure is said at the end of the suite.
"""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ET
from pathlib import Path

from harness.nightly.engines import Judged
from harness.nightly.measured import Change
from harness.nightly.outputs import Night
from harness.nightly.verdict import change_text, failure_text
from harness.report.secrets import Mask
from harness.runs.groups import write_whole


class JUnit:
    """`junit.xml`: failures fail, what is inconclusive is skipped, unchanged figures are one case a part."""

    name = "junit"

    def export(self, night: Night, directory: Path) -> list[Path]:
        path = directory / "junit.xml"
        write_whole(path, junit(night))
        return [path]


def junit(night: Night) -> bytes:
    """The document."""
    v = night.verdict
    suite = ET.Element("testsuite", name=f"harness nightly {v.suite}")
    properties = ET.SubElement(suite, "properties")
    for name, value in (("run", v.group), ("baseline", v.baseline or "none"), ("state", v.state)):
        ET.SubElement(properties, "property", name=name, value=clean(value))
    said = [v.line(), *v.notes]
    for part in v.compared:
        case = _case(suite, f"{v.suite}.{part.part}", "measured figures")
        if not part.comparable:
            ET.SubElement(case, "skipped", message="no transcript in common with the baseline")
    for change in v.changes:
        case = _case(suite, f"{v.suite}.{change.part}", f"{change.policy} {change.figure}")
        if change.fails:
            _fail(case, change)
        else:
            said.append(f"{change.key}: {change_text(change)}; cause: {'; '.join(change.causes)}")
    for judged in v.judged:
        case = _case(suite, f"{v.suite}.{judged.part}", f"{judged.engine} {judged.figure}")
        if judged.fails:
            _fail(case, judged)
        elif judged.state == "inconclusive":
            ET.SubElement(case, "skipped", message=clean(f"inconclusive: {judged.why}"))
        else:
            said.append(f"{judged.key}: {judged.state}; {judged.why}")
    for number, gone in enumerate(v.missing, 1):
        case = _case(suite, v.suite, f"compared with the baseline {number}")
        ET.SubElement(case, "failure", message=clean(gone), type="incomplete").text = clean(gone)
    if v.lacks_baseline:
        ET.SubElement(_case(suite, v.suite, "baseline"), "skipped", message=clean(f"baseline: {v.chosen}"))
    ET.SubElement(suite, "system-out").text = clean("\n".join(said))
    ET.SubElement(suite, "system-err")
    cases = suite.findall("testcase")
    suite.set("timestamp", time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(v.finished)))
    suite.set("hostname", "localhost")
    suite.set("time", f"{max(0.0, v.finished - v.started):.3f}")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    suite.set("errors", "0")
    ET.indent(suite)
    return bytes(ET.tostring(suite, encoding="utf-8", xml_declaration=True)) + b"\n"


def _case(suite: ET.Element, classname: str, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", classname=clean(classname), name=clean(name), time="0")


def _fail(case: ET.Element, failure: Change | Judged) -> None:
    message = clean(failure_text(failure))
    ET.SubElement(case, "failure", message=message, type="regression").text = message


_NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """Without secrets, and without what XML 1.0 cannot hold."""
    return _NOT_XML.sub("�", Mask()(text))
