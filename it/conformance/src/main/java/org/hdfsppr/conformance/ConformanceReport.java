/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hdfsppr.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Judges a run of Hadoop's tests. This class checks that the tests passed and that the extension
 * did the repairs. The tests' results alone are no proof, because all tests also pass if the plugin
 * does not start, or if it leaves every repair to the stock worker. So this class also reads the
 * log. The log contains two kinds of evidence, which must agree: the lines that the plugin logs,
 * and the lines that a DataNode logs when it receives a block that another DataNode writes with
 * Hadoop's own protocol.
 */
@InterfaceAudience.Private
public final class ConformanceReport {
  /** The name of the configuration in which no part of the extension may run. */
  static final String STOCK = "stock";
  /** The name of the configuration with the plugins of DataNodes and NameNodes. */
  static final String FULL = "full";

  /** The name of the configuration with the extension's client. */
  static final String CLIENT = "client";

  /**
   * One task of the stock worker writes at most this many blocks, because Hadoop's policies have at
   * most four parity units.
   */
  private static final int BLOCKS_PER_FALLBACK_MAX = 4;

  /**
   * The report shows at most this many characters of a failure's message, because messages of
   * timeouts contain thread dumps.
   */
  private static final int MESSAGE_MAX = 500;

  private static final String ROW = "%-46s %5s %8s %6s %7s %8s %8s %8s %9s %11s%n";

  private final String conf;
  private final List<String> requested;
  private final Map<String, SuiteResult> suites;
  private final RunLog log;
  private final Expectations expectations;
  private final List<String> problems = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * @param conf the name of the configuration that ran
   * @param requested the test classes that should have run, as fully qualified or simple names
   * @param suites the results that surefire has reported
   * @param log the run's log
   * @param expectations the differences from stock that this configuration may have
   */
  ConformanceReport(String conf, List<String> requested, Map<String, SuiteResult> suites,
      RunLog log, Expectations expectations) {
    this.conf = conf;
    this.requested = requested;
    this.suites = suites;
    this.log = log;
    this.expectations = expectations;
    judge();
  }

  private void judge() {
    if (requested.isEmpty()) {
      problems.add("No test was asked for.");
    }
    for (String name : requested) {
      if (suites.keySet().stream().noneMatch(s -> s.equals(name) || s.endsWith("." + name))) {
        problems.add(name + " has no report: it was not found, or its JVM died.");
      }
    }
    log.unfinished().forEach(t -> problems.add(t + " never ended, see the end of its log."));
    for (SuiteResult suite : suites.values()) {
      judgeOutcome(suite);
      if (conf.equals(STOCK)) {
        judgeStock(suite.className());
      } else {
        judgePlugin(suite.className());
      }
    }
  }

  private void judgeOutcome(SuiteResult suite) {
    if (suite.tests() == suite.skipped().size()) {
      problems.add(suite.className() + " ran no test.");
    }
    List<SuiteResult.Failure> bad = new ArrayList<>(suite.failed());
    bad.addAll(suite.inError());
    for (SuiteResult.Failure failure : bad) {
      String test = suite.className() + "#" + failure.method();
      String reason = expectations.failures().get(test);
      String race = expectations.race(test, failure.message());
      if (reason != null) {
        notes.add(test + " failed as expected: " + reason);
      } else if (race != null) {
        notes.add(test + " lost a race of its own (" + shown(failure) + "): " + race);
      } else {
        problems.add(test + " failed: " + shown(failure));
      }
    }
    for (String method : suite.passed()) {
      String test = suite.className() + "#" + method;
      if (expectations.failures().containsKey(test)) {
        notes.add(test + " passed although expected.txt lists it.");
      }
    }
  }

  private static String shown(SuiteResult.Failure failure) {
    String message = failure.message();
    if (message.isEmpty()) {
      return "it does not say why.";
    }
    return message.length() <= MESSAGE_MAX ? message
        : message.substring(0, MESSAGE_MAX) + "...";
  }

  private void judgeStock(String name) {
    if (log.count(name, Sign.PLUGIN_STARTED) + log.count(name, Sign.REPAIR)
        + log.count(name, Sign.CLIENT_OPENED) > 0) {
      problems.add(name + ": the extension ran in the stock configuration.");
    }
    if (log.count(name, Sign.EC_COMMAND) > 0) {
      // The patterns must match lines of the stock run. If they do not, a lack of matches in other
      // configurations proves nothing.
      if (stockWrites(name) == 0) {
        problems.add(name + ": the stock worker's writes are not recognised in the log.");
      }
      if (log.count(name, Sign.DATANODE_STARTS) == 0
          || log.count(name, Sign.NAMENODE_STARTS) == 0) {
        problems.add(name + ": the starts of nodes are not recognised in the log.");
      }
    }
  }

  private void judgePlugin(String name) {
    int repairs = log.count(name, Sign.REPAIR);
    int orders = log.count(name, Sign.EC_COMMAND) + log.count(name, Sign.MANAGER_ORDER);
    int fallbacks = log.count(name, Sign.FALLBACK);
    int stockWrites = stockWrites(name);
    if (conf.equals(FULL)) {
      judgeManager(name);
    }
    if (conf.equals(CLIENT) && !runsNoCluster(name)
        && log.count(name, Sign.CLIENT_OPENED) == 0) {
      problems.add(name + ": our client was not used.");
    }
    if (runsNoCluster(name)) {
      notes.add(name + ": ran without a cluster, and so without the extension.");
    } else if (log.count(name, Sign.PLUGIN_STARTED) == 0) {
      problems.add(name + ": no DataNode started the plugin.");
    }
    if (log.count(name, Sign.PLUGIN_REFUSED) > 0) {
      problems.add(name + ": the plugin failed to start on some DataNodes.");
    }
    if (orders > 0 && repairs == 0) {
      problems.add(name + ": DataNodes got commands to repair, and the plugin repaired nothing.");
    }
    if (fallbacks > expectations.fallbacks(name)) {
      problems.add(String.format("%s: %d repairs fell back to the stock worker, %d are stated.",
          name, fallbacks, expectations.fallbacks(name)));
    }
    if (stockWrites > fallbacks * BLOCKS_PER_FALLBACK_MAX) {
      problems.add(String.format("%s: the stock worker wrote %d blocks, and the plugin admits to"
          + " %d fallbacks.", name, stockWrites, fallbacks));
    }
    log.methods().forEach((test, seen) -> {
      boolean ordered =
          seen.containsKey(Sign.EC_COMMAND) || seen.containsKey(Sign.MANAGER_ORDER);
      if (test.startsWith(name + "#") && ordered && !seen.containsKey(Sign.REPAIR)) {
        notes.add(test + ": a repair was ordered, the plugin finished none.");
      }
    });
  }

  /**
   * Checks that the repair manager has started, that DataNodes have registered with it, and that it
   * has ordered repairs. Otherwise stock would order all repairs, and the tests would still pass.
   */
  private void judgeManager(String name) {
    if (log.count(name, Sign.MANAGER_REFUSED) > 0) {
      problems.add(name + ": the plugin failed to start on some NameNodes.");
    }
    if (runsNoCluster(name)) {
      return;
    }
    if (log.count(name, Sign.MANAGER_STARTED) == 0) {
      problems.add(name + ": no NameNode started the plugin.");
    } else if (log.count(name, Sign.MANAGER_OPEN) == 0) {
      problems.add(name + ": no DataNode registered with the repair manager.");
    } else if (log.count(name, Sign.EC_COMMAND) > 0
        && log.count(name, Sign.MANAGER_ORDER) == 0) {
      problems.add(name + ": stock ordered repairs, and the repair manager none.");
    }
  }

  /**
   * Returns true if the log shows no cluster for a test class, because the class has only unit
   * tests.
   */
  private boolean runsNoCluster(String name) {
    return log.count(name, Sign.DATANODE_STARTS) + log.count(name, Sign.NAMENODE_STARTS)
        + log.count(name, Sign.PLUGIN_STARTED) + log.count(name, Sign.EC_COMMAND) == 0;
  }

  /**
   * Returns how many internal blocks the stock worker wrote. Copies of existing blocks, and blocks
   * that the plugin sent, cause the same log line at the receiver and are subtracted.
   */
  private int stockWrites(String name) {
    return Math.max(0, log.count(name, Sign.STOCK_RECEIVED)
        - log.count(name, Sign.STOCK_COPIED) - log.count(name, Sign.PUSHED)
        - log.count(name, Sign.PUSH_GIVEN_UP));
  }

  List<String> problems() {
    return problems;
  }

  List<String> notes() {
    return notes;
  }

  void print(PrintStream out, String hadoopVersion) {
    out.printf("Hadoop %s, configuration %s%n%n", hadoopVersion, conf);
    out.printf(ROW, "test class", "tests", "failures", "errors", "skipped", "seconds", "ordered",
        "repairs", "fallbacks", "stock writes");
    for (SuiteResult suite : suites.values()) {
      String name = suite.className();
      out.printf(ROW, name.substring(name.lastIndexOf('.') + 1), suite.tests(),
          suite.failed().size(), suite.inError().size(), suite.skipped().size(),
          String.format(Locale.ROOT, "%.1f", suite.seconds()),
          log.count(name, Sign.MANAGER_ORDER), log.count(name, Sign.REPAIR),
          log.count(name, Sign.FALLBACK), stockWrites(name));
    }
    out.println();
    notes.forEach(n -> out.println("NOTE     " + n));
    problems.forEach(p -> out.println("PROBLEM  " + p));
    out.println(problems.isEmpty() ? "CONFORMS" : "DOES NOT CONFORM");
  }

  /**
   * Returns the names of the classes that should run. They come from {@code tests}, a list in
   * surefire's format, or from the tests file if {@code tests} is blank.
   */
  static List<String> requested(List<String> testsFile, String tests) {
    List<String> names = new ArrayList<>();
    if (tests.trim().isEmpty()) {
      testsFile.forEach(names::add);
    } else {
      names.addAll(List.of(tests.split(",")));
    }
    return names.stream()
        .map(n -> n.replaceFirst("#.*", "").trim())
        .filter(n -> !n.isEmpty())
        .distinct()
        .collect(Collectors.toList());
  }

  /**
   * Prints the report to standard output and to {@code report.txt}. The exit code is 1 if there is
   * a problem.
   *
   * @param args pairs of an option and its value: --conf, --hadoop, --dir (of the run),
   *     --tests-file, --tests, --expected
   * @throws IOException if a report or a log cannot be read
   */
  public static void main(String[] args) throws IOException {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i + 1 < args.length; i += 2) {
      options.put(args[i], args[i + 1]);
    }
    String conf = options.get("--conf");
    Path dir = Paths.get(options.get("--dir"));
    Path runLog = dir.resolve("run.log");
    RunLog log;
    try (BufferedReader in = Files.exists(runLog)
        ? Files.newBufferedReader(runLog) : new BufferedReader(new StringReader(""))) {
      log = RunLog.read(in, Sign.patterns());
    }
    ConformanceReport report = new ConformanceReport(conf,
        requested(Files.readAllLines(Paths.get(options.get("--tests-file"))),
            options.get("--tests")),
        SuiteResult.readAll(dir.resolve("reports")), log,
        Expectations.parse(Files.readAllLines(Paths.get(options.get("--expected"))), conf));
    Path text = dir.resolve("report.txt");
    Files.createDirectories(dir);
    try (PrintStream out = new PrintStream(text.toFile(), StandardCharsets.UTF_8.name())) {
      report.print(out, options.get("--hadoop"));
    }
    report.print(System.out, options.get("--hadoop"));
    if (!report.problems().isEmpty()) {
      System.exit(1);
    }
  }
}
