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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.ConversionFailure;
import org.hdfsppr.operate.ConversionStatus;

/** Writes the state of conversion jobs as JSON. */
@InterfaceAudience.Private
public final class ConversionJson {
  private static final double MS_PER_SECOND = 1_000;

  private ConversionJson() {
  }

  /**
   * @param job the job
   * @return the fields of the job, with names in {@code snake_case}, for one line of JSON
   */
  public static Map<String, Object> of(ConversionStatus job) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("job", job.id);
    all.put("state", job.state.word());
    all.put("why", job.why);
    all.put("policy", job.options.policy);
    all.put("dry_run", job.options.dryRun);
    all.put("user", job.user.isEmpty() ? null : job.user);
    all.put("paths", job.paths);
    all.put("submitted", time(job.submittedMs));
    all.put("started", time(job.startedMs));
    all.put("ended", time(job.endedMs));
    for (Number number : Number.values()) {
      all.put(number.name().toLowerCase(Locale.ROOT), job.counts.get(number));
    }
    all.put("refused", job.counts.refusedInAll());
    all.put("refused_by_reason", job.counts.refused);
    all.put("running_files", job.runningFiles);
    all.put("total_files", job.totalFiles.isPresent() ? job.totalFiles.getAsLong() : null);
    all.put("total_bytes", job.totalBytes.isPresent() ? job.totalBytes.getAsLong() : null);
    all.put("bytes_per_s",
        job.bytesPerSecond.isPresent() ? job.bytesPerSecond.getAsDouble() : null);
    all.put("left_s",
        job.leftMs.isPresent() ? job.leftMs.getAsLong() / MS_PER_SECOND : null);
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

  private static String time(long ms) {
    return ms == ConversionStatus.NEVER ? null : Instant.ofEpochMilli(ms).toString();
  }
}
