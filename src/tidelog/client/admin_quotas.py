"""Quotas of clients, users and addresses, and SCRAM credentials of users."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tidelog.client.cluster import Cluster, raise_for
from tidelog.protocol.messages.alter_client_quotas import (
    AlterClientQuotasRequest,
    EntityData,
    OpData,
    RequestEntryData,
)
from tidelog.protocol.messages.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
    ScramCredentialDeletion,
    ScramCredentialUpsertion,
)
from tidelog.protocol.messages.describe_client_quotas import ComponentData, DescribeClientQuotasRequest, EntryData
from tidelog.protocol.messages.describe_user_scram_credentials import (
    DescribeUserScramCredentialsRequest,
    DescribeUserScramCredentialsResult,
    UserName,
)

EXACT, DEFAULT, ANY = range(3)


class QuotaFilter(NamedTuple):
    """One side of a quota: an entity type (`user`, `client-id`, `ip`) with a name, its default, or any."""

    entity_type: str
    match: int
    name: str | None = None


class QuotaAdmin:
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    async def describe(self, filters: Iterable[QuotaFilter], *, strict: bool) -> list[EntryData]:
        """The quotas that match all filters; `strict` leaves out those with further sides."""
        rows = [ComponentData(entity_type=f.entity_type, match_type=f.match, match=f.name) for f in filters]
        answer = await self._cluster.ask_any(DescribeClientQuotasRequest(components=rows, strict=strict))
        raise_for(answer.error_code, answer.error_message)
        found: list[EntryData] = answer.entries or []
        return found

    async def alter(
        self, entity: Mapping[str, str | None], change: Mapping[str, float], delete: Iterable[str] = ()
    ) -> None:
        """Sets and deletes quotas; a name of None stands for the default of its type."""
        entry = RequestEntryData(
            entity=[EntityData(entity_type=kind, entity_name=name) for kind, name in entity.items()],
            ops=[OpData(key=key, value=value) for key, value in change.items()]
            + [OpData(key=key, remove=True) for key in delete],
        )
        request = AlterClientQuotasRequest(entries=[entry])
        answer = await self._cluster.ask_controller(request, lambda a: int(a.entries[0].error_code))
        raise_for(answer.entries[0].error_code, answer.entries[0].error_message)

    async def scram(self, users: Iterable[str] | None = None) -> list[DescribeUserScramCredentialsResult]:
        """The SCRAM credentials of users (None: of all), without their secrets."""
        rows = None if users is None else [UserName(name=user) for user in users]
        answer = await self._cluster.ask_any(DescribeUserScramCredentialsRequest(users=rows))
        raise_for(answer.error_code, answer.error_message)
        found: list[DescribeUserScramCredentialsResult] = answer.results
        return found

    async def alter_scram(
        self, upsertions: list[ScramCredentialUpsertion], deletions: list[ScramCredentialDeletion]
    ) -> None:
        request = AlterUserScramCredentialsRequest(deletions=deletions, upsertions=upsertions)
        answer = await self._cluster.ask_controller(request, lambda a: int(a.results[0].error_code))
        for row in answer.results:
            raise_for(row.error_code, row.error_message)
