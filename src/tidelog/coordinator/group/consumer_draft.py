"""A change of a consumer group on its way to the log: the group as it is, and what this request makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tidelog.coordinator.contract import CoordinatorRecord
from tidelog.coordinator.group import assignors, regex
from tidelog.coordinator.group import consumer_records as records
from tidelog.coordinator.group.assignors import MemberSpec
from tidelog.coordinator.group.consumer import ConsumerGroup, ResolvedRegex
from tidelog.coordinator.group.consumer_member import Assignment, ConsumerMember, MemberState
from tidelog.coordinator.group.consumer_reconcile import Owned, reconcile
from tidelog.coordinator.group.consumer_topics import TopicInfo
from tidelog.coordinator.group.host import Host


class Draft:
    """Collects records; the group itself changes when they are replayed."""

    def __init__(self, host: Host, group: ConsumerGroup, now_ms: int) -> None:
        self.host = host
        self.group = group
        self.now_ms = now_ms
        self.records: list[CoordinatorRecord] = []
        self.epoch = group.epoch
        self.metadata_hash = group.metadata_hash
        self.assignment_epoch = group.assignment_epoch
        self.regexes = group.regexes
        # Members as they will be: a changed or new one by id, None for one that goes.
        self.changed: dict[str, ConsumerMember | None] = {}
        self.targets: dict[str, Assignment] = {}
        self._bump = False

    # members

    def members(self) -> Iterable[ConsumerMember]:
        for member_id, member in self.group.members.items():
            if member_id not in self.changed:
                yield member
        for changed in self.changed.values():
            if changed is not None:
                yield changed

    def put(self, before: ConsumerMember | None, after: ConsumerMember) -> None:
        """The subscription side of a member; what it holds is written by `reconcile`."""
        self.changed[after.member_id] = after
        if before is None or _metadata(before) != _metadata(after):
            self.records.append(records.member_record(self.group.group_id, after))
        old_regex = before.regex if before is not None else ""
        if old_regex != after.regex:
            self._regex_changed(old_regex, after)
        old_topics = before.topics if before is not None else ()
        if set(old_topics) != set(after.topics):
            self._bump = True

    def replace_static(self, old: ConsumerMember, new: ConsumerMember) -> None:
        """The same instance under a new member id: it takes over subscription, target and partitions."""
        group_id = self.group.group_id
        self.changed[old.member_id] = None
        self.changed[new.member_id] = new
        target = self.group.target_of(old.member_id)
        self.targets[new.member_id] = target
        self.records += records.member_gone(group_id, old.member_id)
        self.records.append(records.member_record(group_id, new))
        self.records.append(records.target_member_record(group_id, new.member_id, target))
        self.records.append(records.current_record(group_id, new))

    def remove(self, member: ConsumerMember) -> None:
        self.changed[member.member_id] = None
        self.records += records.member_gone(self.group.group_id, member.member_id)
        self._bump = True
        if member.regex:
            self._forget_regex(member.regex, 1)

    # subscriptions

    def _regex_changed(self, old_regex: str, after: ConsumerMember) -> None:
        if old_regex:
            self._forget_regex(old_regex, 1)
        if after.regex and after.regex not in self.regexes:
            self._resolve(after.regex)
        self._bump = True

    def _forget_regex(self, expression: str, fewer: int) -> None:
        if self.group.regex_subscribers[expression] <= fewer and expression in self.regexes:
            self.records.append(records.no_expression(self.group.group_id, expression))
            self.regexes = {name: each for name, each in self.regexes.items() if name != expression}

    def _resolve(self, expression: str) -> None:
        matcher = regex.compiled(expression)
        topics = frozenset(name for name in self.host.view.topic_names() if matcher.matches(name))
        self._set_regex(expression, topics)

    def _set_regex(self, expression: str, topics: frozenset[str]) -> None:
        resolved = ResolvedRegex(topics, self.host.view_version, self.now_ms)
        self.regexes = {**self.regexes, expression: resolved}
        self.records.append(
            records.expression_record(
                self.group.group_id, expression, sorted(topics), self.host.view_version, self.now_ms
            )
        )

    def refresh_topics(self) -> None:
        """Topics have changed since the group last looked: expressions may match others now."""
        names = self.group.changed_topics
        for expression, resolved in list(self.regexes.items()):
            matcher = regex.compiled(expression)
            if names is None:
                topics = frozenset(name for name in self.host.view.topic_names() if matcher.matches(name))
            else:
                there = {name for name in names if self.host.view.topic(name) is not None and matcher.matches(name)}
                topics = (resolved.topics - names) | there
            if topics != resolved.topics:
                self._set_regex(expression, topics)
                self._bump = True

    def subscribed_topics(self) -> set[str]:
        """From the counts of the group, so that one join costs the same in a group of any size."""
        counts = self.group.topic_subscribers
        change: Counter[str] = Counter()
        for member_id, after in self.changed.items():
            before = self.group.members.get(member_id)
            if before is not None:
                change.subtract(before.topics)
            if after is not None:
                change.update(after.topics)
        found = {name for name, count in counts.items() if count + change[name] > 0}
        found |= {name for name, count in change.items() if count > 0}
        for resolved in self.regexes.values():
            found |= resolved.topics
        return found

    def topics_of(self, member: ConsumerMember) -> frozenset[str]:
        names = frozenset(member.topics)
        resolved = self.regexes.get(member.regex) if member.regex else None
        return names if resolved is None else names | resolved.topics

    # epochs

    def bump_if_needed(self) -> None:
        """A new group epoch when members, subscriptions or the topics behind them have changed."""
        if not self._bump and not self.group.is_stale:
            return
        if self.group.is_stale:
            self.refresh_topics()
        found = self.host.metadata_hash(self.subscribed_topics())
        if found != self.metadata_hash:
            self.metadata_hash = found
            self._bump = True
        if self._bump:
            self.epoch += 1
            self.records.append(records.group_record(self.group.group_id, self.epoch, self.metadata_hash))
        else:
            self.group.seen_topics()

    def assign_if_due(self) -> None:
        """A new target when the group is ahead of it, but not more often than the assignment interval allows."""
        interval_ms = self.host.settings(self.group.group_id).assignment_interval_ms
        if is_assignment_due(self.group, self.epoch, interval_ms, self.now_ms):
            self._assign()

    def _assign(self) -> None:
        topics: dict[str, TopicInfo] = {}
        for name in self.subscribed_topics():
            topic = self.host.view.topic(name)
            if topic is not None:
                topics[name] = topic
        sets: dict[frozenset[str], frozenset[bytes]] = {}
        specs = {}
        for member in self.members():
            names = self.topics_of(member)
            ids = sets.get(names)
            if ids is None:
                ids = sets[names] = frozenset(topics[name].id for name in names if name in topics)
            current = self.target_of(member.member_id)
            specs[member.member_id] = MemberSpec(ids, member.instance_id, member.rack_id, current)
        found = assignors.assign(self._assignor(), specs, {topic.id: topic for topic in topics.values()})
        group_id = self.group.group_id
        for member_id in specs:
            target = found[member_id]
            known = self.targets.get(member_id, self.group.targets.get(member_id))
            if known is None or dict(known) != dict(target):
                self.records.append(records.target_member_record(group_id, member_id, target))
            self.targets[member_id] = target
        self.assignment_epoch = self.epoch
        self.records.append(records.target_record(group_id, self.epoch, self.now_ms))

    def _assignor(self) -> str:
        votes = self.group.assignor_votes
        if self.changed:
            votes = votes.copy()
            votes.clear()
            votes.update(each.server_assignor for each in self.members() if each.server_assignor is not None)
        if not votes:
            return self.host.config.consumer_assignors[0]
        return max(sorted(votes), key=votes.__getitem__)

    def target_of(self, member_id: str) -> Assignment:
        found = self.targets.get(member_id)
        return self.group.target_of(member_id) if found is None else found

    # what a member holds

    def reconcile(self, member: ConsumerMember, owned: Owned | None, changed: bool) -> ConsumerMember:
        """`changed`: its subscription has, so it may hold what it no longer wants even before the next assignment."""
        if not changed and member.is_reconciled_to(self.assignment_epoch):
            return member
        target = self._still_wanted(member)
        after = reconcile(member, self.assignment_epoch, target, owned, self.group.holder_epoch)
        if changed and member.is_reconciled_to(self.assignment_epoch) and after.state is MemberState.STABLE:
            return member
        if after != member:
            self.records.append(records.current_record(self.group.group_id, after))
        return after

    def _still_wanted(self, member: ConsumerMember) -> Assignment:
        target = self.target_of(member.member_id)
        if self.assignment_epoch == self.epoch:
            return target
        names = self.topics_of(member)
        return {each: indexes for each, indexes in target.items() if self.host.view.topic_name(each) in names}


def is_assignment_due(group: ConsumerGroup, epoch: int, interval_ms: int, now_ms: int) -> bool:
    if epoch <= group.assignment_epoch:
        return False
    made_ms = group.assignment_timestamp_ms
    return made_ms < 0 or now_ms - made_ms >= interval_ms


def _metadata(member: ConsumerMember) -> tuple[object, ...]:
    return (
        member.instance_id,
        member.rack_id,
        member.rebalance_timeout_ms,
        member.client_id,
        member.client_host,
        member.topics,
        member.regex,
        member.server_assignor,
        member.classic,
    )
