"""What `kafka-configs --alter` does: settings, quotas, SCRAM credentials."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tidelog.cli.config_describe import QUOTA_TYPES, RESOURCES, SCRAM_MECHANISMS
from tidelog.cli.config_entities import Entities
from tidelog.cli.tool import Failure

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

QUOTAS = {"consumer_byte_rate", "controller_mutation_rate", "producer_byte_rate", "request_percentage"}
IP_QUOTAS = {"connection_creation_rate"}
_SCRAM_NUMBERS = {name: number for number, name in SCRAM_MECHANISMS.items()}
_DEFAULT_ITERATIONS = 4096


async def alter(admin: Admin, entities: Entities, change: dict[str, str], delete: list[str]) -> None:
    if entities.type in RESOURCES:
        if entities.type == "broker-loggers":
            await _check_loggers(admin, entities.name or "", {*change, *delete})
        await admin.configs.alter(RESOURCES[entities.type][0], entities.name or "", change, delete)
    elif entities.types == ["users"] and (_SCRAM_NUMBERS.keys() & {*change, *delete}):
        await _alter_scram(admin, entities.name or "", change, delete)
    else:
        await _alter_quotas(admin, entities, change, delete)


async def _check_loggers(admin: Admin, broker: str, names: set[str]) -> None:
    known = {row.name for row in await admin.configs.describe(RESOURCES["broker-loggers"][0], broker)}
    unknown = sorted(names - known)
    if unknown:
        raise Failure(f"Invalid broker logger(s): {','.join(unknown)}")


async def _alter_quotas(admin: Admin, entities: Entities, change: dict[str, str], delete: list[str]) -> None:
    known = IP_QUOTAS if entities.type == "ips" else QUOTAS
    unknown = sorted({*change, *delete} - known)
    if unknown:
        raise Failure(
            f"Only the quotas {', '.join(sorted(known))} can be changed for {' and '.join(entities.types)}, "
            f"not {', '.join(unknown)}"
        )
    entity = {QUOTA_TYPES[kind]: name or None for kind, name in zip(entities.types, entities.names)}
    await admin.quotas.alter(entity, {key: _number(key, value) for key, value in change.items()}, delete)


def _number(key: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise Failure(f"Cannot parse quota configuration value for {key}: {value}") from None


async def _alter_scram(admin: Admin, user: str, change: dict[str, str], delete: list[str]) -> None:
    if not user:
        raise Failure("SCRAM credentials belong to one user; name it with --user")
    if {*change, *delete} - _SCRAM_NUMBERS.keys():
        raise Failure("Quotas and SCRAM credentials cannot be changed by one command; use one for each")
    from tidelog.protocol.messages.alter_user_scram_credentials import ScramCredentialDeletion

    upsertions = [_upsertion(user, mechanism, text) for mechanism, text in change.items()]
    deletions = [ScramCredentialDeletion(name=user, mechanism=_SCRAM_NUMBERS[mechanism]) for mechanism in delete]
    await admin.quotas.alter_scram(upsertions, deletions)


def _upsertion(user: str, mechanism: str, text: str) -> Any:
    """The salted password is computed here, so that the password itself never travels."""
    import hashlib
    import os

    from tidelog.protocol.messages.alter_user_scram_credentials import ScramCredentialUpsertion

    found = re.fullmatch(r"(?:iterations=(-?[0-9]*),)?password=(.*)", text)
    if found is None:
        raise Failure(
            f"Invalid credential property {mechanism}={text}; write {mechanism}=[iterations=8192,password=pw]"
        )
    iterations = int(found.group(1) or -1)
    if iterations == -1:
        iterations = _DEFAULT_ITERATIONS
    if iterations < _DEFAULT_ITERATIONS:
        raise Failure(
            f"Iterations {iterations} is less than the minimum {_DEFAULT_ITERATIONS} required for {mechanism}"
        )
    salt = os.urandom(24)
    digest = "sha256" if mechanism.endswith("256") else "sha512"
    salted = hashlib.pbkdf2_hmac(digest, found.group(2).encode(), salt, iterations)
    return ScramCredentialUpsertion(
        name=user, mechanism=_SCRAM_NUMBERS[mechanism], iterations=iterations, salt=salt, salted_password=salted
    )
