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
package org.hdfsppr.operate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.ConversionCounts.Number;

/**
 * Names the fields of a conversion job in JSON documents. The command's {@code -json} and the
 * NameNode's page use the same names. Stateless.
 */
@InterfaceAudience.Private
public final class ConversionDocument {
  private static final double MS_PER_SECOND = 1_000;

  private ConversionDocument() {
  }

  /**
   * @param job the job, as the caller may see it
   * @return all fields of the job, for the command's {@code -json}
   */
  public static Map<String, Object> of(ConversionStatus job) {
    Map<String, Object> all = new LinkedHashMap<>();
    begin(job, all);
    all.put("user", job.user.isEmpty() ? null : job.user);
    all.put("paths", job.paths);
    times(job, all);
    counts(job, all);
    all.put("refused", job.counts.refusedInAll());
    all.put("refused_by_reason", job.counts.refused);
    sizes(job, all);
    rates(job, all);
    all.put("data_nodes", job.unseenReads().map(reads -> reads.dataNodes).orElse(null));
    all.put("reads_unseen", job.unseenReads().map(reads -> reads.blind).orElse(null));
    List<Object> failures = new ArrayList<>();
    for (ConversionFailure failure : job.failures) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("path", failure.path);
      one.put("outcome", failure.outcome);
      one.put("reason", failure.reason.isEmpty() ? null : failure.reason);
      one.put("text", failure.sentence);
      failures.add(one);
    }
    all.put("failures", failures);
    return all;
  }

  /**
   * @param job the job
   * @return the fields of the job that every caller may see, for the NameNode's page. The page has
   *     {@code files_running}, {@code files_total}, {@code files_refused} and {@code bytes_total}
   *     for this version only: these are its names of before for {@code running_files}, {@code
   *     total_files}, {@code refused} and {@code total_bytes}, which it has, too
   */
  public static Map<String, Object> forPage(ConversionStatus job) {
    Map<String, Object> all = new LinkedHashMap<>();
    begin(job, all);
    times(job, all);
    all.put("files_running", job.runningFiles);
    all.put("files_total", known(job.totalFiles));
    all.put("files_refused", job.counts.refusedInAll());
    counts(job, all);
    all.put("bytes_total", known(job.totalBytes));
    rates(job, all);
    all.put("refused_by_reason", job.counts.refused);
    all.put("refused", job.counts.refusedInAll());
    sizes(job, all);
    return all;
  }

  private static void begin(ConversionStatus job, Map<String, Object> all) {
    all.put("job", job.id);
    all.put("state", job.state.word());
    all.put("why", job.why);
    all.put("policy", job.options.policy);
    all.put("dry_run", job.options.dryRun);
  }

  private static void times(ConversionStatus job, Map<String, Object> all) {
    all.put("submitted", time(job.submittedMs));
    all.put("started", time(job.startedMs));
    all.put("ended", time(job.endedMs));
  }

  private static void counts(ConversionStatus job, Map<String, Object> all) {
    for (Number number : Number.values()) {
      all.put(number.field.getName(), job.counts.get(number));
    }
  }

  private static void sizes(ConversionStatus job, Map<String, Object> all) {
    all.put("running_files", job.runningFiles);
    all.put("total_files", known(job.totalFiles));
    all.put("total_bytes", known(job.totalBytes));
  }

  private static void rates(ConversionStatus job, Map<String, Object> all) {
    OptionalDouble rate = job.bytesPerSecond;
    all.put("bytes_per_s", rate.isPresent() ? rate.getAsDouble() : null);
    all.put("left_s", job.leftMs.isPresent() ? job.leftMs.getAsLong() / MS_PER_SECOND : null);
  }

  private static Long known(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  private static String time(long ms) {
    return ms == ConversionStatus.NEVER ? null : Instant.ofEpochMilli(ms).toString();
  }
}
