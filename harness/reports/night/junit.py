"""JUnit XML: a test case a figure, as build servers show it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from harness.compare.engines import Judged
from harness.compare.measured import Change
from harness.compare.verdict import change_text, failure_text
from harness.reports.night import Night
from harness.reports.secrets import Mask
from harness.results.groups import write_whole


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
    for part in v.compared:
        case = _case(suite, f"{v.suite}.{part.part}", "measured figures")
        if not part.comparable:
            ET.SubElement(case, "skipped", message="no transcript in common with the baseline")
        for change in part.changes:
            case = _case(suite, f"{v.suite}.{part.part}", f"{change.policy} {change.figure}")
            if change.fails:
                _fail(case, change)
            else:
                ET.SubElement(case, "system-out").text = _clean(f"{change_text(change)}: {'; '.join(change.causes)}")
    for judged in v.judged:
        case = _case(suite, f"{v.suite}.{judged.part}", f"{judged.engine} {judged.figure}")
        if judged.fails:
            _fail(case, judged)
        elif judged.state == "inconclusive":
            ET.SubElement(case, "skipped", message=_clean(f"inconclusive: {judged.why}"))
    if v.baseline is None:
        ET.SubElement(_case(suite, v.suite, "baseline"), "skipped", message="no baseline yet")
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    suite.set("errors", "0")
    ET.indent(suite)
    return bytes(ET.tostring(suite, encoding="utf-8", xml_declaration=True)) + b"\n"


def _case(suite: ET.Element, classname: str, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", classname=_clean(classname), name=_clean(name))


def _fail(case: ET.Element, failure: Change | Judged) -> None:
    message = _clean(failure_text(failure))
    ET.SubElement(case, "failure", message=message, type="regression").text = message


def _clean(text: str) -> str:
    """Without secrets, and without what XML 1.0 cannot hold."""
    return "".join(c if c in "\t\n" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" else "�" for c in Mask()(text))
