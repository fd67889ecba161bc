"""ACLs, SCRAM credentials, delegation tokens and client quotas, each kept as the record that made it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from tidelog.metadata.records import (
    AccessControlEntryRecord,
    ClientQuotaRecord,
    DelegationTokenRecord,
    RemoveAccessControlEntryRecord,
    RemoveDelegationTokenRecord,
    RemoveUserScramCredentialRecord,
    UserScramCredentialRecord,
)

QuotaEntity: TypeAlias = tuple[tuple[str, str | None], ...]
EMPTY: Mapping[Any, Any] = MappingProxyType({})


class SecurityImage(NamedTuple):
    acls: Mapping[bytes, AccessControlEntryRecord]
    scram: Mapping[tuple[str, int], UserScramCredentialRecord]
    tokens: Mapping[str, DelegationTokenRecord]
    quotas: Mapping[QuotaEntity, Mapping[str, float]]


EMPTY_SECURITY = SecurityImage(EMPTY, EMPTY, EMPTY, EMPTY)


class SecurityDelta:
    """Each table holds what changed; None stands for what was removed."""

    def __init__(self, image: SecurityImage) -> None:
        self.image = image
        self.acls: dict[bytes, AccessControlEntryRecord | None] = {}
        self.scram: dict[tuple[str, int], UserScramCredentialRecord | None] = {}
        self.tokens: dict[str, DelegationTokenRecord | None] = {}
        self.quotas: dict[QuotaEntity, dict[str, float]] = {}

    def __bool__(self) -> bool:
        return bool(self.acls or self.scram or self.tokens or self.quotas)

    def replay_acl(self, record: AccessControlEntryRecord) -> None:
        self.acls[record.id] = record

    def replay_remove_acl(self, record: RemoveAccessControlEntryRecord) -> None:
        self.acls[record.id] = None

    def replay_scram(self, record: UserScramCredentialRecord) -> None:
        self.scram[record.name, record.mechanism] = record

    def replay_remove_scram(self, record: RemoveUserScramCredentialRecord) -> None:
        self.scram[record.name, record.mechanism] = None

    def replay_token(self, record: DelegationTokenRecord) -> None:
        self.tokens[record.token_id] = record

    def replay_remove_token(self, record: RemoveDelegationTokenRecord) -> None:
        self.tokens[record.token_id] = None

    def replay_quota(self, record: ClientQuotaRecord) -> None:
        entity = tuple(sorted((each.entity_type, each.entity_name) for each in record.entity))
        limits = self.quotas.get(entity)
        if limits is None:
            limits = self.quotas[entity] = dict(self.image.quotas.get(entity, EMPTY))
        if record.remove:
            limits.pop(record.key, None)
        else:
            limits[record.key] = record.value

    def apply(self) -> SecurityImage:
        if not self:
            return self.image
        return SecurityImage(
            _merged(self.image.acls, self.acls),
            _merged(self.image.scram, self.scram),
            _merged(self.image.tokens, self.tokens),
            _merged(self.image.quotas, {entity: limits or None for entity, limits in self.quotas.items()}),
        )


def _merged(before: Mapping[Any, Any], changes: Mapping[Any, Any]) -> Mapping[Any, Any]:
    if not changes:
        return before
    return {key: value for key, value in {**before, **changes}.items() if value is not None}
