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
package org.hdfsppr.namenode.files.page;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.web.JsonText;
import org.hdfsppr.namenode.web.ShortDocument;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.ConversionStatus;

/**
 * The page {@code /v1/conversions}: the conversion jobs. It names no file and no user, because the
 * NameNode's pages are shown without a check of the reader's permissions for files.
 */
@InterfaceAudience.Private
public final class ConversionPages extends ShortDocument<List<ConversionStatus>> {
  /** How many jobs the page shows at most; those that have not ended come first. */
  static final int JOBS_MAX = 100;
  private static final double MS_PER_SECOND = 1_000;

  /**
   * @param jobs returns the jobs: first those that have not ended, then the ended ones, the latest
   *     of them first
   */
  public ConversionPages(Supplier<List<ConversionStatus>> jobs) {
    super("/v1/conversions", jobs);
  }

  @Override
  protected void write(List<ConversionStatus> jobs, JsonGenerator json) throws IOException {
    json.writeNumberField("total", jobs.size());
    json.writeBooleanField("truncated", jobs.size() > JOBS_MAX);
    json.writeArrayFieldStart("jobs");
    for (ConversionStatus job : jobs.subList(0, Math.min(JOBS_MAX, jobs.size()))) {
      job(job, json);
    }
    json.writeEndArray();
  }

  private static void job(ConversionStatus job, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("job", job.id);
    json.writeStringField("state", job.state.word());
    json.writeStringField("why", job.why);
    json.writeStringField("policy", job.options.policy);
    json.writeBooleanField("dry_run", job.options.dryRun);
    JsonText.time(json, "submitted", time(job.submittedMs));
    JsonText.time(json, "started", time(job.startedMs));
    JsonText.time(json, "ended", time(job.endedMs));
    json.writeNumberField("files_running", job.runningFiles);
    number(json, "files_total", job.totalFiles.isPresent(), job.totalFiles.orElse(0));
    json.writeNumberField("files_refused", job.counts.refusedInAll());
    for (Number number : Number.values()) {
      json.writeNumberField(number.name().toLowerCase(Locale.ROOT), job.counts.get(number));
    }
    number(json, "bytes_total", job.totalBytes.isPresent(), job.totalBytes.orElse(0));
    JsonText.number(json, "bytes_per_s", job.bytesPerSecond);
    JsonText.number(json, "left_s", job.leftMs.isPresent()
        ? job.leftMs.getAsLong() / MS_PER_SECOND : Double.NaN);
    json.writeObjectFieldStart("refused_by_reason");
    for (Map.Entry<String, Long> one : job.counts.refused.entrySet()) {
      json.writeNumberField(one.getKey(), one.getValue());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void number(JsonGenerator json, String field, boolean isKnown, long value)
      throws IOException {
    if (isKnown) {
      json.writeNumberField(field, value);
    } else {
      json.writeNullField(field);
    }
  }

  private static Instant time(long ms) {
    return ms == ConversionStatus.NEVER ? null : Instant.ofEpochMilli(ms);
  }
}
