import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.common.errors.InvalidMetadataException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.Readable;

/**
 * Reads lines "message version hex" and answers each with the same message, read by Apache Kafka and written again by
 * it, or with "refused" and the reason; for the hex "default" it writes a fresh instance. With the argument "errors" it
 * prints the error table instead.
 */
public class MessagesOracle {
    private static final List<String> PLACES = List.of(
        "org.apache.kafka.common.message.%sData",
        "org.apache.kafka.common.message.%s",
        "org.apache.kafka.common.metadata.%s",
        "org.apache.kafka.coordinator.group.generated.%s",
        "org.apache.kafka.coordinator.transaction.generated.%s",
        "org.apache.kafka.coordinator.share.generated.%s",
        "org.apache.kafka.raft.generated.%s",
        "org.apache.kafka.server.log.remote.metadata.storage.generated.%s");

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        if (args.length > 0 && args[0].equals("errors")) {
            printErrors(out);
        } else {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", -1);
                out.println(answer(words[0], Short.parseShort(words[1]), words[2]));
            }
        }
        out.flush();
    }

    private static String answer(String name, short version, String hex) throws Exception {
        if (hex.equals("default")) {
            return write((Message) find(name).getConstructor().newInstance(), version);
        }
        try {
            ByteBuffer buffer = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
            Message message = (Message) find(name)
                .getConstructor(Readable.class, short.class)
                .newInstance(new ByteBufferAccessor(buffer), version);
            if (buffer.hasRemaining()) {
                return "refused " + buffer.remaining() + " bytes are left over";
            }
            return write(message, version);
        } catch (java.lang.reflect.InvocationTargetException e) {
            return "refused " + e.getCause();
        }
    }

    private static String write(Message message, short version) {
        ByteBuffer buffer = MessageUtil.toByteBufferAccessor(message, version).buffer();
        byte[] written = new byte[buffer.remaining()];
        buffer.get(written);
        return HexFormat.of().formatHex(written);
    }

    private static Class<?> find(String name) throws ClassNotFoundException {
        for (String place : PLACES) {
            try {
                return Class.forName(String.format(place, name));
            } catch (ClassNotFoundException e) {
                continue;
            }
        }
        throw new ClassNotFoundException(name);
    }

    private static void printErrors(PrintStream out) {
        for (Errors error : Errors.values()) {
            Exception thrown = error.exception();
            out.printf("%d %s %b %b%n", error.code(), error.name(),
                thrown instanceof RetriableException, thrown instanceof InvalidMetadataException);
        }
    }
}
