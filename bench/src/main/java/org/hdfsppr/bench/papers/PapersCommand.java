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
package org.hdfsppr.bench.papers;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.util.CliErrors;
import org.hdfsppr.it.util.ItPaths;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code it/papers.sh}: measures the figures of the papers again, and writes a page. */
@Command(name = "papers.sh", mixinStandardHelpOptions = true,
    description = "The tables and figures of the papers behind this project, beside what is "
        + "measured here. Started again, it goes on where it was cut off.",
    footer = {"",
        "The page is DIR/index.html, and DIR/index.md with DIR/charts. Runs are in DIR/runs: a run "
            + "with",
        "the same command line is not run again. Delete its file to measure it anew.",
        "Exit code: 0 if all runs have ended well, also where figures have no runs yet, as the "
            + "page says;",
        "1 if a run has failed."})
@InterfaceAudience.Private
public final class PapersCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Parameters(paramLabel = "PAPER[:FIGURE]", arity = "0..*",
      description = "Such as ppr or core:3 (default: all). --list has them")
  private List<String> wanted = new ArrayList<>();

  @Option(names = "--quick", description = "Few points and few runs of each figure: 40 minutes on "
      + "two cores, where all take a night")
  private boolean quick;

  @Option(names = "--out", paramLabel = "DIR", description = "Where page and runs go")
  private Path dir;

  @Option(names = "--traces", paramLabel = "DIR", description = "A folder with traces in the "
      + "format of the MSR Cambridge traces, NAME.csv each, for the figures of CAU")
  private Path traces;

  @Option(names = "--seed", defaultValue = "1",
      description = "Of all that is drawn (default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(names = "--list", description = "Only print the figures, and what a run of them needs")
  private boolean list;

  @Option(names = "--page", description = "Only write the page of the runs that are there")
  private boolean pageOnly;

  @Option(names = "--mixed", description = "Take along runs of DIR that were measured with "
      + "another version or on another machine; the page names the figures that mix them")
  private boolean mixed;

  private PrintWriter out;

  /**
   * @param args the arguments of the command line
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new PapersCommand())
        .setExecutionExceptionHandler(CliErrors::report)
        .execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    out = spec.commandLine().getOut();
    List<Paper> papers = FigureChoice.of(PaperFile.readAll(), wanted);
    RunVariables user = new RunVariables(seed, traces == null ? null : traces.toAbsolutePath(),
        traces == null ? List.of() : TraceFolder.names(traces));
    if (list) {
      list(papers);
      return 0;
    }
    if (dir == null) {
      throw new IllegalArgumentException("--out is missing: name a folder for the page");
    }
    Files.createDirectories(dir);
    try (FileChannel channel = FileChannel.open(dir.resolve(".lock"), StandardOpenOption.CREATE,
        StandardOpenOption.WRITE); FileLock lock = lock(channel)) {
      if (lock == null) {
        throw new IllegalStateException("Another papers.sh writes to " + dir + ": wait for its end,"
            + " or name another folder by --out");
      }
      return run(papers, user) ? 0 : 1;
    }
  }

  /** Returns the lock, or null if another process, or another thread of this one, has it. */
  private static FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private boolean run(List<Paper> papers, RunVariables user)
      throws IOException, InterruptedException {
    PaperScope scope = quick ? PaperScope.QUICK : PaperScope.FULL;
    RunStore store = new RunStore(dir.toAbsolutePath());
    BenchProcess bench = new BenchProcess(ItPaths.itDir().resolve("bench.sh"), store.work);
    bench.endLeftOver();
    store.open();
    List<PaperRun> ofScope = runs(papers, scope, user);
    // Where a full page has no full run, it shows quick ones.
    List<PaperRun> standIns =
        scope == PaperScope.FULL ? runs(papers, PaperScope.QUICK, user) : List.of();
    Map<PaperRun, String> failed = Map.of();
    if (!pageOnly) {
      MachineFacts here = MachineFacts.here();
      if (!mixed) {
        refuseOthers(store, ofScope, here);
        refuseOthers(store, standIns, here);
      }
      failed = new RunLoop(store, bench, here, Clock.systemUTC(), out).run(ofScope);
    }
    Map<String, Optional<StoredRun>> ended = new LinkedHashMap<>();
    for (List<PaperRun> some : List.of(ofScope, standIns)) {
      for (PaperRun run : some) {
        ended.put(run.fileName(), store.find(run));
      }
    }
    PaperPage page =
        new Assembler(scope, user, run -> ended.get(run.fileName())).page(papers);
    new PageFiles(dir).write(page);
    out.printf("%s%n", page.coverage());
    for (FigureSection section : page.sections) {
      section.lacks().ifPresent(lacks -> out.printf("  %s:%s %s: needs %s%n",
          section.paper.id, section.figure.id, section.state.label, lacks));
    }
    failed.forEach((run, reason) -> out.printf("  FAILED %s %s: %s%n", run.paper, run.label,
        reason));
    out.printf("%s%n", dir.resolve("index.html"));
    out.flush();
    return failed.isEmpty();
  }

  /** Refuses to go on with runs of another version or machine: ratios would compare these. */
  static void refuseOthers(RunStore store, List<PaperRun> wanted, MachineFacts here)
      throws IOException {
    for (PaperRun run : wanted) {
      Optional<StoredRun> stored = store.find(run);
      if (stored.isPresent()) {
        List<String> differences =
            RunOrigins.differences(List.of(stored.get().machine(), here.all()));
        if (!differences.isEmpty()) {
          throw new IllegalStateException("The run '" + run.label + "' of " + run.paper
              + " that is there was measured with another version, or on another machine ("
              + String.join("; ", differences) + "): name another folder by --out, or take such"
              + " runs along by --mixed");
        }
      }
    }
  }

  /** Returns the runs behind figures, each once, in the order of the figures. */
  private static List<PaperRun> runs(List<Paper> papers, PaperScope scope, RunVariables user) {
    Map<String, PaperRun> runs = new LinkedHashMap<>();
    for (Paper paper : papers) {
      for (PaperFigure figure : paper.figures) {
        for (String id : figure.runs()) {
          paper.run(id).runs(scope, user).forEach(run -> runs.put(run.fileName(), run));
        }
      }
    }
    return new ArrayList<>(runs.values());
  }

  private void list(List<Paper> papers) {
    for (Paper paper : papers) {
      for (PaperFigure figure : paper.figures) {
        out.printf("%-24s %s%s%n", paper.id + ":" + figure.id, figure.title,
            figure.notRun().map(needs -> " (not run yet: needs " + needs + ")").orElse(
                figure.missing().map(needs -> " (in part: needs " + needs + ")").orElse("")));
      }
    }
    out.flush();
  }
}
