"""ApiVersions in every version, and requests that no version knows."""

import struct
from typing import Any

import pytest

from conformance.brokers import Both, Broker
from conformance.wire import CLOSED
from tidelog.protocol.messages import APIS
from tidelog.protocol.messages.api_versions import ApiVersionsRequest, ApiVersionsResponse
from tidelog.protocol.messages.metadata import MetadataRequest

# Apache's APIs that our node does not serve yet. Each row goes when its API comes.
NOT_SERVED: set[int] = {
    *(17, 36),  # SASL
    *(29, 30, 31, 38, 39, 40, 41, 50, 51),  # ACLs, tokens, SCRAM
    *(48, 49),  # quotas
    *range(76, 80),  # share groups
    *range(83, 93),  # state of share groups, streams groups
}


def ask(broker: Broker, version: int) -> ApiVersionsResponse:
    request = ApiVersionsRequest(client_software_name="conformance", client_software_version="1.0")
    answer: ApiVersionsResponse = broker.call(request, version)
    return answer


@pytest.mark.parametrize("version", range(5))
def test_versions(both: Both, version: int) -> None:
    def step(broker: Broker) -> Any:
        answer = ask(broker, version)
        served = {k.api_key for k in answer.api_keys}
        assert broker is both.apache or not served & NOT_SERVED, "an API came; its row must go"
        return {
            "error": answer.error_code,
            "apis": {k.api_key: (k.min_version, k.max_version) for k in answer.api_keys if k.api_key not in NOT_SERVED},
            "supported": {f.name: (f.min_version, f.max_version) for f in answer.supported_features},
            "finalized": {f.name: (f.min_version_level, f.max_version_level) for f in answer.finalized_features},
            "epoch": answer.finalized_features_epoch >= 0,
            "migration": answer.zk_migration_ready,
        }

    assert len(both.same(step)["apis"]) > 35


@pytest.mark.parametrize("version", [5, 99, 32767, -1])
def test_a_version_nobody_knows_is_answered_in_version_0(both: Both, version: int) -> None:
    def step(broker: Broker) -> Any:
        with broker.connect() as wire:
            answer = wire.exchange(struct.pack(">hhih", 18, version, 77, -1) + b"\0\0\0")
            if answer == CLOSED:
                return CLOSED
            decoded = ApiVersionsResponse.decode(answer[4:], 0)
            return answer[:4], decoded.error_code, [(k.api_key, k.min_version, k.max_version) for k in decoded.api_keys]

    both.same(step)


@pytest.mark.parametrize("name", ["", " ", "-lead", "trail.", "in valid", "ok-1.2", "ünï", "x" * 300])
def test_names_of_client_software(both: Both, name: str) -> None:
    def step(broker: Broker) -> Any:
        with broker.connect() as wire:
            answer = wire.call(ApiVersionsRequest(client_software_name=name, client_software_version="1"), 3)
            return answer.error_code, len(answer.api_keys) > 0

    both.same(step)


@pytest.mark.parametrize("key", [4, 5, 6, 7, 52, 62, 93, 200, 1000, 32767, -1])
def test_unknown_api(both: Both, key: int) -> None:
    def step(broker: Broker) -> Any:
        with broker.connect() as wire:
            return wire.exchange(struct.pack(">hhih", key, 0, 5, -1) + b"\0" * 10)

    assert both.same(step) == CLOSED


@pytest.mark.parametrize("key", [0, 1, 2, 3, 19, 20, 32, 44, 60, 75])
def test_unsupported_version_of_a_known_api(both: Both, key: int) -> None:
    def step(broker: Broker, version: int) -> Any:
        with broker.connect() as wire:
            return wire.exchange(struct.pack(">hhih", key, version, 5, -1) + b"\0" * 10)

    assert both.same(step, APIS[key].max_version + 1) == CLOSED
    if APIS[key].min_version:
        assert both.same(step, APIS[key].min_version - 1) == CLOSED


def test_pipelined_requests_are_answered_in_order(both: Both) -> None:
    def step(broker: Broker) -> Any:
        with broker.connect() as wire:
            for _ in range(200):
                wire.send(MetadataRequest(topics=[]), 9)
            frames = [wire.receive_frame() for _ in range(200)]
            return [struct.unpack(">i", frame[:4])[0] for frame in frames]

    assert both.same(step) == list(range(1, 201))
