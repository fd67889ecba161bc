import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** Topics, the cluster and its directories through the admin client. */
final class AdminSteps {
    static void run(Steps s) throws Exception {
        cluster(s);
        create(s);
        refusals(s);
        partitions(s);
        records(s);
        delete(s);
    }

    private static void cluster(Steps s) throws Exception {
        s.step("cluster", () -> {
            var cluster = s.admin.describeCluster();
            return Steps.map("nodes", cluster.nodes().get().size(), "controller", cluster.controller().get().id(),
                "id length", cluster.clusterId().get().length(), "operations", cluster.authorizedOperations().get());
        });
        s.step("features", () -> {
            Map<String, Object> features = new TreeMap<>();
            var metadata = s.admin.describeFeatures().featureMetadata().get();
            metadata.supportedFeatures().forEach((name, range) -> features.put(name, range.minVersion() + "-" + range.maxVersion()));
            metadata.finalizedFeatures().forEach((name, range) -> features.merge(name, " at " + range.maxVersionLevel(), (a, b) -> "" + a + b));
            return features;
        });
        s.step("quorum", () -> {
            var quorum = s.admin.describeMetadataQuorum().quorumInfo().get();
            return Steps.map("leader", quorum.leaderId(), "voters", quorum.voters().size(), "observers", quorum.observers().size());
        });
    }

    private static void create(Steps s) throws Exception {
        String name = s.topic("admin");
        s.step("create", () -> {
            var result = s.admin.createTopics(List.of(new NewTopic(name, 3, (short) 1).configs(Map.of("retention.ms", "3600000"))));
            return Steps.map("partitions", result.numPartitions(name).get(), "replicas", result.replicationFactor(name).get(),
                "id", !result.topicId(name).get().equals(Uuid.ZERO_UUID), "retention", result.config(name).get().get("retention.ms").value());
        });
        s.step("create with defaults", () -> {
            var result = s.admin.createTopics(List.of(new NewTopic(s.topic("defaults"), java.util.Optional.empty(), java.util.Optional.empty())));
            return result.numPartitions(s.topic("defaults")).get();
        });
        s.step("create with assignment", () -> {
            var topic = new NewTopic(s.topic("assigned"), Map.of(0, List.of(1), 1, List.of(1)));
            return s.admin.createTopics(List.of(topic)).numPartitions(s.topic("assigned")).get();
        });
        s.step("describe", () -> {
            Steps.until(3, () -> count(s, name));
            return describe(s, name);
        });
        s.step("describe by id", () -> {
            Uuid id = s.admin.describeTopics(List.of(name)).topicNameValues().get(name).get().topicId();
            var found = s.admin.describeTopics(org.apache.kafka.common.TopicCollection.ofTopicIds(List.of(id))).topicIdValues().get(id).get();
            return found.name();
        });
        s.step("list", () -> new TreeSet<>(s.admin.listTopics().names().get()).contains(name));
        s.step("list internal", () -> s.admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get().contains(name));
    }

    private static Object describe(Steps s, String name) throws Exception {
        TopicDescription topic = s.admin.describeTopics(List.of(name)).topicNameValues().get(name).get();
        List<Object> partitions = new ArrayList<>();
        for (var p : topic.partitions()) {
            partitions.add(List.of(p.partition(), p.leader().id(), p.replicas().size(), p.isr().size(), p.elr().size(), p.lastKnownElr().size()));
        }
        return Steps.map("internal", topic.isInternal(), "partitions", partitions);
    }

    static int count(Steps s, String topic) throws Exception {
        return s.admin.describeTopics(List.of(topic)).topicNameValues().get(topic).get().partitions().size();
    }

    private static boolean listed(Steps s, String topic) throws Exception {
        return s.admin.listTopics().names().get().contains(topic);
    }

    private static void refusals(Steps s) throws Exception {
        s.step("create refused", () -> {
            List<NewTopic> topics = List.of(
                new NewTopic(s.topic("admin"), 1, (short) 1),
                new NewTopic("bad name!", 1, (short) 1),
                new NewTopic("..", 1, (short) 1),
                new NewTopic("", 1, (short) 1),
                new NewTopic("x".repeat(250), 1, (short) 1),
                new NewTopic(s.topic("three"), 1, (short) 3),
                new NewTopic(s.topic("none"), 0, (short) 1),
                new NewTopic(s.topic("config"), 1, (short) 1).configs(Map.of("no.such.config", "1")),
                new NewTopic(s.topic("value"), 1, (short) 1).configs(Map.of("retention.ms", "soon")),
                new NewTopic(s.topic("unknown-broker"), Map.of(0, List.of(99))),
                new NewTopic(s.topic("gap"), Map.of(0, List.of(1), 2, List.of(1))),
                new NewTopic(s.topic("good"), 1, (short) 1));
            return outcomes(s.admin.createTopics(topics).values(), s.prefix);
        });
        s.step("create refused leaves nothing", () -> {
            Map<String, Object> found = new TreeMap<>();
            Steps.until(true, () -> listed(s, s.topic("good")));
            for (String name : List.of("three", "none", "config", "value", "unknown-broker", "gap", "good")) {
                found.put(name, s.admin.listTopics().names().get().contains(s.topic(name)));
            }
            return found;
        });
        s.step("name collision", () -> {
            s.admin.createTopics(List.of(new NewTopic(s.prefix + ".a.b", 1, (short) 1))).all().get();
            return Steps.outcome(() -> s.admin.createTopics(List.of(new NewTopic(s.prefix + ".a_b", 1, (short) 1))).all().get());
        });
        s.step("validate only", () -> {
            var topic = new NewTopic(s.topic("validated"), 2, (short) 1);
            s.admin.createTopics(List.of(topic), new CreateTopicsOptions().validateOnly(true)).all().get();
            return s.admin.listTopics().names().get().contains(s.topic("validated"));
        });
        s.step("describe unknown", () -> Steps.outcome(() -> describe(s, s.topic("nowhere"))));
    }

    private static void partitions(Steps s) throws Exception {
        s.step("create partitions", () -> {
            s.admin.createPartitions(Map.of(s.topic("admin"), NewPartitions.increaseTo(5))).all().get();
            Steps.until(5, () -> count(s, s.topic("admin")));
            return describe(s, s.topic("admin"));
        });
        s.step("create partitions refused", () -> {
            Map<String, NewPartitions> wanted = new HashMap<>();
            wanted.put(s.topic("admin"), NewPartitions.increaseTo(5));
            wanted.put(s.topic("nowhere"), NewPartitions.increaseTo(2));
            wanted.put(s.topic("assigned"), NewPartitions.increaseTo(3, List.of(List.of(99))));
            wanted.put(s.topic("defaults"), NewPartitions.increaseTo(0));
            return outcomes(s.admin.createPartitions(wanted).values(), s.prefix);
        });
        s.step("log directories", () -> {
            Object mine = Steps.until(List.of(0, 1, 2, 3, 4), () -> partitionsOnDisk(s, s.topic("admin")));
            var directories = s.admin.describeLogDirs(List.of(1)).allDescriptions().get().get(1);
            return Steps.map("directories", directories.size(), "partitions", mine, "total known",
                directories.values().iterator().next().totalBytes().isPresent());
        });
    }

    private static List<Integer> partitionsOnDisk(Steps s, String topic) throws Exception {
        List<Integer> found = new ArrayList<>();
        for (var directory : s.admin.describeLogDirs(List.of(1)).allDescriptions().get().get(1).values()) {
            directory.replicaInfos().keySet().stream().filter(p -> p.topic().equals(topic))
                .map(TopicPartition::partition).sorted().forEach(found::add);
        }
        return found;
    }

    private static void records(Steps s) throws Exception {
        TopicPartition first = new TopicPartition(s.topic("admin"), 0);
        s.step("delete records", () -> {
            ProduceSteps.send(s, Map.of(), s.topic("admin"), 10);
            long low = s.admin.deleteRecords(Map.of(first, RecordsToDelete.beforeOffset(2))).lowWatermarks().get(first).get().lowWatermark();
            long start = s.admin.listOffsets(Map.of(first, OffsetSpec.earliest())).partitionResult(first).get().offset();
            return List.of(low, start);
        });
        s.step("delete records refused", () -> Steps.map(
            "past the end", Steps.outcome(() -> s.admin.deleteRecords(Map.of(first, RecordsToDelete.beforeOffset(1000))).all().get()),
            "negative", Steps.outcome(() -> s.admin.deleteRecords(Map.of(first, RecordsToDelete.beforeOffset(-7))).all().get()),
            "unknown", Steps.outcome(() -> s.admin.deleteRecords(
                Map.of(new TopicPartition(s.topic("admin"), 77), RecordsToDelete.beforeOffset(0))).all().get(3, java.util.concurrent.TimeUnit.SECONDS))));
        s.step("delete all records", () -> s.admin.deleteRecords(Map.of(first, RecordsToDelete.beforeOffset(-1)))
            .lowWatermarks().get(first).get().lowWatermark());
        s.step("list offsets", () -> {
            Map<String, Object> offsets = new TreeMap<>();
            for (var entry : Map.of("earliest", OffsetSpec.earliest(), "latest", OffsetSpec.latest(), "max timestamp", OffsetSpec.maxTimestamp(),
                "local", OffsetSpec.earliestLocal(), "tiered", OffsetSpec.latestTiered(), "at", OffsetSpec.forTimestamp(5)).entrySet()) {
                TopicPartition second = new TopicPartition(s.topic("admin"), 1);
                offsets.put(entry.getKey(), Steps.outcome(() -> {
                    var info = s.admin.listOffsets(Map.of(second, entry.getValue())).partitionResult(second).get();
                    return List.of(info.offset(), info.timestamp(), info.leaderEpoch().orElse(-1));
                }));
            }
            return offsets;
        });
        s.step("producers", () -> {
            TopicPartition partition = new TopicPartition(s.topic("admin"), 1);
            Collection<?> active = s.admin.describeProducers(List.of(partition)).partitionResult(partition).get().activeProducers();
            return active.size();
        });
    }

    private static void delete(Steps s) throws Exception {
        s.step("delete", () -> {
            s.admin.deleteTopics(List.of(s.topic("admin"), s.topic("defaults"))).all().get();
            return Steps.until(false, () -> listed(s, s.topic("admin")));
        });
        s.step("delete unknown", () -> Steps.outcome(() -> s.admin.deleteTopics(List.of(s.topic("admin"))).all().get()));
        s.step("create again", () -> {
            s.admin.createTopics(List.of(new NewTopic(s.topic("admin"), 1, (short) 1))).all().get();
            TopicPartition first = new TopicPartition(s.topic("admin"), 0);
            return Steps.until(0L, () -> s.admin.listOffsets(Map.of(first, OffsetSpec.latest())).partitionResult(first).get().offset());
        });
    }

    static Map<String, Object> outcomes(Map<String, KafkaFuture<Void>> futures, String prefix) {
        Map<String, Object> outcomes = new TreeMap<>();
        futures.forEach((name, future) -> outcomes.put(name.length() > 100 ? "long" : name.replace(prefix, ""), Steps.outcome(future::get)));
        return outcomes;
    }
}
