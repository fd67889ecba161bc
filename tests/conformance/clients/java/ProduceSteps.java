import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.StringSerializer;

/** Producing with every codec, acknowledgement and idempotence, and what the broker refuses. */
final class ProduceSteps {
    static final long START = 1_700_000_000_000L;

    static void run(Steps s) throws Exception {
        for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
            for (boolean idempotent : List.of(true, false)) {
                String topic = s.topic("produce-" + codec + "-" + idempotent);
                create(s, topic, 2, Map.of());
                s.step("produce " + codec + (idempotent ? " idempotent" : ""), () ->
                    send(s, Map.of("compression.type", codec, "enable.idempotence", idempotent), topic, 30));
                s.step("read back " + codec + (idempotent ? " idempotent" : ""), () -> ConsumeSteps.readAll(s, topic, 30));
            }
        }
        acknowledgements(s);
        recompression(s);
        refusals(s);
    }

    private static void acknowledgements(Steps s) throws Exception {
        for (String acks : List.of("0", "1", "all")) {
            String topic = s.topic("acks-" + acks);
            create(s, topic, 2, Map.of());
            s.step("acks " + acks, () -> {
                Object sent = send(s, Map.of("acks", acks, "enable.idempotence", "false"), topic, 10);
                return Steps.map("sent", sent, "read", ConsumeSteps.readAll(s, topic, 10));
            });
        }
    }

    private static void recompression(Steps s) throws Exception {
        for (String codec : List.of("uncompressed", "gzip", "snappy", "lz4", "zstd")) {
            String topic = s.topic("recompressed-" + codec);
            create(s, topic, 2, Map.of("compression.type", codec));
            s.step("topic compresses with " + codec, () -> {
                Object sent = send(s, Map.of("compression.type", codec.equals("gzip") ? "lz4" : "gzip"), topic, 10);
                return Steps.map("sent", sent, "read", ConsumeSteps.readAll(s, topic, 10));
            });
        }
        String topic = s.topic("append-time");
        create(s, topic, 2, Map.of("message.timestamp.type", "LogAppendTime"));
        s.step("log append time", () -> {
            send(s, Map.of(), topic, 4);
            return ConsumeSteps.timestampTypes(s, topic, 4, System.currentTimeMillis());
        });
    }

    private static void refusals(Steps s) throws Exception {
        create(s, s.topic("small"), 1, Map.of("max.message.bytes", "1000"));
        create(s, s.topic("compacted"), 1, Map.of("cleanup.policy", "compact"));
        create(s, s.topic("recent"), 1, Map.of("message.timestamp.before.max.ms", "1000", "message.timestamp.after.max.ms", "1000"));
        byte[] large = new byte[5000];
        s.step("too large", () -> Steps.outcome(() -> one(s, Map.of(), new ProducerRecord<>(s.topic("small"), "k", new String(large)))));
        s.step("too large compressed fits", () -> Steps.outcome(() ->
            one(s, Map.of("compression.type", "gzip"), new ProducerRecord<>(s.topic("small"), "k", new String(large)))));
        s.step("no key on compacted", () -> Steps.outcome(() -> one(s, Map.of(), new ProducerRecord<>(s.topic("compacted"), "v"))));
        s.step("no key on compacted, compressed", () -> Steps.outcome(() ->
            one(s, Map.of("compression.type", "zstd"), new ProducerRecord<>(s.topic("compacted"), "v"))));
        s.step("tombstone", () -> Steps.outcome(() -> one(s, Map.of(), new ProducerRecord<>(s.topic("compacted"), "k", null))));
        s.step("timestamp too old", () -> Steps.outcome(() -> one(s, Map.of(), new ProducerRecord<>(s.topic("recent"), 0, START, "k", "v"))));
        s.step("timestamp too new", () -> Steps.outcome(() ->
            one(s, Map.of(), new ProducerRecord<>(s.topic("recent"), 0, System.currentTimeMillis() + 600_000, "k", "v"))));
        s.step("bad topic name", () -> Steps.outcome(() -> one(s, Map.of(), new ProducerRecord<>("bad name!", "v"))));
        s.step("auto-created topic", () -> Steps.outcome(() -> one(s, Map.of(), new ProducerRecord<>(s.topic("auto"), "k", "v"))));
        s.step("unknown partition", () -> Steps.outcome(() ->
            one(s, Map.of("max.block.ms", "1500"), new ProducerRecord<>(s.topic("small"), 9, "k", "v"))));
        s.step("read-only offsets topic", () -> Steps.outcome(() ->
            one(s, Map.of("delivery.timeout.ms", "3000", "request.timeout.ms", "2000"), new ProducerRecord<>("__cluster_metadata", 0, "k", "v"))));
    }

    static void create(Steps s, String topic, int partitions, Map<String, String> configs) throws Exception {
        s.admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(configs))).all().get();
        // A partition may be known before its leader takes records, and with acks=0 those would be lost unseen.
        Map<TopicPartition, OffsetSpec> latest = new TreeMap<>(java.util.Comparator.comparing(TopicPartition::partition));
        for (int i = 0; i < partitions; i++) {
            latest.put(new TopicPartition(topic, i), OffsetSpec.latest());
        }
        Steps.until(partitions, () -> s.admin.listOffsets(latest).all().get().size());
    }

    static Object one(Steps s, Map<String, ?> settings, ProducerRecord<String, String> record) throws Exception {
        try (var producer = producer(s, settings)) {
            RecordMetadata metadata = producer.send(record).get();
            return List.of(metadata.partition(), metadata.offset());
        }
    }

    static KafkaProducer<String, String> producer(Steps s, Map<String, ?> settings) {
        var properties = s.properties("linger.ms", 20, "max.block.ms", 20_000, "delivery.timeout.ms", 20_000);
        settings.forEach((key, value) -> properties.put(key, value.toString()));
        return new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
    }

    /** Sends records with keys, headers, nulls and fixed timestamps to the first two partitions; gives where each went. */
    static Object send(Steps s, Map<String, ?> settings, String topic, int count) throws Exception {
        List<Future<RecordMetadata>> futures = new ArrayList<>();
        try (var producer = producer(s, settings)) {
            for (int i = 0; i < count; i++) {
                futures.add(producer.send(record(topic, i)));
            }
        }
        Map<Integer, List<Object>> offsets = new TreeMap<>();
        for (var future : futures) {
            RecordMetadata m = future.get();
            offsets.computeIfAbsent(m.partition(), p -> new ArrayList<>()).add(m.hasOffset() ? m.offset() : "none");
        }
        return offsets;
    }

    private static ProducerRecord<String, String> record(String topic, int i) {
        String key = i % 5 == 0 ? null : "key-" + i % 7;
        String value = i % 6 == 5 ? null : "value-" + i + "-é-" + "x".repeat(i * 10);
        var record = new ProducerRecord<>(topic, i % 2, START + i * 1000L, key, value);
        if (i % 3 == 0) {
            record.headers().add("h", new byte[] {(byte) i, 0, -1}).add(new RecordHeader("null", (byte[]) null)).add("", new byte[0]);
        }
        return record;
    }
}
