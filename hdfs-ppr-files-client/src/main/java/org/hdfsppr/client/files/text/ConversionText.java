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
package org.hdfsppr.client.files.text;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.text.Quantities;
import org.hdfsppr.client.text.TextLines;
import org.hdfsppr.client.text.TextTable;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.ConversionFailure;
import org.hdfsppr.operate.ConversionState;
import org.hdfsppr.operate.ConversionStatus;

/** Writes the state of conversion jobs as text for users. */
@InterfaceAudience.Private
public final class ConversionText {
  private static final double MS_PER_SECOND = 1_000;
  private static final double PERCENT = 100;

  private ConversionText() {
  }

  /**
   * Writes all that is known about a job.
   *
   * @param job the job
   * @param now the time
   * @return lines of at most 80 columns
   */
  public static String of(ConversionStatus job, Instant now) {
    TextLines lines = new TextLines();
    lines.paragraph(0, headline(job, now));
    if (!job.why.isEmpty()) {
      lines.fact("Why", job.why);
    }
    if (!job.user.isEmpty()) {
      lines.fact("User", job.user);
    }
    if (!job.paths.isEmpty()) {
      lines.fact("Paths", String.join(" ", job.paths));
    }
    lines.fact("Files", files(job));
    Map<String, Long> refused = job.counts.refused;
    refused.forEach((reason, count) -> lines.fact("", count + " refused: " + reason));
    lines.fact("Data", data(job));
    bytes(job, lines);
    job.unseenReads().filter(reads -> reads.blind > 0).ifPresent(reads ->
        lines.fact("Readers", reads + ": a stream that is open there is not noticed. See 'hdfs ppr"
            + " -doctor'"));
    if (job.state == ConversionState.RUNNING) {
      lines.fact("Left", left(job));
    }
    for (ConversionFailure failure : job.failures) {
      lines.item(0, failure.path + " " + failure.outcome + (failure.reason.isEmpty() ? ""
          : " (" + failure.reason + ")") + ": " + failure.sentence);
    }
    return lines.toString();
  }

  private static String headline(ConversionStatus job, Instant now) {
    boolean isDry = job.options.dryRun;
    String text = (isDry ? "Dry run " : "Job ") + job.id + " to " + job.options.policy
        + " is " + job.state.word();
    if (job.state.isEnd()) {
      return text + ", " + ago(job.endedMs, now);
    }
    return text + (job.startedMs == ConversionStatus.NEVER
        ? ", submitted " + ago(job.submittedMs, now) : ", begun " + ago(job.startedMs, now));
  }

  private static String ago(long ms, Instant now) {
    return Quantities.time(Math.max(0, (now.toEpochMilli() - ms) / MS_PER_SECOND)) + " ago";
  }

  private static String files(ConversionStatus job) {
    ConversionCounts counts = job.counts;
    long number = counts.get(Number.DIRECTORIES);
    String directories = number == 0 ? "" : "; " + (number == 1 ? "1 directory"
        : number + " directories") + (job.options.dryRun ? " would get the policy"
            : number == 1 ? " has got the policy" : " have got the policy");
    return counts.get(Number.CONVERTED) + (job.options.dryRun ? " would be converted, "
        : " converted, ") + counts.get(Number.ALREADY) + " already so, "
        + counts.refusedInAll() + " refused, " + counts.get(Number.CHANGED)
        + " changed meanwhile, " + counts.get(Number.FAILED) + " failed"
        + (job.totalFiles.isPresent() ? " of about " + job.totalFiles.getAsLong() : "")
        + (job.runningFiles > 0 ? "; " + job.runningFiles + " under way" : "") + directories;
  }

  private static String data(ConversionStatus job) {
    ConversionCounts counts = job.counts;
    return Quantities.size(counts.get(Number.BYTES_PASSED))
        + (job.totalBytes.isPresent()
            ? " of about " + Quantities.size(job.totalBytes.getAsLong()) : "") + " looked at, "
        + Quantities.size(counts.get(Number.BYTES_CONVERTED))
        + (job.options.dryRun ? " would be converted" : " converted");
  }

  private static void bytes(ConversionStatus job, TextLines lines) {
    ConversionCounts counts = job.counts;
    if (counts.get(Number.GROUPS) == 0) {
      return;
    }
    lines.fact("Units", Quantities.count(counts.get(Number.GROUPS), "block group") + ": "
        + Quantities.size(counts.get(Number.BYTES_LINKED)) + " linked, "
        + Quantities.size(counts.get(Number.BYTES_MADE)) + " made, "
        + (counts.get(Number.BYTES_COPIED) == 0 ? ""
            : Quantities.size(counts.get(Number.BYTES_COPIED)) + " copied, ")
        + Quantities.size(counts.get(Number.BYTES_MOVED)) + " moved");
    if (job.options.dryRun) {
      lines.fact("Space", change(counts, Number.SPACE_BEFORE, Number.SPACE_AFTER)
          + " on disks, once the old versions are deleted");
      lines.fact("Repairs", change(counts, Number.REPAIR_BEFORE, Number.REPAIR_AFTER)
          + " read to rebuild every unit once");
    }
  }

  private static String change(ConversionCounts counts, Number before, Number after) {
    double from = counts.get(before);
    double to = counts.get(after);
    String percent = from == 0 ? "" : String.format(Locale.ROOT, " (%+.0f %%)",
        (to - from) / from * PERCENT);
    return Quantities.size(from) + " now, " + Quantities.size(to) + " then" + percent;
  }

  private static String left(ConversionStatus job) {
    String rate = Quantities.rate(job.bytesPerSecond.orElse(0));
    return job.leftMs.isPresent() ? "about "
        + Quantities.time(job.leftMs.getAsLong() / MS_PER_SECOND) + " at " + rate
        : "unknown, at " + rate;
  }

  /**
   * Writes how far a job is, for a line that is shown while the job runs.
   *
   * @param job the job
   * @return one line, without a line break
   */
  public static String progress(ConversionStatus job) {
    ConversionCounts counts = job.counts;
    StringBuilder text = new StringBuilder(job.state.word()).append(": ").append(counts.files());
    job.totalFiles.ifPresent(all -> text.append(" of about ").append(all));
    text.append(" files");
    if (job.totalBytes.isPresent() && job.totalBytes.getAsLong() > 0) {
      text.append(String.format(Locale.ROOT, ", %.0f %%", Math.min(PERCENT, PERCENT
          * counts.get(Number.BYTES_PASSED) / job.totalBytes.getAsLong())));
    }
    if (job.state == ConversionState.RUNNING) {
      text.append(", ").append(Quantities.rate(job.bytesPerSecond.orElse(0)));
      job.leftMs.ifPresent(ms -> text.append(", about ")
          .append(Quantities.time(ms / MS_PER_SECOND)).append(" left"));
    }
    long others = counts.refusedInAll() + counts.get(Number.CHANGED) + counts.get(Number.FAILED);
    if (others > 0) {
      text.append("; ").append(others).append(" not converted");
    }
    return text.toString();
  }

  /**
   * Writes a list of jobs.
   *
   * @param jobs the jobs
   * @return a table
   */
  public static String list(List<ConversionStatus> jobs) {
    if (jobs.isEmpty()) {
      return new TextLines().paragraph(0, "There are no conversion jobs.").toString();
    }
    TextTable table = new TextTable("STATE", ">CONVERTED", ">NOT", ">LEFT", "JOB", "POLICY");
    for (ConversionStatus job : jobs) {
      ConversionCounts counts = job.counts;
      table.row(job.options.dryRun ? "dry run " + job.state.word()
          : job.state.word(), Long.toString(counts.get(Number.CONVERTED)),
          Long.toString(counts.refusedInAll() + counts.get(Number.CHANGED)
              + counts.get(Number.FAILED)),
          job.leftMs.isPresent() ? Quantities.time(job.leftMs.getAsLong() / MS_PER_SECOND)
              : "-", job.id, job.options.policy);
    }
    return new TextLines().all(table.lines()).toString();
  }
}
