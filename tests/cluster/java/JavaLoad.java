import java.io.BufferedOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A producer that sends numbered values until its input ends, and a reader of all partitions beside it.
 * Every answer and every record read is a line: "ok PARTITION OFFSET VALUE", "unknown PARTITION VALUE WHY",
 * "read PARTITION OFFSET VALUE".
 */
public class JavaLoad {
    private static final int IN_FLIGHT = 200;
    private static final PrintStream OUT = new PrintStream(new BufferedOutputStream(System.out, 1 << 16), false);

    public static void main(String[] args) throws Exception {
        String servers = args[0];
        String topic = args[1];
        int partitions = Integer.parseInt(args[2]);
        AtomicBoolean stopping = new AtomicBoolean();
        Thread reader = new Thread(() -> read(servers, topic, partitions, stopping));
        reader.start();
        Thread input = new Thread(() -> waitForEnd(stopping));
        input.setDaemon(true);
        input.start();
        produce(servers, topic, partitions, stopping);
        reader.join();
        OUT.flush();
    }

    private static void waitForEnd(AtomicBoolean stopping) {
        try {
            while (System.in.read() >= 0) { }
        } catch (java.io.IOException error) {
            // the end, too
        }
        stopping.set(true);
    }

    private static void produce(String servers, String topic, int partitions, AtomicBoolean stopping)
            throws InterruptedException {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", servers);
        settings.put("acks", "all");
        settings.put("enable.idempotence", "true");
        settings.put("linger.ms", "2");
        // With more than one, this client sends on to a new leader while a replaced one still holds its earlier batches.
        // A broker remembers five batches of a producer; earlier ones are then refused, and sent again as a new epoch.
        settings.put("max.in.flight.requests.per.connection", "1");
        settings.put("delivery.timeout.ms", "90000");
        settings.put("request.timeout.ms", "5000");
        settings.put("max.block.ms", "90000");
        settings.put("retry.backoff.ms", "20");
        settings.put("reconnect.backoff.ms", "20");
        settings.put("reconnect.backoff.max.ms", "200");
        settings.put("socket.connection.setup.timeout.ms", "2000");
        settings.put("metadata.max.age.ms", "2000");
        Semaphore room = new Semaphore(IN_FLIGHT);
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            for (int number = 0; !stopping.get(); number++) {
                room.acquire();
                int partition = number % partitions;
                String value = "java-" + number;
                producer.send(new ProducerRecord<>(topic, partition, null, value), (data, error) -> {
                    room.release();
                    say(error == null
                        ? "ok " + partition + " " + data.offset() + " " + value
                        : "unknown " + partition + " " + value + " " + error);
                });
                if (number % 10 == 0) {
                    Thread.sleep(10);
                    flush();
                }
            }
        }
    }

    private static void read(String servers, String topic, int partitions, AtomicBoolean stopping) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", servers);
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", "false");
        settings.put("request.timeout.ms", "5000");
        settings.put("metadata.max.age.ms", "2000");
        settings.put("reconnect.backoff.ms", "20");
        settings.put("socket.connection.setup.timeout.ms", "2000");
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(each -> new TopicPartition(topic, each)).collect(Collectors.toList());
            consumer.assign(all);
            consumer.seekToBeginning(all);
            while (!stopping.get()) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                    say("read " + record.partition() + " " + record.offset() + " " + record.value());
                }
            }
        }
    }

    private static synchronized void say(String line) {
        OUT.print(line + "\n");
    }

    private static synchronized void flush() {
        OUT.flush();
    }
}
