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
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.web.JsonText;
import org.hdfsppr.namenode.web.ShortDocument;
import org.hdfsppr.operate.ConversionDocument;
import org.hdfsppr.operate.ConversionStatus;

/**
 * The page {@code /v1/conversions}: the conversion jobs. It names no file and no user, because the
 * NameNode's pages are shown without a check of the reader's permissions for files.
 */
@InterfaceAudience.Private
public final class ConversionPages extends ShortDocument<List<ConversionStatus>> {
  /** How many jobs the page shows at most; those that have not ended come first. */
  static final int JOBS_MAX = 100;

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
      json.writeStartObject();
      JsonText.fields(json, ConversionDocument.forPage(job));
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
