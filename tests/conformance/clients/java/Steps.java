import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/** Runs named steps against one broker and prints each one's result as a line of JSON, so that two brokers can be compared. */
final class Steps {
    interface Step {
        Object run() throws Exception;
    }

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    final String address;
    final String prefix;
    final Admin admin;
    String group = "";

    Steps(String address, String prefix) {
        this.address = address;
        this.prefix = prefix;
        this.admin = Admin.create(properties());
    }

    /** Settings every client here shares: the address, and timeouts short enough that a wrong answer fails soon. */
    Properties properties(Object... pairs) {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", address);
        properties.put("request.timeout.ms", "15000");
        properties.put("default.api.timeout.ms", "20000");
        for (int i = 0; i < pairs.length; i += 2) {
            properties.put(pairs[i].toString(), pairs[i + 1].toString());
        }
        return properties;
    }

    String topic(String name) {
        return prefix + "-" + name;
    }

    void step(String name, Step step) throws Exception {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("group", group);
        line.put("step", name);
        try {
            line.put("result", step.run());
        } catch (Throwable error) {
            line.put("error", name(error));
        }
        synchronized (System.out) {
            System.out.println(JSON.writeValueAsString(line));
            System.out.flush();
        }
    }

    /** The outcome of a step whose failure is part of the result. */
    static Object outcome(Step step) {
        try {
            Object value = step.run();
            return value == null ? "ok" : value;
        } catch (Throwable error) {
            return name(error);
        }
    }

    /** Repeats a step until it gives what is expected: brokers learn of the controller's changes a moment later. */
    static Object until(Object expected, Step step) throws Exception {
        return until(expected, 5_000, step);
    }

    static Object until(Object expected, long patienceMs, Step step) throws Exception {
        long deadline = System.currentTimeMillis() + patienceMs;
        while (true) {
            Object value = outcome(step);
            if (expected.equals(value) || System.currentTimeMillis() > deadline) {
                return value;
            }
            Thread.sleep(10);
        }
    }

    static String name(Throwable error) {
        Throwable cause = error;
        while (cause instanceof ExecutionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getClass().getSimpleName();
    }

    static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i].toString(), pairs[i + 1]);
        }
        return map;
    }
}
