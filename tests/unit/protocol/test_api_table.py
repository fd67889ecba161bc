"""The table of APIs is light, and leads to the classes."""

import subprocess
import sys

from tidelog.protocol import group_records, metadata_records
from tidelog.protocol.messages import APIS, request_class, response_class


def test_every_api_has_its_two_classes() -> None:
    for key, api in APIS.items():
        for found in (request_class(key), response_class(key)):
            assert (found.API_KEY, found.VERSIONS[0], found.FLEXIBLE_FROM) == (key, api.min_version, api.flexible_from)
            assert found.VERSIONS[1] >= api.max_version


def test_what_is_unusual() -> None:
    assert (APIS[0].advertised_from, APIS[0].min_version) == (0, 3)
    # Version 6 of InitProducerId exists but is not stable, so it is not served.
    assert (APIS[22].max_version, request_class(22).VERSIONS[1]) == (5, 6)
    assert not APIS[52].on_broker
    assert APIS[52].on_controller


def test_record_types_lead_to_classes() -> None:
    assert getattr(metadata_records, metadata_records.RECORDS[2]).__name__ == "TopicRecord"
    for number, name in metadata_records.RECORDS.items():
        assert number == getattr(metadata_records, name).API_KEY
    for table in (group_records.KEYS, group_records.VALUES):
        for number, name in table.items():
            assert number == getattr(group_records, name).API_KEY


def test_importing_one_api_loads_no_other() -> None:
    code = (
        "import sys, tidelog.protocol.messages.produce;"
        "print([m for m in sys.modules if m.startswith('tidelog.protocol.messages.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['tidelog.protocol.messages.produce']"
