"""The adapter for the Needle C library, against a stand-in compiled in three versions of the interface."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness.engines.envelope import CompleteError, parse_completion
from harness.engines.needle import Needle
from harness.engines.process import EngineProcess
from harness.engines.spec import read_spec
from harness.engines.turn import EngineFailure, TurnInput, sha256_of
from harness.errors import HarnessError
from harness.json.value import JsonValue

TOOL = {"name": "t", "description": "", "parameters": {}}
FLAGS = {"2.0": "-DTWO", "3.0": "-DTHREE", "3.3": "-DAUDIO"}


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("needs a C compiler to build the stand-in of the library")
    source = Path(__file__).parent / "needle_library.c"
    folder = tmp_path_factory.mktemp("needle")
    found = {}
    for version, flag in FLAGS.items():
        found[version] = folder / version / "libneedle3.so"
        found[version].parent.mkdir()
        subprocess.run([compiler, "-shared", "-fPIC", flag, str(source), "-o", str(found[version])], check=True)
        (found[version].parent / "needle3.cact").write_bytes(b"weights")
    return found


def loaded(path: Path, **settings: int) -> Needle:
    engine = Needle(str(path), **settings)  # type: ignore[arg-type]
    engine.load()
    return engine


def arguments(envelope: bytes) -> JsonValue:
    (call,) = parse_completion(envelope).function_calls or ()
    return call.arguments


@pytest.mark.parametrize("version", FLAGS)
def test_every_version_is_told_by_its_symbols(version: str, libraries: dict[str, Path]) -> None:
    engine = loaded(libraries[version])
    identity = engine.identity()
    assert str(identity.settings["abi"]).startswith(version)
    weights = {} if version == "2.0" else {"weights": sha256_of(libraries[version].parent / "needle3.cact")}
    assert identity.hashes == {"library": sha256_of(libraries[version])} | weights
    declared = engine.declare([TOOL], "")
    assert declared.prefix_tokens == len('[{"name":"t","description":"","parameters":{}}]')
    answer = engine.complete(TurnInput("a/1", "grüße"), 64)
    size = 0 if version == "2.0" else 7
    assert arguments(answer.envelope) == {"input": "grüße", "turn": 1, "budget": 64, "weights": size}
    assert answer.output_tokens == 7
    assert answer.prompt_tokens is None


def test_only_the_first_turn_after_a_reset_is_timed_to_its_first_token(libraries: dict[str, Path]) -> None:
    engine = loaded(libraries["3.0"])
    engine.declare([TOOL], "")
    first, second = (engine.complete(TurnInput(f"a/{n}", "x"), 9) for n in (1, 2))
    assert first.first_seconds is not None
    assert second.first_seconds is None
    assert "'turn': 2" in str(arguments(second.envelope))
    engine.reset()
    again = engine.complete(TurnInput("b/1", "x"), 9)
    assert again.first_seconds is not None
    assert "'turn': 1" in str(arguments(again.envelope))


def test_an_error_envelope_is_kept(libraries: dict[str, Path], tmp_path: Path) -> None:
    # A copy is another library: nothing was declared in it.
    fresh = shutil.copytree(libraries["3.3"].parent, tmp_path / "fresh") / "libneedle3.so"
    answer = loaded(fresh).complete(TurnInput("a/1", "x"), 9)
    assert answer.output_tokens is None
    with pytest.raises(CompleteError, match="needle_init not called"):
        parse_completion(answer.envelope)


def test_what_the_library_refuses(libraries: dict[str, Path], tmp_path: Path) -> None:
    engine = loaded(libraries["3.0"])
    with pytest.raises(EngineFailure, match="needle_init returned -2: the stand-in says no"):
        engine.declare([{"name": "refuse"}], "")
    engine.declare([TOOL], "")
    with pytest.raises(EngineFailure, match="needle_complete returned -3: the stand-in says no"):
        engine.complete(TurnInput("a/1", "silent"), 9)
    with pytest.raises(EngineFailure, match="zero byte"):
        engine.complete(TurnInput("a/1", "a\0b"), 9)
    bad = tmp_path / "bad.cact"
    bad.write_bytes(b"x")
    with pytest.raises(HarnessError, match="needle_load returned -4: the stand-in says no"):
        Needle(str(libraries["3.0"]), str(bad)).load()


def test_an_envelope_cut_by_a_small_buffer_is_no_envelope(libraries: dict[str, Path]) -> None:
    engine = loaded(libraries["3.0"], out_bytes=40)
    engine.declare([TOOL], "")
    assert engine.complete(TurnInput("a/1", "x"), 9).envelope == b'{"type":"call","success":true,"function'


def test_it_is_found_by_the_environment_and_runs_in_a_process(
    libraries: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEEDLE3_LIB_PATH", str(libraries["3.0"]))
    engine = EngineProcess(read_spec("needle"))
    assert engine.start().identity.hashes["library"] == sha256_of(libraries["3.0"])
    engine.declare([TOOL], "")
    assert engine.complete(TurnInput("a/1", "x"), 9).output_tokens == 7
    engine.close()


def test_it_is_found_in_an_installed_package_which_is_not_imported(
    libraries: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "needle"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    shutil.copy(libraries["3.0"], package / "libneedle3.so")
    (package / "needle3.cact").write_bytes(b"weights")
    monkeypatch.delenv("NEEDLE3_LIB_PATH", raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    engine = Needle()
    engine.load()
    assert engine.identity().hashes["library"] == sha256_of(libraries["3.0"])


def test_a_library_that_is_not_there_or_none(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match=r"the Needle library is not in .*none\.so; say where it is with library=…"):
        Needle(str(tmp_path / "none.so")).load()
    text = tmp_path / "libneedle3.so"
    text.write_text("no library", encoding="utf-8")
    with pytest.raises(HarnessError, match="cannot be loaded"):
        Needle(str(text)).load()
