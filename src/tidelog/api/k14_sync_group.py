"""SyncGroup (14), versions 0 to 5: the leader hands in the assignments of a generation, every member takes its own."""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask
from tidelog.api.later import Later
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.group.shard import GroupShard
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.sync_group import SyncGroupRequest

# From here on a member has to say which protocol it thinks was chosen.
PROTOCOL_FROM = 5


@api(SyncGroupRequest, later=True)
def handle(broker: Broker, context: RequestContext, request: SyncGroupRequest, answer: Later) -> None:
    if context.version >= PROTOCOL_FROM and (request.protocol_type is None or request.protocol_name is None):
        answer.failed(KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL))
        return

    def sync(shard: GroupShard, token: Token, now_ms: int) -> Effects:
        return shard.sync_group(token, request, now_ms)

    ask(broker, request.group_id, sync, answer, answer.failed)
