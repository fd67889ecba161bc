"""Elections that nobody asked for: back to the preferred leaders, and unclean ones where they are allowed."""

from __future__ import annotations

from tidelog.controller.leadership import Place, Rules, places, updates, without_leader
from tidelog.controller.partition_change import Election
from tidelog.controller.result import Environment, Result
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.partition import NO_LEADER, Partition
from tidelog.metadata.records import MetadataRecord

ELECTIONS_MAX = 1_000  # in one round; the next one follows at once


def is_imbalanced(partition: Partition) -> bool:
    preferred = partition.replicas[0]
    return partition.leader not in (NO_LEADER, preferred) and preferred in partition.isr


def balance(image: MetadataImage, environment: Environment) -> Result[bool]:
    """Gives leadership back to first replicas that are in sync; the response tells whether some are left."""
    rules = Rules(image, environment)
    records: list[MetadataRecord] = []
    for place in places(image, is_imbalanced):
        if len(records) == ELECTIONS_MAX:
            return Result(records, True)
        record = elect_preferred(rules, place)
        if record is not None:
            records.append(record)
    return Result(records, False)


def elect_preferred(rules: Rules, place: Place) -> MetadataRecord | None:
    change = rules.change(place)
    change.election = Election.PREFERRED
    return change.record()


def elect_unclean(image: MetadataImage, environment: Environment) -> Result[None]:
    """Leaders for partitions without one, where the settings say that any replica will do."""
    rules = Rules(image, environment)
    found = (place for place in places(image, without_leader) if rules.allows_unclean(place.topic))
    return Result(updates(rules, found)[:ELECTIONS_MAX], None)
