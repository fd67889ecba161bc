"""ElectLeaders: elections that a person asks for, the preferred leader or, where nobody else can, any replica."""

from __future__ import annotations

from tidelog.controller.leadership import Place, Rules
from tidelog.controller.partition_change import Election
from tidelog.controller.result import Environment, Result
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.partition import NO_LEADER
from tidelog.metadata.records import MetadataRecord
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.elect_leaders import (
    ElectLeadersRequest,
    ElectLeadersResponse,
    PartitionResult,
    ReplicaElectionResult,
)

PREFERRED, UNCLEAN = 0, 1


def elect_leaders(
    image: MetadataImage, environment: Environment, request: ElectLeadersRequest
) -> Result[ElectLeadersResponse]:
    """Without a list every partition is looked at, and those that need no election are not named."""
    if request.election_type not in (PREFERRED, UNCLEAN):
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"Unknown election type: {request.election_type}")
    rules = Rules(image, environment)
    records: list[MetadataRecord] = []
    response = ElectLeadersResponse()
    if request.topic_partitions is None:
        wanted = [(name, list(range(_count(image, name)))) for name in image.topics.names()]
    else:
        wanted = [(each.topic, each.partitions) for each in request.topic_partitions]
    for name, partitions in wanted:
        answer = ReplicaElectionResult(topic=name)
        response.replica_election_results.append(answer)
        for index in partitions:
            result = PartitionResult(partition_id=index, error_message=None)
            try:
                records.append(_elect(rules, name, index, request.election_type))
            except KafkaError as error:
                if error.code is ErrorCode.ELECTION_NOT_NEEDED and request.topic_partitions is None:
                    continue
                result.error_code, result.error_message = int(error.code), error.message
            answer.partition_result.append(result)
    return Result(records, response)


def _count(image: MetadataImage, name: str) -> int:
    topic = image.topics.get(name)
    return len(topic.partitions) if topic else 0


def _elect(rules: Rules, name: str, index: int, election_type: int) -> MetadataRecord:
    topic = rules.image.topics.get(name)
    if topic is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"No such topic as {name}")
    if not 0 <= index < len(topic.partitions):
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"No such partition as {name}-{index}")
    partition = topic.partitions[index]
    is_preferred = election_type == PREFERRED
    if partition.leader == partition.replicas[0] if is_preferred else partition.leader != NO_LEADER:
        raise KafkaError(ErrorCode.ELECTION_NOT_NEEDED, NOT_NEEDED)
    change = rules.change(Place(topic, index))
    change.election = Election.PREFERRED if is_preferred else Election.UNCLEAN
    record = change.record()
    if record is None:
        code = ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE if is_preferred else ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE
        raise KafkaError(code, PREFERRED_ABSENT if is_preferred else NOBODY_ELIGIBLE)
    return record


# What Apache's command prints for these, which scripts look for.
NOT_NEEDED = "Leader election not needed for topic partition."
PREFERRED_ABSENT = "The preferred leader was not available."
NOBODY_ELIGIBLE = "Eligible topic partition leaders are not available."
