import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reading by offset and by timestamp, without a group. */
final class ConsumeSteps {
    static void run(Steps s) throws Exception {
        String topic = s.topic("consume");
        ProduceSteps.create(s, topic, 2, Map.of());
        ProduceSteps.send(s, Map.of("batch.size", "300"), topic, 40);
        TopicPartition first = new TopicPartition(topic, 0);
        s.step("beginning", () -> readAll(s, topic, 40));
        s.step("small fetches", () -> readFrom(s, topic, 40, Map.of("max.partition.fetch.bytes", "100", "fetch.max.bytes", "100", "max.poll.records", "3")));
        s.step("read committed", () -> readFrom(s, topic, 40, Map.of("isolation.level", "read_committed")));
        s.step("check crcs off", () -> readFrom(s, topic, 40, Map.of("check.crcs", "false", "fetch.min.bytes", "1000000", "fetch.max.wait.ms", "50")));
        positions(s, topic, first);
        errors(s, topic, first);
    }

    private static void positions(Steps s, String topic, TopicPartition first) throws Exception {
        s.step("offsets", () -> {
            try (var consumer = consumer(s, Map.of())) {
                TopicPartition second = new TopicPartition(topic, 1);
                return Steps.map("beginning", consumer.beginningOffsets(List.of(first, second)).get(first),
                    "end", consumer.endOffsets(List.of(first, second)).get(second), "partitions", consumer.partitionsFor(topic).size());
            }
        });
        s.step("offsets for times", () -> {
            Map<Long, Object> found = new TreeMap<>();
            try (var consumer = consumer(s, Map.of())) {
                for (long t : List.of(0L, ProduceSteps.START, ProduceSteps.START + 1, ProduceSteps.START + 20_000, ProduceSteps.START + 38_000, ProduceSteps.START + 38_001)) {
                    var at = consumer.offsetsForTimes(Map.of(first, t)).get(first);
                    found.put(t - ProduceSteps.START, at == null ? "none" : List.of(at.offset(), at.timestamp() - ProduceSteps.START));
                }
            }
            return found;
        });
        s.step("from a timestamp", () -> {
            try (var consumer = consumer(s, Map.of())) {
                consumer.assign(List.of(first));
                consumer.seek(first, consumer.offsetsForTimes(Map.of(first, ProduceSteps.START + 20_000)).get(first).offset());
                return poll(consumer, 10);
            }
        });
        s.step("middle of a batch", () -> {
            try (var consumer = consumer(s, Map.of())) {
                consumer.assign(List.of(first));
                consumer.seek(first, 7);
                return poll(consumer, 13);
            }
        });
        s.step("to the end", () -> {
            try (var consumer = consumer(s, Map.of())) {
                consumer.assign(List.of(first));
                consumer.seekToEnd(List.of(first));
                long end = consumer.position(first);
                int none = consumer.poll(Duration.ofMillis(200)).count();
                return List.of(end, none);
            }
        });
    }

    private static void errors(Steps s, String topic, TopicPartition first) throws Exception {
        s.step("out of range", () -> Steps.outcome(() -> {
            try (var consumer = consumer(s, Map.of("auto.offset.reset", "none"))) {
                consumer.assign(List.of(first));
                consumer.seek(first, 12345);
                return poll(consumer, 1);
            }
        }));
        s.step("out of range, reset", () -> {
            try (var consumer = consumer(s, Map.of("auto.offset.reset", "earliest"))) {
                consumer.assign(List.of(first));
                consumer.seek(first, 12345);
                return ((List<?>) poll(consumer, 20)).size();
            }
        });
        s.step("unknown topic", () -> Steps.outcome(() -> {
            try (var consumer = consumer(s, Map.of("allow.auto.create.topics", "false"))) {
                return String.valueOf(consumer.partitionsFor(s.topic("nowhere")));
            }
        }));
        s.step("bad topic name", () -> Steps.outcome(() -> {
            try (var consumer = consumer(s, Map.of())) {
                return consumer.partitionsFor("bad name!").size();
            }
        }));
    }

    static KafkaConsumer<String, String> consumer(Steps s, Map<String, ?> settings) {
        var properties = s.properties("enable.auto.commit", "false", "auto.offset.reset", "earliest");
        settings.forEach((key, value) -> properties.put(key, value.toString()));
        return new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
    }

    static Object readAll(Steps s, String topic, int count) {
        return readFrom(s, topic, count, Map.of());
    }

    static Object readFrom(Steps s, String topic, int count, Map<String, ?> settings) {
        try (var consumer = consumer(s, settings)) {
            var both = List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1));
            consumer.assign(both);
            consumer.seekToBeginning(both);
            return poll(consumer, count);
        }
    }

    static Object timestampTypes(Steps s, String topic, int count, long now) {
        List<Object> types = new ArrayList<>();
        try (var consumer = consumer(s, Map.of())) {
            consumer.assign(List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1)));
            long deadline = System.currentTimeMillis() + 15_000;
            while (types.size() < count && System.currentTimeMillis() < deadline) {
                for (var record : consumer.poll(Duration.ofMillis(100))) {
                    types.add(List.of(record.timestampType().name(), Math.abs(record.timestamp() - now) < 60_000));
                }
            }
        }
        return types;
    }

    static Object poll(KafkaConsumer<String, String> consumer, int count) {
        Map<Integer, List<Object>> found = new TreeMap<>();
        int seen = 0;
        long deadline = System.currentTimeMillis() + 15_000;
        while (seen < count && System.currentTimeMillis() < deadline) {
            for (var record : consumer.poll(Duration.ofMillis(100))) {
                found.computeIfAbsent(record.partition(), p -> new ArrayList<>()).add(describe(record));
                seen++;
            }
        }
        return found.size() == 1 ? found.values().iterator().next() : found;
    }

    private static Object describe(ConsumerRecord<String, String> record) {
        List<Object> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            headers.add(header.key() + "=" + (header.value() == null ? "null" : HexFormat.of().formatHex(header.value())));
        }
        return List.of(record.offset(), record.timestamp() - ProduceSteps.START, record.timestampType().name(), String.valueOf(record.key()),
            String.valueOf(record.value()), headers, record.leaderEpoch().orElse(-1));
    }
}
