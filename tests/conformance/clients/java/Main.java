import java.util.List;

/** ADDRESS PREFIX GROUPS...: runs the named groups of steps in order. */
public final class Main {
    interface Group {
        void run(Steps steps) throws Exception;
    }

    private static Group group(String name) {
        return switch (name) {
            case "admin" -> AdminSteps::run;
            case "configs" -> ConfigSteps::run;
            case "produce" -> ProduceSteps::run;
            case "consume" -> ConsumeSteps::run;
            case "clicks" -> ClickSteps::run;
            case "groups" -> GroupSteps::run;
            case "transactions" -> TransactionSteps::run;
            default -> throw new IllegalArgumentException("no group of steps is called " + name);
        };
    }

    public static void main(String[] args) throws Exception {
        Steps steps = new Steps(args[0], args[1]);
        for (String name : List.of(args).subList(2, args.length)) {
            steps.group = name;
            group(name).run(steps);
        }
        System.exit(0);
    }
}
