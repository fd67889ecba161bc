import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The consumer that every introduction shows: subscribe, poll, look at the fields, commit, close. */
final class ClickSteps {
    static void run(Steps s) throws Exception {
        String topic = s.topic("clicks");
        ProduceSteps.create(s, topic, 1, Map.of());
        try (var producer = ProduceSteps.producer(s, Map.of())) {
            for (int i = 0; i < 10; i++) {
                producer.send(new ProducerRecord<>(topic, "user-" + i % 3, "click-" + i));
            }
        }
        s.step("first reading", () -> read(s, topic, 6));
        s.step("second reading goes on", () -> read(s, topic, 4));
    }

    private static Object read(Steps s, String topic, int count) {
        Properties props = new Properties();
        props.put("bootstrap.servers", s.address);
        props.put("group.id", topic + "-processor");
        props.put("key.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        props.put("value.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        props.put("enable.auto.commit", "false");
        props.put("auto.offset.reset", "earliest");
        props.put("max.poll.records", "2");
        List<Object> clicks = new ArrayList<>();
        KafkaConsumer<String, String> consumer = new KafkaConsumer<>(props);
        try {
            consumer.subscribe(List.of(topic));
            long deadline = System.currentTimeMillis() + 15_000;
            while (clicks.size() < count && System.currentTimeMillis() < deadline) {
                ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(100));
                for (ConsumerRecord<String, String> record : records) {
                    clicks.add(List.of(record.partition(), record.offset(), record.key(), record.value()));
                }
                consumer.commitSync();
            }
        } finally {
            consumer.close();
        }
        return clicks;
    }
}
