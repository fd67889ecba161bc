"""Rows to text in every form."""

import json

import pytest

from tidelog.cli.render import show, show_one

ROWS = [{"name": "a", "partitions": 3, "id": None}, {"name": "longer", "partitions": 12, "id": "x,y"}]


def shown(capsys: pytest.CaptureFixture[str], output: str) -> str:
    show(ROWS, output, ("name", "partitions"), ("id",))
    return capsys.readouterr().out


def test_tables_align_and_numbers_stand_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "table") == "NAME    PARTITIONS\na                3\nlonger          12\n"
    assert shown(capsys, "wide").splitlines()[0] == "NAME    PARTITIONS  ID"


def test_json_csv_yaml(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(shown(capsys, "json")) == ROWS
    assert shown(capsys, "csv") == 'name,partitions,id\na,3,-\nlonger,12,"x,y"\n'
    assert shown(capsys, "yaml").splitlines()[:3] == ["- name: a", "  partitions: 3", "  id: null"]


def test_yaml_quotes_what_would_be_something_else(capsys: pytest.CaptureFixture[str]) -> None:
    show_one({"a": "true", "b": "12", "c": "x: y", "d": {"e": [1, 2]}, "f": []}, "yaml")
    assert capsys.readouterr().out.splitlines() == [
        'a: "true"',
        'b: "12"',
        'c: "x: y"',
        "d:",
        "  e:",
        "    - 1",
        "    - 2",
        "f: []",
    ]


def test_one_thing_is_a_line_per_field(capsys: pytest.CaptureFixture[str]) -> None:
    show_one({"id": 1, "cluster_id": "x"}, "table")
    assert capsys.readouterr().out == "id:         1\ncluster_id: x\n"
