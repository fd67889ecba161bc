import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/**
 * Appends each produced batch of standard input to a real log of Apache Kafka and prints what came of it.
 *
 * The argument is the time in ms at which everything happens.
 * In:  "name=value,name=value HEX" (topic settings, or "-", then the records of one partition of a produce request).
 * Out: "ERROR_NAME TAB exception class TAB message TAB index:message;... TAB HEX of what was stored".
 */
public class RecordsOracle {
    static final Map<String, UnifiedLog> LOGS = new HashMap<>();
    static final KafkaScheduler SCHEDULER = new KafkaScheduler(1);
    static Time clock;

    /** The moment that the batches were made for, standing still. */
    record StandingClock(long milliseconds) implements Time {
        public long nanoseconds() { return System.nanoTime(); }
        public void sleep(long ms) { Time.SYSTEM.sleep(ms); }
        public void waitObject(Object obj, Supplier<Boolean> condition, long deadlineMs) {
            throw new UnsupportedOperationException();
        }
    }

    static UnifiedLog open(String settings) throws Exception {
        Properties properties = new Properties();
        if (!settings.equals("-")) {
            for (String pair : settings.split(",")) {
                String[] parts = pair.split("=", 2);
                properties.put(parts[0], parts[1]);
            }
        }
        File dir = new File(Files.createTempDirectory("records-oracle").toFile(), "topic-0");
        dir.mkdirs();
        return UnifiedLog.create(dir, LogConfig.fromProps(Map.of(), properties), 0L, 0L, SCHEDULER,
            new BrokerTopicStats(), clock, 60000, new ProducerStateManagerConfig(60000, false), 60000,
            new LogDirFailureChannel(10), true, Optional.of(Uuid.randomUuid()));
    }

    static String append(UnifiedLog log, byte[] bytes) throws Exception {
        MemoryRecords records = MemoryRecords.readableRecords(ByteBuffer.wrap(bytes));
        long end = log.logEndOffset();
        try {
            ProduceRequest.validateRecords((short) 12, records);
            log.appendAsLeader(records, 7);
        } catch (RecordValidationException e) {
            StringBuilder each = new StringBuilder();
            for (var error : e.recordErrors()) each.append(error.batchIndex).append(':').append(error.message).append(';');
            return answer(e.invalidException(), each.toString());
        } catch (Throwable e) {
            return answer(e, "");
        }
        var read = log.read(end, 1 << 30, FetchIsolation.LOG_END, true);
        if (!(read.records instanceof FileRecords stored)) return "NONE\t\t\t\t";
        ByteBuffer out = ByteBuffer.allocate(stored.sizeInBytes());
        stored.readInto(out, 0);
        return "NONE\t\t\t\t" + HexFormat.of().formatHex(out.array());
    }

    static String answer(Throwable e, String each) {
        String message = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
        return Errors.forException(e) + "\t" + e.getClass().getName() + "\t" + message + "\t" + each + "\t";
    }

    public static void main(String[] args) throws Exception {
        clock = new StandingClock(Long.parseLong(args[0]));
        SCHEDULER.startup();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] parts = line.split(" ", 2);
            if (!LOGS.containsKey(parts[0])) LOGS.put(parts[0], open(parts[0]));
            System.out.println(append(LOGS.get(parts[0]), HexFormat.of().parseHex(parts[1])));
            System.out.flush();
        }
        System.exit(0);
    }
}
