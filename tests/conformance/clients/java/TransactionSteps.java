import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Transactions: what commits is seen, what aborts is not, and a second producer of the same name fences the first. */
final class TransactionSteps {
    static void run(Steps s) throws Exception {
        commitAndAbort(s);
        fencing(s);
        copying(s);
        administration(s);
    }

    private static KafkaProducer<String, String> producer(Steps s, String id, Object... more) {
        Map<String, Object> settings = new HashMap<>(Steps.map(more));
        settings.put("transactional.id", id);
        return ProduceSteps.producer(s, settings);
    }

    private static void commitAndAbort(Steps s) throws Exception {
        String topic = s.topic("txn");
        ProduceSteps.create(s, topic, 2, Map.of());
        s.step("commit and abort", () -> {
            List<Object> offsets = new ArrayList<>();
            try (var producer = producer(s, topic)) {
                producer.initTransactions();
                for (int i = 0; i < 6; i++) {
                    producer.beginTransaction();
                    for (int p = 0; p < 2; p++) {
                        offsets.add(producer.send(new ProducerRecord<>(topic, p, ProduceSteps.START + i, "k", "txn-" + i)).get().offset());
                    }
                    if (i % 3 == 1) {
                        producer.abortTransaction();
                    } else {
                        producer.commitTransaction();
                    }
                }
            }
            return offsets;
        });
        s.step("read committed", () -> ConsumeSteps.readFrom(s, topic, 8, Map.of("isolation.level", "read_committed")));
        s.step("read uncommitted", () -> ConsumeSteps.readFrom(s, topic, 12, Map.of()));
        s.step("an open transaction hides what follows", () -> {
            try (var producer = producer(s, topic + "-open")) {
                producer.initTransactions();
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(topic, 0, "k", "open")).get();
                TopicPartition first = new TopicPartition(topic, 0);
                try (var committed = ConsumeSteps.consumer(s, Map.of("isolation.level", "read_committed")); var all = ConsumeSteps.consumer(s, Map.of())) {
                    Object ends = List.of(committed.endOffsets(List.of(first)).get(first), all.endOffsets(List.of(first)).get(first));
                    producer.abortTransaction();
                    return ends;
                }
            }
        });
    }

    private static void fencing(Steps s) throws Exception {
        String topic = s.topic("fenced");
        ProduceSteps.create(s, topic, 1, Map.of());
        s.step("a second producer fences the first", () -> {
            try (var first = producer(s, topic); var second = producer(s, topic)) {
                first.initTransactions();
                first.beginTransaction();
                first.send(new ProducerRecord<>(topic, "k", "zombie")).get();
                second.initTransactions();
                Object refused = Steps.outcome(() -> {
                    first.commitTransaction();
                    return "committed";
                });
                second.beginTransaction();
                second.send(new ProducerRecord<>(topic, "k", "alive")).get();
                second.commitTransaction();
                return refused;
            }
        });
        s.step("only the second is seen", () -> {
            try (var consumer = ConsumeSteps.consumer(s, Map.of("isolation.level", "read_committed"))) {
                consumer.assign(List.of(new TopicPartition(topic, 0)));
                List<String> values = new ArrayList<>();
                long deadline = System.currentTimeMillis() + 10_000;
                while (values.isEmpty() && System.currentTimeMillis() < deadline) {
                    consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
                }
                return values;
            }
        });
        s.step("timeout too long", () -> Steps.outcome(() -> {
            try (var producer = producer(s, topic + "-long", "transaction.timeout.ms", 10_000_000)) {
                producer.initTransactions();
                return "begun";
            }
        }));
    }

    /** Reads, changes and writes in transactions, with an abort in the middle: every record comes out once. */
    private static void copying(Steps s) throws Exception {
        String from = s.topic("copy-from");
        String to = s.topic("copy-to");
        ProduceSteps.create(s, from, 1, Map.of());
        ProduceSteps.create(s, to, 1, Map.of());
        s.step("consume, transform, produce", () -> {
            try (var source = ProduceSteps.producer(s, Map.of())) {
                for (int i = 0; i < 30; i++) {
                    source.send(new ProducerRecord<>(from, "k", "v" + i));
                }
            }
            int aborts = 0;
            for (int round = 0; round < 2; round++) {
                aborts += copy(s, from, to, round == 0 ? 12 : 30);
            }
            return aborts;
        });
        s.step("what was copied", () -> {
            try (var consumer = ConsumeSteps.consumer(s, Map.of("isolation.level", "read_committed"))) {
                consumer.assign(List.of(new TopicPartition(to, 0)));
                List<String> values = new ArrayList<>();
                long deadline = System.currentTimeMillis() + 15_000;
                while (values.size() < 30 && System.currentTimeMillis() < deadline) {
                    consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
                }
                return values;
            }
        });
    }

    private static int copy(Steps s, String from, String to, long until) {
        int aborts = 0;
        try (var producer = producer(s, to); KafkaConsumer<String, String> consumer = ConsumeSteps.consumer(s,
            Map.of("group.id", to, "isolation.level", "read_committed", "max.poll.records", "4"))) {
            producer.initTransactions();
            consumer.subscribe(List.of(from));
            TopicPartition first = new TopicPartition(from, 0);
            long at = 0;
            long deadline = System.currentTimeMillis() + 20_000;
            while (at < until && System.currentTimeMillis() < deadline) {
                var records = consumer.poll(Duration.ofMillis(100));
                if (records.isEmpty()) {
                    continue;
                }
                producer.beginTransaction();
                long next = 0;
                for (var record : records) {
                    producer.send(new ProducerRecord<>(to, record.key(), record.value() + "!"));
                    next = record.offset() + 1;
                }
                if (aborts == 0) {
                    aborts++;
                    producer.abortTransaction();
                    consumer.seek(first, records.iterator().next().offset());
                    continue;
                }
                producer.sendOffsetsToTransaction(Map.of(first, new OffsetAndMetadata(next)), consumer.groupMetadata());
                producer.commitTransaction();
                at = next;
            }
        }
        return aborts;
    }

    private static void administration(Steps s) throws Exception {
        s.step("describe", () -> {
            String id = s.topic("copy-to");
            var found = s.admin.describeTransactions(List.of(id)).description(id).get();
            return List.of(found.state().toString(), found.transactionTimeoutMs(), found.topicPartitions().size());
        });
        s.step("list", () -> s.admin.listTransactions().all().get().stream().filter(t -> t.transactionalId().equals(s.topic("copy-to")))
            .map(t -> t.state().toString()).toList());
        s.step("describe unknown", () -> Steps.outcome(() -> s.admin.describeTransactions(List.of(s.topic("nobody"))).all().get()));
        s.step("fence", () -> Steps.outcome(() -> s.admin.fenceProducers(List.of(s.topic("copy-to"))).all().get()));
    }
}
