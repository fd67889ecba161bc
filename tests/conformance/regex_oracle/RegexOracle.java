// Answers for the engine that Apache's coordinator gives regular expressions to.
//
// Input: one question a line, fields separated by U+001F: the expression, then names.
// Output for each: "refused", or a 1 for each name that it matches as a whole and a 0 for each other.

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

public class RegexOracle {
    public static void main(String[] arguments) throws Exception {
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        StringBuilder answers = new StringBuilder();
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
            answers.append(answer(line.split("\u001f", -1))).append('\n');
        }
        System.out.print(answers);
    }

    static String answer(String[] fields) {
        Pattern pattern;
        try {
            pattern = Pattern.compile(fields[0]);
        } catch (PatternSyntaxException e) {
            return "refused";
        }
        StringBuilder found = new StringBuilder();
        for (int i = 1; i < fields.length; i++) {
            found.append(pattern.matcher(fields[i]).matches() ? '1' : '0');
        }
        return found.toString();
    }
}
