// Runs many of Apache Kafka's command-line classes in one JVM, because starting one for each takes seconds.
//
// Input: one command a line, fields separated by U+001F: class, file for stdin (or empty), arguments...
// Output for each: a line "exit CODE STDOUT_BYTES STDERR_BYTES", then those bytes.

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.utils.Exit;

public class ToolBatch {
    static class Ended extends Error {
        Ended(int code) {
            super("exit " + code, null, false, false);
        }
    }

    static final List<Runnable> hooks = new ArrayList<>();
    static Integer ended;

    // What a tool does after asking to exit would never have happened, so its code is kept and its words dropped.
    static void end(int code) {
        if (ended == null) {
            ended = code;
            System.setOut(new PrintStream(OutputStream.nullOutputStream()));
            System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        }
        throw new Ended(code);
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Exit.setExitProcedure((code, message) -> end(code));
        Exit.setHaltProcedure((code, message) -> end(code));
        Exit.setShutdownHookAdder((name, hook) -> hooks.add(hook));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            answer(answers, line.split("\u001f", -1));
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    static void answer(PrintStream answers, String[] fields) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, "UTF-8"));
        System.setErr(new PrintStream(err, true, "UTF-8"));
        InputStream in = fields[1].isEmpty() ? new ByteArrayInputStream(new byte[0]) : new FileInputStream(fields[1]);
        System.setIn(in);
        int code = run(fields[0], Arrays.copyOfRange(fields, 2, fields.length));
        System.out.flush();
        System.err.flush();
        answers.printf("exit %d %d %d%n", code, out.size(), err.size());
        out.writeTo(answers);
        err.writeTo(answers);
        answers.flush();
    }

    static int run(String name, String[] arguments) {
        hooks.clear();
        ended = null;
        try {
            Class.forName(name).getMethod("main", String[].class).invoke(null, (Object) arguments);
            return ended == null ? 0 : ended;
        } catch (InvocationTargetException raised) {
            raised.getCause().printStackTrace(System.err);
            return ended == null ? 1 : ended;
        } catch (ReflectiveOperationException missing) {
            missing.printStackTrace(System.err);
            return 127;
        } finally {
            hooks.forEach(Runnable::run);
        }
    }
}
