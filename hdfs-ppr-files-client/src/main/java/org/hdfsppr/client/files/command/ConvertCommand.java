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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Time;
import org.hdfsppr.client.command.Cluster;
import org.hdfsppr.client.command.CommandEnvironment;
import org.hdfsppr.client.command.ExitCode;
import org.hdfsppr.client.command.TimeWords;
import org.hdfsppr.client.command.ToolCommand;
import org.hdfsppr.client.command.ToolOutput;
import org.hdfsppr.client.files.call.PluginCalls;
import org.hdfsppr.client.files.text.ConversionText;
import org.hdfsppr.operate.ConversionAction;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.ConversionDocument;
import org.hdfsppr.operate.ConversionOptions;
import org.hdfsppr.operate.ConversionRequest;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hdfs ppr -convert}: gives files another code without rewriting them. */
@InterfaceAudience.Private
@Command(name = "-convert",
    description = "Gives closed erasure-coded files another policy with the same number of data"
        + " units and the same cell size, in place: DataNodes link the data units and make the"
        + " parity units that differ. The NameNode does the job, which goes on without this"
        + " command. A directory stands for all files below it, and gets the policy for new files."
        + " Needs WRITE on files and directories.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:submitted or done; with -wait, all erasure-coded files have the policy",
        "1:refused or failed; with -wait, a file does not have the policy", "2:not understood"},
    footer = {"%nExample: hdfs ppr -convert -policy HITCHHIKER-XORPLUS-10-4-1024k -dry-run /warm",
        "         hdfs ppr -convert -policy HITCHHIKER-XORPLUS-10-4-1024k -wait /warm/logs",
        "         hdfs ppr -convert -status"})
final class ConvertCommand extends ToolCommand {
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final int ID_RADIX = 36;
  /** The number of random endings of job names; they make jobs of the same second differ. */
  private static final long ID_RANDOMS = 36L * 36 * 36 * 36 * 36 * 36;
  private static final String ALL = "";

  @Option(names = "-policy", paramLabel = "POLICY", description = "The policy that the files get.")
  private String policy;

  @Option(names = "-dry-run", description = "Change nothing: wait, and say what would be done, what"
      + " is refused and why, and what it would cost.")
  private boolean isDryRun;

  @Option(names = "-idle", paramLabel = "DURATION", converter = TimeWords.IdleOrGrace.class,
      description = "Refuse files that were read or written within this time, such as 24h.")
  private Long idleMs;

  @Option(names = "-grace", paramLabel = "DURATION", converter = TimeWords.IdleOrGrace.class,
      description = "Keep the old version of a file for this time, such as 24h.")
  private Long graceMs;

  @Option(names = "-force", description = "Convert files although they may be in use. Streams that"
      + " are open can then read wrong bytes, see docs/convert.md.")
  private boolean isForced;

  @Option(names = "-sample-check", description = "Check samples of a new version, as repairs do,"
      + " not every byte. The old parity units are deleted after the grace.")
  private boolean isSampleCheck;

  @Option(names = "-full-check", description = "Check every byte of a new version, which is the"
      + " default.")
  private boolean isFullCheck;

  @Option(names = "-files-only", description = "Leave the policies of directories as they are.")
  private boolean isFilesOnly;

  @Option(names = "-concurrency", paramLabel = "N",
      description = "Work on N files at the same time.")
  private Integer concurrency;

  @Option(names = "-bandwidth", paramLabel = "N", converter = TimeWords.ByteRate.class,
      description = "Move at most N bytes per second for the whole job, such as 50m.")
  private Long bytesPerSecond;

  @Option(names = "-id", paramLabel = "ID", description = "The name of the job. A command that is"
      + " repeated with the same name begins no second job.")
  private String id;

  @Option(names = "-wait", description = "Wait until the job ends, and show how far it is. It goes"
      + " on if this command is ended.")
  private boolean isWaiting;

  @Option(names = "-status", arity = "0..1", fallbackValue = ALL, paramLabel = "ID",
      description = "Show a job, or all jobs.")
  private String status;

  @Option(names = "-pause", paramLabel = "ID",
      description = "Begin no more files of a job; those under way are finished.")
  private String paused;

  @Option(names = "-resume", paramLabel = "ID", description = "Go on with a paused job.")
  private String resumed;

  @Option(names = "-cancel", paramLabel = "ID",
      description = "End a job. Files that it has converted stay converted.")
  private String cancelled;

  @Parameters(arity = "0..*", paramLabel = "PATH",
      description = "a file, or a directory with all files below it")
  private List<String> paths = new ArrayList<>();

  private final CommandEnvironment surroundings;

  ConvertCommand(CommandEnvironment surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    checkCombination();
    Cluster cluster = paths.isEmpty() ? null : cluster(surroundings.conf(), paths);
    PluginCalls calls = PluginCalls.of(cluster == null ? surroundings.conf() : cluster.conf,
        surroundings.screen::await, Time::monotonicNow);
    JobWatch watch = new JobWatch(calls, surroundings, output);
    if (status != null) {
      return status.isEmpty() ? list(calls, output) : show(calls, watch, checked(status), output);
    }
    for (ConversionAction action : ConversionAction.values()) {
      String job = jobOf(action);
      if (job != null) {
        String name = checked(job);
        return print(calls.call(plugin -> plugin.steerConversion(name, action)), output);
      }
    }
    return submit(calls, watch, cluster.paths, output);
  }

  private String jobOf(ConversionAction action) {
    return action == ConversionAction.PAUSE ? paused
        : action == ConversionAction.RESUME ? resumed : cancelled;
  }

  private void checkCombination() {
    long asked = Stream.of(status, paused, resumed, cancelled).filter(one -> one != null).count();
    if (asked > 1) {
      throw misuse("use one of -status, -pause, -resume and -cancel");
    }
    if (asked == 1 && (policy != null || !paths.isEmpty() || isDryRun || id != null)) {
      throw misuse("-status, -pause, -resume and -cancel take the id of a job, and no policy or"
          + " PATH");
    }
    if (isWaiting && asked == 1 && (status == null || status.isEmpty())) {
      throw misuse("-wait needs a job: -status ID -wait");
    }
    if (asked == 0 && policy == null) {
      throw misuse("-policy is missing; 'hdfs ec -listPolicies' lists the policies");
    }
    if (asked == 0 && paths.isEmpty()) {
      throw misuse("say which files: PATH is missing");
    }
    if (concurrency != null
        && (concurrency < 1 || concurrency > ConversionOptions.CONCURRENCY_MAX)) {
      throw misuse("-concurrency is " + concurrency + ", and has to be 1 to "
          + ConversionOptions.CONCURRENCY_MAX);
    }
  }

  private String checked(String job) {
    try {
      return ConversionRequest.checkedId(job);
    } catch (IllegalArgumentException e) {
      throw misuse("'" + job + "' is no job: " + e.getMessage());
    }
  }

  private ExitCode list(PluginCalls calls, ToolOutput output) throws IOException {
    List<ConversionStatus> jobs = calls.call(plugin -> plugin.conversions(null));
    if (output.isJson) {
      jobs.forEach(job -> output.object(ConversionDocument.of(job)));
    } else {
      output.lines(ConversionText.list(jobs));
    }
    return ExitCode.DONE;
  }

  private ExitCode show(PluginCalls calls, JobWatch watch, String job, ToolOutput output)
      throws IOException {
    return isWaiting ? watch.untilEnd(job)
        : print(calls.call(plugin -> plugin.conversions(job)).get(0), output);
  }

  private ExitCode print(ConversionStatus job, ToolOutput output) {
    if (output.isJson) {
      output.object(ConversionDocument.of(job));
    } else {
      output.lines(ConversionText.of(job, surroundings.clock.instant()));
    }
    return ExitCode.DONE;
  }

  private ExitCode submit(PluginCalls calls, JobWatch watch, List<String> absolute,
      ToolOutput output) throws IOException {
    ConversionRequest request;
    try {
      request = new ConversionRequest(id == null ? newId() : checked(id), options(),
          absolute);
    } catch (IllegalArgumentException e) {
      throw misuse(e.getMessage());
    }
    ConversionStatus job = calls.call(plugin -> plugin.submitConversion(request));
    if (isWaiting || isDryRun) {
      if (!output.isJson) {
        output.complaint("Job " + job.id + " is submitted. It goes on if this command is ended:"
            + " hdfs ppr -convert -status " + job.id + " -wait");
      }
      return watch.untilEnd(job.id);
    }
    if (output.isJson) {
      output.object(ConversionDocument.of(job));
    } else {
      output.sentence("Job " + job.id + " is submitted and " + job.state.word()
          + ". See how far it is: hdfs ppr -convert -status " + job.id);
    }
    return ExitCode.DONE;
  }

  private ConversionOptions options() {
    return ConversionOptions.of(policy).with(options -> {
      options.setDryRun(isDryRun).setFilesOnly(isFilesOnly).setForce(isForced)
          .setFullCheck(!isSampleCheck);
      if (idleMs != null) {
        options.setIdleMs(idleMs);
      }
      if (graceMs != null) {
        options.setGraceMs(graceMs);
      }
      if (concurrency != null) {
        options.setConcurrency(concurrency);
      }
      if (bytesPerSecond != null) {
        options.setBytesPerS(bytesPerSecond);
      }
    });
  }

  private String newId() {
    return "convert-" + SECOND.format(surroundings.clock.instant()) + "-" + Long.toString(
        ThreadLocalRandom.current().nextLong(ID_RANDOMS), ID_RADIX);
  }

  /**
   * Waits for the end of a conversion job, and shows how far it is. On a terminal, it rewrites one
   * line. As JSON, it prints a line every two seconds, and otherwise a line every half a minute.
   */
  static final class JobWatch {
    private static final long EVERY_S = 2;
    private static final int POLLS_PER_LINE = 15;
    /**
     * After how many failures in a row to ask the NameNode the command gives up. Each takes as long
     * as a failover may.
     */
    private static final int FAILURES_MAX = 10;
    /** Moves to the beginning of the line, and clears it. */
    private static final String REWRITE = "\r\033[K";
    /**
     * The reason with which the NameNode refuses replicated files. They have no code, so they do
     * not count as left over.
     */
    private static final String NOT_CODED = "replicated";

    private final PluginCalls calls;
    private final CommandEnvironment surroundings;
    private final ToolOutput output;

    JobWatch(PluginCalls calls, CommandEnvironment surroundings, ToolOutput output) {
      this.calls = calls;
      this.surroundings = surroundings;
      this.output = output;
    }

    /**
     * Waits for the end of the job, and prints its result. Returns DONE if all files have the
     * policy.
     */
    ExitCode untilEnd(String id) throws IOException {
      boolean isTerminal = surroundings.screen.isTerminal() && !output.isJson;
      int failures = 0;
      for (int poll = 0;; poll++) {
        ConversionStatus job = null;
        try {
          job = calls.call(plugin -> plugin.conversions(id)).get(0);
          failures = 0;
        } catch (FileNotFoundException e) {
          throw e;
        } catch (IOException e) {
          // The job goes on when a NameNode has restarted, so this waits for the NameNode.
          failures++;
          if (failures >= FAILURES_MAX) {
            throw e;
          }
          output.complaint(e.getMessage());
        }
        if (job != null && job.state.isEnd()) {
          if (isTerminal) {
            output.lines(REWRITE);
          }
          return end(job);
        }
        if (job != null) {
          show(job, poll, isTerminal);
        }
        if (output.isGone() || !surroundings.screen.await(EVERY_S)) {
          return ExitCode.FAILED;
        }
      }
    }

    private void show(ConversionStatus job, int poll, boolean isTerminal) {
      if (output.isJson) {
        output.object(ConversionDocument.of(job));
      } else if (isTerminal) {
        output.lines(REWRITE + ConversionText.progress(job));
      } else if (poll % POLLS_PER_LINE == 0) {
        output.sentence(ConversionText.progress(job));
      }
    }

    private ExitCode end(ConversionStatus job) {
      if (output.isJson) {
        output.object(ConversionDocument.of(job));
      } else {
        output.lines(ConversionText.of(job, surroundings.clock.instant()));
      }
      ConversionCounts counts = job.counts;
      long left = counts.get(Number.CHANGED) + counts.get(Number.FAILED)
          + counts.refused.entrySet().stream().filter(one -> !NOT_CODED.equals(one.getKey()))
              .mapToLong(Map.Entry::getValue).sum();
      return job.state == ConversionState.DONE && (left == 0 || job.options.dryRun)
          ? ExitCode.DONE : ExitCode.FAILED;
    }
  }
}
