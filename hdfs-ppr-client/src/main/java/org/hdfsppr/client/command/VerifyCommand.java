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
package org.hdfsppr.client.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.client.text.Quantities;
import org.hdfsppr.client.verify.GroupFinding;
import org.hdfsppr.client.verify.Tally;
import org.hdfsppr.client.verify.Verdict;
import org.hdfsppr.client.verify.VerifyOptions;
import org.hdfsppr.client.verify.VerifySession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hdfs ppr -verify}: checks whether the units of block groups agree. */
@InterfaceAudience.Private
@Command(name = "-verify",
    description = "Checks whether data and parity of erasure-coded files agree. DataNodes add up"
        + " sums that have to be zero, so that no link carries more than one unit of a group. If"
        + " units contradict each other, names the wrong one where the code allows that. Changes"
        + " nothing without -doubt.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all units that are there agree",
        "1:a contradiction, or something could not be checked", "2:not understood"},
    footer = {"%nExample: hdfs ppr -verify /warehouse -sample 1000"})
final class VerifyCommand extends ToolCommand {
  /**
   * How many groups are checked at the same time by default. While the tree of one group begins or
   * ends, the trees of the others keep the links busy.
   */
  private static final int AT_A_TIME = 4;
  /**
   * How many groups may be checked at the same time at most. With more, DataNodes would refuse some
   * of them for lack of memory.
   */
  private static final int AT_A_TIME_MOST = 32;
  /**
   * How many groups a sample may have at most. The client remembers all of them while it lists
   * files.
   */
  private static final int SAMPLE_MOST = 1_000_000;
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<Configuration> conf;

  @Spec
  private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "PATH",
      description = "a file, or a directory with all files below it")
  private List<String> paths = new ArrayList<>();

  @Option(names = "-sample", paramLabel = "N",
      description = "Check N block groups, chosen at random from all.")
  private Integer sample;

  @Option(names = "-seed", paramLabel = "SEED",
      description = "Choose the same groups as an earlier run that printed this seed.")
  private Long seed;

  @Option(names = "-all-relations",
      description = "Check every parity by itself, and not only one sum in which all units are;"
          + " each link then carries one unit for each parity.")
  private boolean isAll;

  @Option(names = "-parallel", paramLabel = "N", defaultValue = "" + AT_A_TIME,
      description = "Check N groups at the same time (default: ${DEFAULT-VALUE}).")
  private int parallel;

  @Option(names = "-doubt",
      description = "Let the NameNode doubt each group whose units contradict each other: it checks"
          + " every byte of its repairs, and does not leave them to stock. For superusers.")
  private boolean isDoubting;

  private NameNodes nameNodes;
  private long lastProgress;
  private boolean hasProgress;

  VerifyCommand(Supplier<Configuration> conf) {
    this.conf = conf;
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    String wrong = wrongOption();
    if (wrong != null) {
      output.refusal("hdfs ppr -verify: " + wrong);
      return ExitCode.USAGE;
    }
    Cluster cluster = cluster(conf.get(), paths);
    List<Path> wanted = cluster.paths.stream().map(Path::new).collect(Collectors.toList());
    if (isDoubting) {
      nameNodes = NameNodes.of(cluster.conf);
    }
    VerifyOptions options = new VerifyOptions(sample == null ? 0 : sample,
        seed == null ? new Random().nextInt(Integer.MAX_VALUE) : seed, isAll, parallel);
    boolean isTerminal = !output.isJson && System.console() != null;
    try (VerifySession session = VerifySession.open(cluster.conf, wanted.get(0))) {
      session.verify(wanted, options, finding -> {
        if (isTerminal) {
          showProgress(session.tally);
        }
        if (!finding.verdict.fine || !finding.missing.isEmpty()) {
          show(output, finding);
        }
      }, problem -> {
        synchronized (this) {
          clearProgress();
          output.refusal(problem);
        }
      });
      clearProgress();
      summary(output, session, options);
      return session.tally.isFine() ? ExitCode.DONE : ExitCode.FAILED;
    }
  }

  /** Returns what is wrong with the options, or null. */
  private String wrongOption() {
    if (parallel < 1 || parallel > AT_A_TIME_MOST) {
      return "-parallel must be 1 to " + AT_A_TIME_MOST + ", not " + parallel;
    }
    if (sample != null && (sample < 1 || sample > SAMPLE_MOST)) {
      return "-sample must be 1 to " + SAMPLE_MOST + ", not " + sample;
    }
    return seed != null && sample == null ? "-seed is of use only with -sample" : null;
  }

  /**
   * Asks all NameNodes to doubt a group. The active NameNode does, the others refuse.
   *
   * @return whether a NameNode doubts the group now
   */
  private boolean doubt(ToolOutput output, GroupFinding finding) {
    String group = finding.spot.groupName();
    List<NameNodeAnswer> answers = finding.namesUnit()
        ? nameNodes.command("doubt", group, String.valueOf(finding.suspects.get(0).unit))
        : nameNodes.command("doubt", group);
    List<NameNodeAnswer> done = answers.stream()
        .filter(answer -> answer.code == ExitCode.DONE).collect(Collectors.toList());
    if (done.isEmpty()) {
      answers.forEach(answer -> output.complaint(answer.toString()));
    } else if (!output.isJson) {
      done.forEach(answer -> output.sentence("    " + answer));
    }
    return !done.isEmpty();
  }

  private synchronized void showProgress(Tally tally) {
    long now = System.nanoTime();
    if (!hasProgress || now - lastProgress > PROGRESS_NANOS) {
      lastProgress = now;
      hasProgress = true;
      spec.commandLine().getErr().print("\r" + tally.groups() + " groups, "
          + (tally.unitBytes() >> 20) + " MiB checked");
      spec.commandLine().getErr().flush();
    }
  }

  /** Ends the line that shows the progress, so that other output begins on a new line. */
  private synchronized void clearProgress() {
    if (hasProgress) {
      hasProgress = false;
      spec.commandLine().getErr().println();
      spec.commandLine().getErr().flush();
    }
  }

  private synchronized void show(ToolOutput output, GroupFinding finding) {
    clearProgress();
    boolean isToDoubt = isDoubting && finding.verdict == Verdict.CONTRADICTION;
    if (output.isJson) {
      Map<String, Object> one = json(finding);
      one.put("doubted", isToDoubt ? (Object) doubt(output, finding) : null);
      output.object(one);
      return;
    }
    output.sentence(finding.spot.file + ": block group " + finding.spot.groupName() + ": "
        + word(finding) + (finding.text.isEmpty() ? "" : ": " + finding.text));
    if (!finding.next.isEmpty()) {
      output.sentence("    " + finding.next);
    }
    if (isToDoubt) {
      doubt(output, finding);
    }
  }

  private static String word(GroupFinding finding) {
    boolean isOnlyNotWhole = finding.verdict.fine && !finding.missing.isEmpty();
    return isOnlyNotWhole ? "not whole" : finding.verdict.title;
  }

  private static Map<String, Object> json(GroupFinding finding) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("file", finding.spot.file);
    one.put("group", finding.spot.groupName());
    one.put("start", finding.spot.start);
    one.put("result", finding.verdict.word());
    one.put("wrong_unit", finding.namesUnit() ? finding.suspects.get(0).unit : null);
    List<Object> suspects = new ArrayList<>();
    for (GroupFinding.UnitPlace place : finding.suspects) {
      Map<String, Object> suspect = new LinkedHashMap<>();
      suspect.put("unit", place.unit);
      suspect.put("block", place.block);
      suspect.put("node", place.node);
      suspects.add(suspect);
    }
    one.put("suspects", suspects);
    one.put("missing_units", finding.missing);
    one.put("text", finding.text);
    one.put("next", finding.next);
    return one;
  }

  private void summary(ToolOutput output, VerifySession session, VerifyOptions options) {
    Tally tally = session.tally;
    if (output.isJson) {
      output.object(json(session, options));
      return;
    }
    if (options.sample > 0) {
      output.sentence("A sample of " + options.sample + " of "
          + Quantities.count(session.groupsSeen(), "block group") + "; -seed "
          + options.seed + " chooses it again");
    }
    output.sentence(Quantities.count(tally.groups(), "block group") + ": "
        + verb(tally.groups(Verdict.AGREES), "agrees", "agree") + ", "
        + verb(tally.groups(Verdict.CONTRADICTION), "contradicts itself", "contradict themselves")
        + ", " + verb(tally.groups(Verdict.UNREADABLE), "has", "have") + " unreadable units, "
        + tally.groups(Verdict.NOT_CHECKED) + " could not be checked, "
        + verb(tally.groups(Verdict.OPEN), "is", "are") + " being written, "
        + verb(tally.groups(Verdict.GONE), "was", "were") + " deleted meanwhile; "
        + verb(tally.notWhole(), "is", "are") + " not whole");
    long others = session.replicatedFiles();
    output.sentence((tally.unitBytes() >> 20) + " MiB of units checked, "
        + (tally.clientBytes() >> 20) + " MiB came to this client; "
        + Quantities.count(others, "file") + (others == 1 ? " is" : " are") + " not erasure-coded"
        + (tally.problems() == 0 ? "" : "; "
            + verb(tally.problems(), "directory", "directories") + " could not be listed"));
  }

  /** Returns a number and the word that agrees with it. */
  private static String verb(long number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }

  private static Map<String, Object> json(VerifySession session, VerifyOptions options) {
    Tally tally = session.tally;
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("version", 1);
    all.put("fine", tally.isFine());
    all.put("groups", tally.groups());
    for (Verdict verdict : Verdict.values()) {
      all.put(verdict.word(), tally.groups(verdict));
    }
    all.put("not_whole", tally.notWhole());
    all.put("groups_found", session.groupsSeen());
    all.put("sample", options.sample == 0 ? null : options.sample);
    all.put("seed", options.sample == 0 ? null : options.seed);
    all.put("replicated_files", session.replicatedFiles());
    all.put("directories_not_listed", tally.problems());
    all.put("unit_bytes", tally.unitBytes());
    all.put("client_bytes", tally.clientBytes());
    return all;
  }
}
