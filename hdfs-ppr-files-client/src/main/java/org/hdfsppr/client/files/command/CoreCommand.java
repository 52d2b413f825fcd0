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
package org.hdfsppr.client.files.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Time;
import org.hdfsppr.client.command.Cluster;
import org.hdfsppr.client.command.CommandEnvironment;
import org.hdfsppr.client.command.ExitCode;
import org.hdfsppr.client.command.ToolCommand;
import org.hdfsppr.client.command.ToolOutput;
import org.hdfsppr.client.files.call.PluginCalls;
import org.hdfsppr.client.files.square.ColumnFinding;
import org.hdfsppr.client.files.square.ColumnVerification;
import org.hdfsppr.client.files.square.SquareFinding;
import org.hdfsppr.client.files.square.SquareTally;
import org.hdfsppr.client.files.text.CoreJson;
import org.hdfsppr.client.files.text.CoreText;
import org.hdfsppr.client.files.text.GroupJobText;
import org.hdfsppr.client.formation.GroupJob;
import org.hdfsppr.client.formation.GroupJobResult;
import org.hdfsppr.client.formation.GroupJobs;
import org.hdfsppr.client.plugin.Routers;
import org.hdfsppr.client.spread.DataNodeMover;
import org.hdfsppr.client.spread.MoveEnd;
import org.hdfsppr.client.spread.SpreadRun;
import org.hdfsppr.client.spread.SpreadTally;
import org.hdfsppr.client.text.Quantities;
import org.hdfsppr.client.verify.Verdict;
import org.hdfsppr.client.verify.VerifySession;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.SubmissionTerms;
import org.hdfsppr.wire.PeerText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code hdfs ppr -core}: protects the files of a directory by CORE groups, shows and checks the
 * groups, and ends the protection.
 */
@InterfaceAudience.Private
@Command(name = "-core",
    description = "Protects the closed erasure-coded files of a directory by CORE: t files of like"
        + " size form a group, with a hidden parity file that DataNodes make in the background. A"
        + " lost block is then repaired from t blocks of other files instead of k of its own. Needs"
        + " WRITE on the directory. See docs/core.md.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:refused or failed; a column whose blocks contradict each other, or"
        + " that could not be checked; a block that was not moved", "2:not understood"},
    footer = {"%nExample: hdfs ppr -core -protect /warm/logs -recursive",
        "         hdfs ppr -core -status",
        "         hdfs ppr -core -check /warm/logs",
        "         hdfs ppr -core -spread /warm/logs",
        "         hdfs ppr -core -unprotect /warm/logs"})
final class CoreCommand extends ToolCommand {
  private static final String ALL = "";

  @Option(names = "-protect", paramLabel = "DIR",
      description = "Protect the files of a directory, those that come later, too.")
  private String wanted;

  @Option(names = "-recursive",
      description = "Protect the files of all directories below it, too.")
  private boolean isRecursive;

  @Option(names = "-t", paramLabel = "N", description = "Form groups of N files, 2 to 15, of files"
      + " under Reed-Solomon policies. A CORE policy says it by itself. 5 if not given.")
  private Integer files;

  @Option(names = "-mapreduce", description = "Find the groups by a MapReduce job on YARN, for many"
      + " millions of files. Needs the jar hdfs-ppr-mapreduce.")
  private boolean isMapReduce;

  @Option(names = "-unprotect", paramLabel = "DIR",
      description = "End the protection of a directory, and delete its parity files.")
  private String unwanted;

  @Option(names = "-status", arity = "0..1", fallbackValue = ALL, paramLabel = "DIR",
      description = "Show a protected directory, or all of them.")
  private String status;

  @Option(names = "-check", description = "Check whether the blocks of each column add up to zero:"
      + " of the groups of these files and directories, or of all protected directories. DataNodes"
      + " add up. Names the file that is wrong, if its own parity shows it. Needs READ on all files"
      + " of a group.")
  private boolean isCheck;

  @Option(names = "-spread", arity = "0..1", fallbackValue = ALL, paramLabel = "DIR",
      description = "Move blocks of a protected directory, or of all of them, to other DataNodes"
          + " where a DataNode has two blocks of a column. For superusers.")
  private String crowded;

  @Parameters(arity = "0..*", paramLabel = "PATH",
      description = "with -check: a file, or a directory with all files below it")
  private List<String> paths = new ArrayList<>();

  private final CommandEnvironment surroundings;

  CoreCommand(CommandEnvironment surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    checkCombination();
    if (isCheck) {
      return check(output);
    }
    String text = Stream.of(wanted, unwanted, status, crowded).filter(one -> one != null)
        .findFirst().orElse(ALL);
    Cluster cluster = ALL.equals(text) ? null : cluster(surroundings.conf(), text);
    Configuration conf = cluster == null ? surroundings.conf() : cluster.conf;
    // Null means all directories.
    String path = cluster == null ? null : cluster.path();
    PluginCalls calls = calls(conf);
    if (crowded != null) {
      return new CoreSpread(conf, surroundings, output).run(calls, path);
    }
    if (status != null) {
      show(calls.call(plugin -> plugin.coreStatus(path)), output);
    } else if (isMapReduce) {
      submit(calls, conf, path, output);
    } else if (wanted != null) {
      OptionalInt number = number();
      CoreDirectory after =
          calls.call(plugin -> plugin.protectDirectory(path, isRecursive, number));
      say(after, after.path + (after.recursive ? " and all below it" : "")
          + " is protected. Groups are formed in the background: hdfs ppr -core -status "
          + after.path, output);
    } else {
      CoreDirectory before = calls.call(plugin -> plugin.unprotectDirectory(path));
      say(before, before.path + " is not protected any more. The parity files of its "
          + before.get(CoreDirectory.Number.GROUPS) + " groups are deleted in the background.",
          output);
    }
    return ExitCode.DONE;
  }

  private OptionalInt number() {
    return files == null ? OptionalInt.empty() : OptionalInt.of(files);
  }

  private void submit(PluginCalls calls, Configuration conf, String path, ToolOutput output)
      throws IOException {
    // The job is loaded first, so that nothing is protected if a jar is missing.
    GroupJob job = GroupJobs.load(CoreCommand.class.getClassLoader());
    SubmissionTerms terms =
        calls.call(plugin -> plugin.beginSubmission(path, isRecursive, number()));
    GroupJobResult result = job.run(conf, terms);
    if (output.isJson) {
      output.object(GroupJobText.json(terms.directory, result));
    } else {
      output.lines(GroupJobText.of(terms.directory, result));
    }
  }

  private void checkCombination() {
    if (Stream.of(wanted, unwanted, status, crowded).filter(one -> one != null).count()
        + (isCheck ? 1 : 0) != 1) {
      throw misuse("use one of -protect DIR, -unprotect DIR, -status [DIR], -check [PATH...] and"
          + " -spread [DIR]");
    }
    if (!isCheck && !paths.isEmpty()) {
      throw misuse("'" + paths.get(0) + "' belongs to no option");
    }
    if (wanted == null && (isRecursive || files != null || isMapReduce)) {
      throw misuse("-recursive, -t and -mapreduce belong to -protect");
    }
    if (files != null && (files < CoreDirectory.FILES_MIN || files > CoreDirectory.FILES_MAX)) {
      throw misuse("-t is " + files + ", and has to be " + CoreDirectory.FILES_MIN + " to "
          + CoreDirectory.FILES_MAX);
    }
  }

  private PluginCalls calls(Configuration conf) throws IOException {
    return PluginCalls.of(conf, surroundings.screen::await, Time::monotonicNow);
  }

  /**
   * Checks the columns of the files that the command names, or of all protected directories that
   * the user may list.
   */
  private ExitCode check(ToolOutput output) throws IOException {
    List<Path> wantedPaths = new ArrayList<>();
    Configuration conf = surroundings.conf();
    if (!paths.isEmpty()) {
      Cluster cluster = cluster(conf, paths);
      conf = cluster.conf;
      Routers.refuseAny(conf, FileSystem.getDefaultUri(conf), "no columns are checked");
      cluster.paths.forEach(path -> wantedPaths.add(new Path(path)));
    } else {
      calls(conf).call(plugin -> plugin.coreStatus(null)).directories
          .forEach(directory -> wantedPaths.add(new Path(directory.path)));
    }
    if (wantedPaths.isEmpty()) {
      throw new IOException("No directory is protected that you may list, so that there is nothing"
          + " to check; 'hdfs ppr -core -status' lists them");
    }
    return new CoreVerification(conf, output).run(wantedPaths);
  }

  private static void say(CoreDirectory directory, String sentence, ToolOutput output) {
    if (output.isJson) {
      output.object(CoreJson.of(directory));
    } else {
      output.sentence(sentence);
    }
  }

  private void show(CoreStatus all, ToolOutput output) {
    if (output.isJson) {
      output.object(CoreJson.of(all));
    } else {
      output.lines(CoreText.of(all, surroundings.clock.instant()));
    }
  }

  /** Moves blocks of a CORE column that are together on one DataNode, and prints what was done. */
  static final class CoreSpread {
    private static final long PROGRESS_MS = TimeUnit.SECONDS.toMillis(10);
    /**
     * The pause between two questions to the NameNode, ms. For each answer the NameNode holds its
     * read lock for some two milliseconds, so with this pause for a few percent of the time.
     */
    private static final long PAUSE_MS = 50;

    private final Configuration conf;
    private final CommandEnvironment surroundings;
    private final ToolOutput output;
    private long saidMs;

    /** @param conf the client's configuration, whose default file system is the cluster */
    CoreSpread(Configuration conf, CommandEnvironment surroundings, ToolOutput output) {
      this.conf = conf;
      this.surroundings = surroundings;
      this.output = output;
    }

    /**
     * Goes through the columns of a directory, and moves the blocks that have to move.
     *
     * @param path the directory; null for all protected directories
     * @throws IOException if the NameNode refuses to plan moves, or does not answer
     */
    ExitCode run(PluginCalls calls, String path) throws IOException {
      saidMs = surroundings.clock.millis();
      SpreadTally tally;
      try (DataNodeMover mover = DataNodeMover.open(conf);
          SpreadRun run = new SpreadRun(
              from -> calls.call(plugin -> plugin.planSpread(path, from)), mover,
              () -> TimeUnit.MILLISECONDS.sleep(PAUSE_MS), this::show)) {
        tally = run.run();
      }
      if (output.isJson) {
        output.object(json(tally));
      } else {
        summary(tally);
      }
      return tally.isDone() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private void show(MoveEnd end, SpreadTally soFar) {
      end.failure().ifPresent(failure -> {
        if (output.isJson) {
          output.object(json(end, PeerText.firstLine(failure)));
        } else {
          output.sentence("CORE group " + end.move.coreGroup + ", block group "
              + end.move.index + ", unit " + end.move.unit + ": NOT MOVED: "
              + end.move + ": " + PeerText.firstLine(failure));
        }
      });
      long nowMs = surroundings.clock.millis();
      if (!output.isJson && nowMs - saidMs >= PROGRESS_MS) {
        saidMs = nowMs;
        output.sentence(Quantities.count(soFar.columns(), "column") + " looked at, "
            + Quantities.count(soFar.moved(), "block") + " moved so far");
      }
    }

    private static Map<String, Object> json(MoveEnd end, String why) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("core_group", end.move.coreGroup);
      one.put("index", end.move.index);
      one.put("unit", end.move.unit);
      one.put("block", end.move.block().getBlockName());
      one.put("from", end.move.from().getXferAddr());
      one.put("to", end.move.to().getXferAddr());
      one.put("failure", why);
      return one;
    }

    private static Map<String, Object> json(SpreadTally tally) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("version", 1);
      all.put("done", tally.isDone());
      all.put("columns", tally.columns());
      all.put("columns_together", tally.together());
      all.put("blocks_moved", tally.moved());
      all.put("bytes_moved", tally.movedBytes());
      all.put("blocks_failed", tally.failed());
      all.put("columns_staying", tally.staying());
      return all;
    }

    private void summary(SpreadTally tally) {
      output.sentence(Quantities.count(tally.columns(), "column") + ": " + tally.together()
          + " with two blocks on one DataNode; " + Quantities.count(tally.moved(), "block")
          + " moved, " + Quantities.size(tally.movedBytes()) + ", " + tally.failed()
          + " could not be moved");
      tally.staying().forEach((reason, columns) ->
          output.sentence("    " + Quantities.count(columns, "column")
              + (columns == 1 ? " stays: " : " stay: ") + CoreText.words(reason)));
    }
  }

  /** Checks the columns of CORE groups, and prints what it finds. */
  static final class CoreVerification {
    /**
     * How many block groups of a CORE group are checked at the same time, with all columns of each.
     * With several, one check goes on while another waits for the last DataNodes of its chains.
     */
    private static final int AT_A_TIME = 4;

    private final Configuration conf;
    private final ToolOutput output;

    CoreVerification(Configuration conf, ToolOutput output) {
      this.conf = conf;
      this.output = output;
    }

    /**
     * Checks the CORE groups to which files belong.
     *
     * @param paths files and directories, at least one
     * @throws IOException if one of them does not exist, or the NameNode does not answer
     */
    ExitCode run(List<Path> paths) throws IOException {
      try (VerifySession session = VerifySession.open(conf, paths.get(0))) {
        SquareTally tally =
            ColumnVerification.check(session, paths, AT_A_TIME, this::show, output::refusal);
        if (output.isJson) {
          output.object(json(tally));
        } else {
          summary(tally);
        }
        return tally.isFine() ? ExitCode.DONE : ExitCode.FAILED;
      }
    }

    private void show(SquareFinding finding) {
      for (ColumnFinding column : finding.columns) {
        if (column.verdict.fine) {
          continue;
        }
        if (output.isJson) {
          output.object(json(finding, column));
          continue;
        }
        output.sentence("CORE group " + finding.coreGroup + ", block group " + finding.index
            + ", unit " + column.unit + ": " + column.verdict.title + ": " + column.text);
        if (!column.next.isEmpty()) {
          output.sentence("    " + column.next);
        }
      }
    }

    private static Map<String, Object> json(SquareFinding finding, ColumnFinding column) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("core_group", finding.coreGroup);
      one.put("index", finding.index);
      one.put("unit", column.unit);
      one.put("files", finding.files);
      one.put("result", column.verdict.word());
      one.put("wrong_file", column.wrongFile().orElse(null));
      one.put("wrong_block", column.wrongPlace().map(place -> place.block).orElse(null));
      one.put("wrong_node", column.wrongPlace().map(place -> place.node).orElse(null));
      one.put("text", column.text);
      one.put("next", column.next);
      return one;
    }

    private static Map<String, Object> json(SquareTally tally) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("version", 1);
      all.put("fine", tally.isFine());
      all.put("columns", tally.columns());
      for (Verdict verdict : Verdict.values()) {
        if (verdict != Verdict.OPEN) {
          all.put(verdict.word(), tally.columns(verdict));
        }
      }
      all.put("block_groups_changed", tally.changedGroups());
      all.put("block_groups_in_no_group", tally.groupsInNone());
      all.put("problems", tally.problems());
      all.put("unit_bytes", tally.unitBytes());
      all.put("client_bytes", tally.clientBytes());
      return all;
    }

    private void summary(SquareTally tally) {
      output.sentence(Quantities.count(tally.columns(), "column") + ": "
          + tally.columns(Verdict.AGREES) + " add up to zero, "
          + tally.columns(Verdict.CONTRADICTION) + " do not, "
          + (tally.columns(Verdict.NOT_CHECKED) + tally.columns(Verdict.UNREADABLE))
          + " could not be checked, " + tally.columns(Verdict.GONE)
          + " belonged to groups that were dissolved meanwhile");
      output.sentence(Quantities.count(tally.groupsInNone(), "block group") + " in no CORE group, "
          + tally.changedGroups() + " in one of which a file has changed; "
          + (tally.unitBytes() >> 20) + " MiB checked, " + (tally.clientBytes() >> 20)
          + " MiB came to this client"
          + (tally.problems() == 0 ? "" : "; " + Quantities.count(tally.problems(), "problem")));
    }
  }
}
