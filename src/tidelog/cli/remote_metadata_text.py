"""Records of remote log metadata in the words of the dump tool."""

from __future__ import annotations

from tidelog.model import uuids
from tidelog.tier.records import Event
from tidelog.tier.segments import PartitionState, RemoteSegment, SegmentState, TopicIdPartition
from tidelog.tier.updates import SegmentUpdate


def as_text(event: Event) -> str:
    if isinstance(event, RemoteSegment):
        epochs = ", ".join(f"{epoch}={offset}" for epoch, offset in event.epochs)
        return (
            f"RemoteLogSegmentMetadata{{remoteLogSegmentId={_id(event)}, startOffset={event.start_offset}, "
            f"endOffset={event.end_offset}, brokerId={event.broker_id}, maxTimestampMs={event.max_timestamp_ms}, "
            f"eventTimestampMs={event.event_timestamp_ms}, segmentLeaderEpochs={{{epochs}}}, "
            f"segmentSizeInBytes={event.size_bytes}, customMetadata={_custom(event.custom)}, "
            f"state={_state(event.state)}, txnIdxEmpty={str(event.txn_index_empty).lower()}}}"
        )
    if isinstance(event, SegmentUpdate):
        return (
            f"RemoteLogSegmentMetadataUpdate{{remoteLogSegmentId={_id(event)}, customMetadata={_custom(event.custom)}, "
            f"state={_state(event.state)}, eventTimestampMs={event.event_timestamp_ms}, brokerId={event.broker_id}}}"
        )
    return (
        f"RemotePartitionDeleteMetadata{{topicPartition={_place(event.place)}, state={_partition_state(event.state)}, "
        f"eventTimestampMs={event.event_timestamp_ms}, brokerId={event.broker_id}}}"
    )


def _id(event: RemoteSegment | SegmentUpdate) -> str:
    return f"RemoteLogSegmentId{{topicIdPartition={_place(event.place)}, id={uuids.to_text(event.id)}}}"


def _place(place: TopicIdPartition) -> str:
    return f"{uuids.to_text(place.topic_id)}:{place.topic}-{place.partition}"


def _custom(data: bytes | None) -> str:
    return "Optional.empty" if data is None else f"Optional[CustomMetadata{{{len(data)} bytes}}]"


def _state(state: SegmentState) -> str:
    verb, _, rest = state.name.partition("_")
    return f"{verb}_SEGMENT_{rest}"


def _partition_state(state: PartitionState) -> str:
    verb, _, rest = state.name.partition("_")
    return f"{verb}_PARTITION_{rest}"
