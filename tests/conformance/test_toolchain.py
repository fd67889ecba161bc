"""A missing toolchain is told, never passed over in silence."""

import pytest
from _pytest.outcomes import Failed, Skipped

from peer.toolchain import needs


@pytest.fixture
def no_programs(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.parametrize("program", ["java", "go", "node"])
def test_a_missing_program_skips_with_a_sentence(
    no_programs: None, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(Skipped, match=r"this test needs .*; install it and run again"):
        needs(program)


def test_a_missing_program_fails_where_everything_must_run(no_programs: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(Failed, match=r"Java 17"):
        needs("java")


def test_what_is_there_is_no_reason_to_skip() -> None:
    needs("sh")
