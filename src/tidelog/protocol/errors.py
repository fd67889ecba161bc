"""The error table: every code of the protocol, whether trying again can help, and what it means.

`KafkaError` is a peer's mistake: it carries the code that goes back on the wire. Failing devices stay OSError, and a
frame that cannot be read is a `DecodeError` of `primitives`.
"""

from __future__ import annotations

from enum import IntEnum

# How a client should take an error: as final, by trying again, or by trying again with fresh metadata.
_FINAL, _RETRY, _REFRESH = 0, 1, 2


class ErrorCode(IntEnum):
    """An int16 of the wire; each row is code, reaction and message."""

    reaction: int
    message: str

    def __new__(cls, code: int, reaction: int = _FINAL, message: str = "") -> ErrorCode:
        member = int.__new__(cls, code)
        member._value_ = code
        member.reaction = reaction
        member.message = message
        return member

    @property
    def retriable(self) -> bool:
        return self.reaction != _FINAL

    @property
    def refreshes_metadata(self) -> bool:
        """The client's picture of the cluster is out of date; it should fetch metadata before it tries again."""
        return self.reaction == _REFRESH

    @classmethod
    def of(cls, code: int) -> ErrorCode:
        """The member for a code from the wire; one from a newer peer counts as UNKNOWN_SERVER_ERROR."""
        try:
            return cls(code)
        except ValueError:
            return cls.UNKNOWN_SERVER_ERROR

    # fmt: off
    UNKNOWN_SERVER_ERROR = -1, _FINAL, "The server failed in a way it did not expect; its log says more."
    NONE = 0, _FINAL, "No error."
    OFFSET_OUT_OF_RANGE = 1, _FINAL, "The log does not hold this offset: it was deleted, or is not written yet."
    CORRUPT_MESSAGE = 2, _RETRY, "The batch is damaged: its checksum, size or key does not hold up."
    UNKNOWN_TOPIC_OR_PARTITION = 3, _REFRESH, "This broker has no such topic or partition."
    INVALID_FETCH_SIZE = 4, _FINAL, "The fetch asks for an impossible number of bytes."
    LEADER_NOT_AVAILABLE = 5, _REFRESH, "The partition has no leader right now; an election is under way."
    NOT_LEADER_OR_FOLLOWER = 6, _REFRESH, "This broker does not lead the partition, or holds no replica of it."
    REQUEST_TIMED_OUT = 7, _RETRY, "The request was not finished within its time limit."
    BROKER_NOT_AVAILABLE = 8, _FINAL, "The broker cannot be reached."
    REPLICA_NOT_AVAILABLE = 9, _REFRESH, "This broker does not hold the replica that was asked for."
    MESSAGE_TOO_LARGE = 10, _FINAL, "The message is larger than the topic's max.message.bytes."
    STALE_CONTROLLER_EPOCH = 11, _FINAL, "Another node has become the controller since."
    OFFSET_METADATA_TOO_LARGE = 12, _FINAL, "The commit's metadata is longer than offset.metadata.max.bytes."
    NETWORK_EXCEPTION = 13, _REFRESH, "The connection broke before the answer arrived."
    COORDINATOR_LOAD_IN_PROGRESS = 14, _RETRY, "The coordinator is still reading its state; try again shortly."
    COORDINATOR_NOT_AVAILABLE = 15, _RETRY, "There is no coordinator for this id at the moment."
    NOT_COORDINATOR = 16, _RETRY, "Another broker coordinates this id; look the coordinator up again."
    INVALID_TOPIC_EXCEPTION = 17, _FINAL, "The topic name is not allowed, or the topic does not permit this operation."
    RECORD_LIST_TOO_LARGE = 18, _FINAL, "The batch is larger than one segment of the topic."
    NOT_ENOUGH_REPLICAS = 19, _RETRY, "Nothing was written: fewer replicas are in sync than min.insync.replicas."
    NOT_ENOUGH_REPLICAS_AFTER_APPEND = 20, _RETRY, "Written, but to fewer replicas than min.insync.replicas."
    INVALID_REQUIRED_ACKS = 21, _FINAL, "acks must be -1 (all), 0 or 1."
    ILLEGAL_GENERATION = 22, _FINAL, "The group has moved on to another generation; rejoin it."
    INCONSISTENT_GROUP_PROTOCOL = 23, _FINAL, "The member shares no protocol with the group, or named none."
    INVALID_GROUP_ID = 24, _FINAL, "The group id is empty or not allowed."
    UNKNOWN_MEMBER_ID = 25, _FINAL, "The group has no member with this id; rejoin it."
    INVALID_SESSION_TIMEOUT = 26, _FINAL, "The session timeout is outside group.(min|max).session.timeout.ms."
    REBALANCE_IN_PROGRESS = 27, _FINAL, "The group is rebalancing; the member must rejoin."
    INVALID_COMMIT_OFFSET_SIZE = 28, _FINAL, "The offset commit is too large to be stored."
    TOPIC_AUTHORIZATION_FAILED = 29, _FINAL, "The principal has no permission for this on the topic."
    GROUP_AUTHORIZATION_FAILED = 30, _FINAL, "The principal has no permission for this on the group."
    CLUSTER_AUTHORIZATION_FAILED = 31, _FINAL, "The principal has no permission for this on the cluster."
    INVALID_TIMESTAMP = 32, _FINAL, "The record's timestamp is too far from the broker's clock for this topic."
    UNSUPPORTED_SASL_MECHANISM = 33, _FINAL, "The broker does not offer this SASL mechanism."
    ILLEGAL_SASL_STATE = 34, _FINAL, "The request does not fit the present step of the SASL exchange."
    UNSUPPORTED_VERSION = 35, _FINAL, "The broker does not serve this version of the API."
    TOPIC_ALREADY_EXISTS = 36, _FINAL, "A topic with this name exists already."
    INVALID_PARTITIONS = 37, _FINAL, "Ask for at least one partition, and for more than there are."
    INVALID_REPLICATION_FACTOR = 38, _FINAL, "The replication factor must be between 1 and the number of brokers."
    INVALID_REPLICA_ASSIGNMENT = 39, _FINAL, "The replica assignment has gaps, repeats or unknown brokers."
    INVALID_CONFIG = 40, _FINAL, "A setting has an unknown name or a value that is not allowed."
    NOT_CONTROLLER = 41, _RETRY, "This node is not the active controller; if none is, start more: a majority must run."
    INVALID_REQUEST = 42, _FINAL, "The request contradicts itself or the protocol."
    UNSUPPORTED_FOR_MESSAGE_FORMAT = 43, _FINAL, "The topic's message format cannot do what the request needs."
    POLICY_VIOLATION = 44, _FINAL, "A policy of this cluster forbids the request."
    OUT_OF_ORDER_SEQUENCE_NUMBER = 45, _FINAL, "Batches are missing between the producer's last one and this."
    DUPLICATE_SEQUENCE_NUMBER = 46, _FINAL, "The producer sent this batch before, too long ago to tell its offset."
    INVALID_PRODUCER_EPOCH = 47, _FINAL, "The producer's epoch is older than the one on record."
    INVALID_TXN_STATE = 48, _FINAL, "The transaction's state does not allow this step."
    INVALID_PRODUCER_ID_MAPPING = 49, _FINAL, "This producer id does not belong to the transactional id."
    INVALID_TRANSACTION_TIMEOUT = 50, _FINAL, "The transaction timeout exceeds transaction.max.timeout.ms."
    CONCURRENT_TRANSACTIONS = 51, _RETRY, "Another step of the same transaction is still being carried out."
    TRANSACTION_COORDINATOR_FENCED = 52, _FINAL, "A newer coordinator is in charge of this producer's transactions."
    TRANSACTIONAL_ID_AUTHORIZATION_FAILED = 53, _FINAL, "The principal may not do this with the transactional id."
    SECURITY_DISABLED = 54, _FINAL, "No authorizer is configured, so there are no ACLs to work with."
    OPERATION_NOT_ATTEMPTED = 55, _FINAL, "An earlier part of the request failed, so this part was not tried."
    KAFKA_STORAGE_ERROR = 56, _REFRESH, "The disk that holds the partition failed."
    LOG_DIR_NOT_FOUND = 57, _FINAL, "The broker has no log directory of this name."
    SASL_AUTHENTICATION_FAILED = 58, _FINAL, "The credentials were not accepted."
    UNKNOWN_PRODUCER_ID = 59, _FINAL, "This producer id is unknown here; retention may have deleted its records."
    REASSIGNMENT_IN_PROGRESS = 60, _FINAL, "A reassignment of the partition is still under way."
    DELEGATION_TOKEN_AUTH_DISABLED = 61, _FINAL, "Delegation tokens are not enabled on this cluster."
    DELEGATION_TOKEN_NOT_FOUND = 62, _FINAL, "There is no such delegation token."
    DELEGATION_TOKEN_OWNER_MISMATCH = 63, _FINAL, "The principal is neither owner nor renewer of the token."
    DELEGATION_TOKEN_REQUEST_NOT_ALLOWED = 64, _FINAL, "This connection's authentication does not allow token requests."
    DELEGATION_TOKEN_AUTHORIZATION_FAILED = 65, _FINAL, "The principal may not do this with the delegation token."
    DELEGATION_TOKEN_EXPIRED = 66, _FINAL, "The delegation token has expired."
    INVALID_PRINCIPAL_TYPE = 67, _FINAL, "Principals of this type are not supported here."
    NON_EMPTY_GROUP = 68, _FINAL, "The group still has members."
    GROUP_ID_NOT_FOUND = 69, _FINAL, "There is no group with this id."
    FETCH_SESSION_ID_NOT_FOUND = 70, _RETRY, "The broker has forgotten this fetch session; begin a new one."
    INVALID_FETCH_SESSION_EPOCH = 71, _RETRY, "The fetch is not the next one of its session."
    LISTENER_NOT_FOUND = 72, _REFRESH, "The partition's leader has no listener of the name this connection uses."
    TOPIC_DELETION_DISABLED = 73, _FINAL, "delete.topic.enable is false on this cluster."
    FENCED_LEADER_EPOCH = 74, _REFRESH, "The request's leader epoch is older than the partition's."
    UNKNOWN_LEADER_EPOCH = 75, _RETRY, "The request's leader epoch is newer than the one this broker has heard of."
    UNSUPPORTED_COMPRESSION_TYPE = 76, _FINAL, "This compression type cannot be used at this version."
    STALE_BROKER_EPOCH = 77, _FINAL, "The broker has registered again since; its older self is refused."
    OFFSET_NOT_AVAILABLE = 78, _RETRY, "The new leader does not yet know how far the partition is committed."
    MEMBER_ID_REQUIRED = 79, _FINAL, "The member must join again with the member id of this answer."
    PREFERRED_LEADER_NOT_AVAILABLE = 80, _REFRESH, "The preferred leader is down or not in sync."
    GROUP_MAX_SIZE_REACHED = 81, _FINAL, "The group has as many members as group.max.size allows."
    FENCED_INSTANCE_ID = 82, _FINAL, "Another member has taken over this group.instance.id."
    ELIGIBLE_LEADERS_NOT_AVAILABLE = 83, _REFRESH, "No replica can be elected leader now."
    ELECTION_NOT_NEEDED = 84, _REFRESH, "The partition has the wanted leader already."
    NO_REASSIGNMENT_IN_PROGRESS = 85, _FINAL, "No reassignment of the partition is under way."
    GROUP_SUBSCRIBED_TO_TOPIC = 86, _FINAL, "The group is subscribed to the topic, so its offsets cannot be deleted."
    INVALID_RECORD = 87, _FINAL, "The broker's checks refused a record of the batch."
    UNSTABLE_OFFSET_COMMIT = 88, _RETRY, "An open transaction may still change the offset."
    THROTTLING_QUOTA_EXCEEDED = 89, _RETRY, "The quota is used up; try again after the throttle time."
    PRODUCER_FENCED = 90, _FINAL, "A newer producer uses this transactional id."
    RESOURCE_NOT_FOUND = 91, _FINAL, "The request refers to something that does not exist."
    DUPLICATE_RESOURCE = 92, _FINAL, "The request names the same thing twice."
    UNACCEPTABLE_CREDENTIAL = 93, _FINAL, "The credential does not meet the requirements."
    INCONSISTENT_VOTER_SET = 94, _FINAL, "Sender and receiver do not agree on who the voters are."
    INVALID_UPDATE_VERSION = 95, _FINAL, "The update names a version that is not possible here."
    FEATURE_UPDATE_FAILED = 96, _FINAL, "The features could not be changed."
    PRINCIPAL_DESERIALIZATION_FAILURE = 97, _FINAL, "A forwarded principal is unreadable; check the brokers' settings."
    SNAPSHOT_NOT_FOUND = 98, _FINAL, "There is no such snapshot any more."
    POSITION_OUT_OF_RANGE = 99, _FINAL, "The position lies outside the snapshot."
    UNKNOWN_TOPIC_ID = 100, _REFRESH, "This broker has no topic with this id."
    DUPLICATE_BROKER_REGISTRATION = 101, _FINAL, "Another live broker uses this node.id."
    BROKER_ID_NOT_REGISTERED = 102, _FINAL, "No broker is registered with this id."
    INCONSISTENT_TOPIC_ID = 103, _REFRESH, "The topic was deleted and created again: its id is another one now."
    INCONSISTENT_CLUSTER_ID = 104, _FINAL, "The request was meant for another cluster."
    TRANSACTIONAL_ID_NOT_FOUND = 105, _FINAL, "There is no such transactional id."
    FETCH_SESSION_TOPIC_ID_ERROR = 106, _RETRY, "The fetch session mixes topic names and topic ids."
    INELIGIBLE_REPLICA = 107, _FINAL, "A replica of the proposed set is fenced or shutting down."
    NEW_LEADER_ELECTED = 108, _FINAL, "The change was made, and it gave the partition another leader."
    OFFSET_MOVED_TO_TIERED_STORAGE = 109, _FINAL, "The offset is in the object store and no longer on disk."
    FENCED_MEMBER_EPOCH = 110, _FINAL, "The member is fenced; it must give up its partitions and rejoin."
    UNRELEASED_INSTANCE_ID = 111, _FINAL, "Another member still holds this group.instance.id."
    UNSUPPORTED_ASSIGNOR = 112, _FINAL, "The group does not know this assignor."
    STALE_MEMBER_EPOCH = 113, _FINAL, "The member's epoch is out of date; its next heartbeat brings the new one."
    MISMATCHED_ENDPOINT_TYPE = 114, _FINAL, "The request belongs on the other kind of listener (broker or controller)."
    UNSUPPORTED_ENDPOINT_TYPE = 115, _FINAL, "Endpoints of this type are not supported."
    UNKNOWN_CONTROLLER_ID = 116, _FINAL, "There is no controller with this id."
    UNKNOWN_SUBSCRIPTION_ID = 117, _FINAL, "The telemetry subscription has changed; ask for it again."
    TELEMETRY_TOO_LARGE = 118, _FINAL, "The telemetry push is larger than telemetry.max.bytes."
    INVALID_REGISTRATION = 119, _FINAL, "The controller refuses the broker's registration."
    TRANSACTION_ABORTABLE = 120, _FINAL, "The transaction cannot be completed; abort it and carry on."
    INVALID_RECORD_STATE = 121, _FINAL, "This consumer no longer holds the record, so it cannot acknowledge it."
    SHARE_SESSION_NOT_FOUND = 122, _RETRY, "The broker has forgotten this share session; begin a new one."
    INVALID_SHARE_SESSION_EPOCH = 123, _RETRY, "The request is not the next one of its share session."
    FENCED_STATE_EPOCH = 124, _FINAL, "The share group's state has a newer epoch."
    INVALID_VOTER_KEY = 125, _FINAL, "The request names another voter than the one that received it."
    DUPLICATE_VOTER = 126, _FINAL, "The node is a voter already."
    VOTER_NOT_FOUND = 127, _FINAL, "The node is not a voter."
    INVALID_REGULAR_EXPRESSION = 128, _FINAL, "The regular expression cannot be parsed."
    REBOOTSTRAP_REQUIRED = 129, _FINAL, "The client's metadata is too old; start over from the bootstrap servers."
    STREAMS_INVALID_TOPOLOGY = 130, _FINAL, "The topology is not valid."
    STREAMS_INVALID_TOPOLOGY_EPOCH = 131, _FINAL, "The topology's epoch is not valid."
    STREAMS_TOPOLOGY_FENCED = 132, _FINAL, "The group has a newer topology."
    SHARE_SESSION_LIMIT_REACHED = 133, _RETRY, "The broker has as many share sessions as it allows."
    # fmt: on


class KafkaError(Exception):
    """A peer's mistake, answered with `code`; `message` is what a person reads."""

    def __init__(self, code: ErrorCode, message: str | None = None) -> None:
        self.code = code
        self.message = code.message if message is None else message
        super().__init__(self.message)

    def __repr__(self) -> str:
        return f"KafkaError({self.code.name}, {self.message!r})"
