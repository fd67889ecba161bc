import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Groups of both protocols and every assignor: who gets what, what is committed, and what happens when a member goes. */
final class GroupSteps {
    private static final long PATIENCE_MS = 25_000;
    private static final String PACKAGE = "org.apache.kafka.clients.consumer.";

    static void run(Steps s) throws Exception {
        for (String assignor : List.of("RangeAssignor", "RoundRobinAssignor", "StickyAssignor", "CooperativeStickyAssignor")) {
            share(s, assignor, Map.of("partition.assignment.strategy", PACKAGE + assignor));
        }
        share(s, "static", Map.of("static", "true"));
        share(s, "consumer protocol", Map.of("group.protocol", "consumer"));
        share(s, "consumer protocol, range", Map.of("group.protocol", "consumer", "group.remote.assignor", "range"));
        commits(s);
        resume(s);
        administration(s);
    }

    /** Two members share six partitions, one goes, the other has all; every record comes once. */
    private static void share(Steps s, String name, Map<String, String> settings) throws Exception {
        String topic = s.topic("share-" + name.replaceAll("[ ,]", "-"));
        ProduceSteps.create(s, topic, 6, Map.of());
        s.step(name, () -> {
            ProduceSteps.send(s, Map.of(), topic, 20);
            List<KafkaConsumer<String, String>> members = new ArrayList<>();
            Map<Integer, Integer> seen = new TreeMap<>();
            for (int i = 0; i < 2; i++) {
                members.add(member(s, topic, i, settings));
            }
            Object sizes = Steps.until(List.of(3, 3), PATIENCE_MS, () -> owned(members, seen));
            members.remove(1).close();
            Object alone = Steps.until(List.of(6), PATIENCE_MS, () -> owned(members, seen));
            Object count = Steps.until(20, PATIENCE_MS, () -> {
                owned(members, seen);
                return seen.values().stream().mapToInt(Integer::intValue).sum();
            });
            members.get(0).close();
            return Steps.map("two", sizes, "one", alone, "records", count);
        });
    }

    private static KafkaConsumer<String, String> member(Steps s, String topic, int number, Map<String, String> settings) {
        Map<String, String> own = new TreeMap<>(settings);
        own.put("group.id", topic);
        if (!own.containsKey("group.protocol")) {
            own.put("heartbeat.interval.ms", "200");
        }
        if (own.remove("static") != null) {
            own.put("group.instance.id", "member-" + number);
            own.put("session.timeout.ms", "6000");
        }
        var consumer = ConsumeSteps.consumer(s, own);
        consumer.subscribe(List.of(topic));
        return consumer;
    }

    /** Polls every member once, counts what came, commits it, and gives how many partitions each has. */
    private static List<Integer> owned(List<KafkaConsumer<String, String>> members, Map<Integer, Integer> seen) {
        List<Integer> sizes = new ArrayList<>();
        for (var member : members) {
            for (var record : member.poll(Duration.ofMillis(50))) {
                seen.merge(record.partition(), 1, Integer::sum);
            }
            try {
                member.commitSync();
            } catch (org.apache.kafka.common.errors.RebalanceInProgressException | org.apache.kafka.clients.consumer.CommitFailedException e) {
                // The next poll joins again.
            }
            sizes.add(member.assignment().size());
        }
        return sizes;
    }

    private static void commits(Steps s) throws Exception {
        String topic = s.topic("commits");
        TopicPartition first = new TopicPartition(topic, 0);
        ProduceSteps.create(s, topic, 2, Map.of());
        s.step("commit and read back", () -> {
            ProduceSteps.send(s, Map.of(), topic, 10);
            try (var consumer = ConsumeSteps.consumer(s, Map.of("group.id", topic))) {
                consumer.assign(List.of(first));
                consumer.commitSync(Map.of(first, new OffsetAndMetadata(3, java.util.Optional.of(0), "a note")));
                var found = consumer.committed(java.util.Set.of(first)).get(first);
                return List.of(found.offset(), found.metadata(), found.leaderEpoch().orElse(-1));
            }
        });
        s.step("metadata too large", () -> Steps.outcome(() -> {
            try (var consumer = ConsumeSteps.consumer(s, Map.of("group.id", topic))) {
                consumer.assign(List.of(first));
                consumer.commitSync(Map.of(first, new OffsetAndMetadata(3, "x".repeat(5000))));
                return "kept";
            }
        }));
    }

    private static void resume(Steps s) throws Exception {
        String topic = s.topic("resume");
        ProduceSteps.create(s, topic, 2, Map.of());
        s.step("resume where the group was", () -> {
            ProduceSteps.send(s, Map.of(), topic, 20);
            List<Object> read = new ArrayList<>();
            for (int round = 0; round < 2; round++) {
                try (var consumer = ConsumeSteps.consumer(s, Map.of("group.id", topic, "max.poll.records", "5"))) {
                    List<String> log = new ArrayList<>();
                    consumer.subscribe(List.of(topic), listener(log));
                    int count = 0;
                    long deadline = System.currentTimeMillis() + 15_000;
                    while (count < 10 && System.currentTimeMillis() < deadline) {
                        count += consumer.poll(Duration.ofMillis(100)).count();
                    }
                    consumer.commitSync();
                    read.add(List.of(count, log));
                }
            }
            return read;
        });
    }

    private static ConsumerRebalanceListener listener(List<String> log) {
        return new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                log.add("revoked " + partitions.size());
            }

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                log.add("assigned " + partitions.size());
            }
        };
    }

    private static void administration(Steps s) throws Exception {
        String group = s.topic("resume");
        s.step("describe", () -> {
            var found = s.admin.describeConsumerGroups(List.of(group)).describedGroups().get(group).get();
            return List.of(found.state().toString(), found.type().toString(), found.partitionAssignor(), found.members().size());
        });
        s.step("list", () -> s.admin.listConsumerGroups().all().get().stream().filter(g -> g.groupId().equals(group))
            .map(g -> List.of(g.state().get().toString(), g.type().get().toString(), g.isSimpleConsumerGroup())).toList());
        s.step("offsets", () -> {
            var found = s.admin.listConsumerGroupOffsets(Map.of(group, new ListConsumerGroupOffsetsSpec())).partitionsToOffsetAndMetadata(group).get();
            return new TreeSet<>(found.values().stream().map(OffsetAndMetadata::offset).toList());
        });
        s.step("alter offsets", () -> {
            TopicPartition first = new TopicPartition(group, 0);
            s.admin.alterConsumerGroupOffsets(group, Map.of(first, new OffsetAndMetadata(1))).all().get();
            return s.admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().get(first).offset();
        });
        s.step("delete offsets", () -> Steps.outcome(() ->
            s.admin.deleteConsumerGroupOffsets(group, java.util.Set.of(new TopicPartition(group, 0))).all().get()));
        s.step("delete", () -> Steps.outcome(() -> s.admin.deleteConsumerGroups(List.of(group)).all().get()));
        s.step("delete again", () -> Steps.outcome(() -> s.admin.deleteConsumerGroups(List.of(group)).all().get()));
        s.step("describe unknown", () -> Steps.outcome(() -> s.admin.describeConsumerGroups(List.of(group)).all().get().get(group).state().toString()));
    }
}
