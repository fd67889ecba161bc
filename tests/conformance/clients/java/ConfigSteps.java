import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;

/** Settings of topics and brokers through the admin client. */
final class ConfigSteps {
    static void run(Steps s) throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, s.topic("configs"));
        s.admin.createTopics(List.of(new NewTopic(topic.name(), 1, (short) 1).configs(Map.of("segment.bytes", "2097152")))).all().get();
        Steps.until(1, () -> AdminSteps.count(s, topic.name()));
        topicSettings(s, topic);
        operations(s, topic);
        refusals(s, topic);
        brokerSettings(s);
    }

    private static void topicSettings(Steps s, ConfigResource topic) throws Exception {
        s.step("describe topic configs", () -> {
            Map<String, Object> all = new TreeMap<>();
            var options = new DescribeConfigsOptions().includeSynonyms(true).includeDocumentation(true);
            for (ConfigEntry e : s.admin.describeConfigs(List.of(topic), options).all().get().get(topic).entries()) {
                all.put(e.name(), List.of(String.valueOf(e.value()), e.source(), e.type(), e.isReadOnly(), e.isSensitive(),
                    e.documentation() != null && !e.documentation().isEmpty(), e.synonyms().stream().map(x -> x.name() + "=" + x.value() + " " + x.source()).toList()));
            }
            return all;
        });
        s.step("describe unknown topic", () -> {
            var unknown = new ConfigResource(ConfigResource.Type.TOPIC, s.topic("nowhere"));
            return Steps.outcome(() -> s.admin.describeConfigs(List.of(unknown)).all().get());
        });
    }

    private static void operations(Steps s, ConfigResource topic) throws Exception {
        s.step("set", () -> alter(s, topic, "retention.ms", "1234567", OpType.SET, "1234567"));
        s.step("append", () -> alter(s, topic, "cleanup.policy", "compact", OpType.APPEND, "delete,compact"));
        s.step("append again", () -> alter(s, topic, "cleanup.policy", "compact", OpType.APPEND, "delete,compact"));
        s.step("subtract", () -> alter(s, topic, "cleanup.policy", "delete", OpType.SUBTRACT, "compact"));
        s.step("subtract absent", () -> alter(s, topic, "cleanup.policy", "delete", OpType.SUBTRACT, "compact"));
        s.step("delete", () -> alter(s, topic, "cleanup.policy", null, OpType.DELETE, "delete"));
        s.step("delete absent", () -> alter(s, topic, "flush.ms", null, OpType.DELETE, "9223372036854775807"));
        s.step("validate only", () -> {
            var op = new AlterConfigOp(new ConfigEntry("retention.ms", "77"), OpType.SET);
            s.admin.incrementalAlterConfigs(Map.of(topic, List.of(op)), new AlterConfigsOptions().validateOnly(true)).all().get();
            return value(s, topic, "retention.ms");
        });
    }

    private static void refusals(Steps s, ConfigResource topic) throws Exception {
        s.step("set bad value", () -> Steps.outcome(() -> alter(s, topic, "retention.ms", "soon", OpType.SET, "refused")));
        s.step("set out of bounds", () -> Steps.outcome(() -> alter(s, topic, "segment.bytes", "1", OpType.SET, "refused")));
        s.step("set unknown", () -> Steps.outcome(() -> alter(s, topic, "no.such.config", "1", OpType.SET, "refused")));
        s.step("append to a number", () -> Steps.outcome(() -> alter(s, topic, "retention.ms", "1", OpType.APPEND, "refused")));
        s.step("set on unknown topic", () -> {
            var unknown = new ConfigResource(ConfigResource.Type.TOPIC, s.topic("nowhere"));
            return Steps.outcome(() -> alter(s, unknown, "retention.ms", "1", OpType.SET, "refused"));
        });
    }

    private static void brokerSettings(Steps s) throws Exception {
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
        ConfigResource all = new ConfigResource(ConfigResource.Type.BROKER, "");
        s.step("broker: set for one", () -> alter(s, broker, "log.cleaner.threads", "2", OpType.SET, "2"));
        s.step("broker: set for all", () -> alter(s, all, "log.segment.delete.delay.ms", "59999", OpType.SET, "59999"));
        s.step("broker: topic sees it", () -> {
            var topic = new ConfigResource(ConfigResource.Type.TOPIC, s.topic("configs"));
            return Steps.until(List.of("59999", ConfigEntry.ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG), () -> value(s, topic, "file.delete.delay.ms"));
        });
        s.step("broker: undo one", () -> alter(s, broker, "log.cleaner.threads", null, OpType.DELETE, "1"));
        s.step("broker: undo all", () -> alter(s, all, "log.segment.delete.delay.ms", null, OpType.DELETE, "absent"));
        s.step("broker: read-only", () -> Steps.outcome(() -> alter(s, broker, "node.id", "5", OpType.SET, "refused")));
        s.step("broker: unknown id", () -> {
            var unknown = new ConfigResource(ConfigResource.Type.BROKER, "99");
            return Steps.outcome(() -> s.admin.describeConfigs(List.of(unknown)).all().get(3, java.util.concurrent.TimeUnit.SECONDS).size());
        });
    }

    private static Object alter(Steps s, ConfigResource resource, String name, String value, OpType type, String expected)
        throws Exception {
        s.admin.incrementalAlterConfigs(Map.of(resource, List.of(new AlterConfigOp(new ConfigEntry(name, value), type)))).all().get();
        Steps.until(expected, () -> {
            Object seen = value(s, resource, name);
            return seen instanceof List<?> list ? list.get(0) : seen;
        });
        return value(s, resource, name);
    }

    private static Object value(Steps s, ConfigResource resource, String name) throws Exception {
        ConfigEntry entry = s.admin.describeConfigs(List.of(resource)).all().get().get(resource).get(name);
        return entry == null ? "absent" : List.of(String.valueOf(entry.value()), entry.source());
    }
}
