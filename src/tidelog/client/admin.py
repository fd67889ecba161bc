"""Administration: topics, settings, brokers, groups, quotas, credentials. Each part is imported when it is first used.

    async with Admin({"bootstrap.servers": "localhost:9092"}) as admin:
        await admin.topics.create("orders", partitions=3)

A refusal by the cluster is a `KafkaError` with the broker's own words.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tidelog.client.cluster import Cluster
from tidelog.client.settings import COMMON, ClientSettings

if TYPE_CHECKING:
    from tidelog.client.admin_brokers import BrokerAdmin
    from tidelog.client.admin_configs import ConfigAdmin
    from tidelog.client.admin_groups import GroupAdmin
    from tidelog.client.admin_partitions import PartitionAdmin
    from tidelog.client.admin_quotas import QuotaAdmin
    from tidelog.client.admin_topics import TopicAdmin
    from tidelog.client.admin_transactions import TransactionAdmin


class Admin:
    def __init__(self, settings: Mapping[str, Any], cluster: Cluster | None = None) -> None:
        self._owns_cluster = cluster is None
        self.cluster = cluster or Cluster(ClientSettings.read(COMMON, settings))

    async def __aenter__(self) -> Admin:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self._owns_cluster:
            await self.cluster.close()

    @cached_property
    def topics(self) -> TopicAdmin:
        from tidelog.client.admin_topics import TopicAdmin

        return TopicAdmin(self.cluster)

    @cached_property
    def configs(self) -> ConfigAdmin:
        from tidelog.client.admin_configs import ConfigAdmin

        return ConfigAdmin(self.cluster)

    @cached_property
    def brokers(self) -> BrokerAdmin:
        from tidelog.client.admin_brokers import BrokerAdmin

        return BrokerAdmin(self.cluster)

    @cached_property
    def partitions(self) -> PartitionAdmin:
        from tidelog.client.admin_partitions import PartitionAdmin

        return PartitionAdmin(self.cluster)

    @cached_property
    def groups(self) -> GroupAdmin:
        from tidelog.client.admin_groups import GroupAdmin

        return GroupAdmin(self.cluster)

    @cached_property
    def quotas(self) -> QuotaAdmin:
        from tidelog.client.admin_quotas import QuotaAdmin

        return QuotaAdmin(self.cluster)

    @cached_property
    def transactions(self) -> TransactionAdmin:
        from tidelog.client.admin_transactions import TransactionAdmin

        return TransactionAdmin(self.cluster)
