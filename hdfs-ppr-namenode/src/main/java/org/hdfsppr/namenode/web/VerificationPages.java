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
package org.hdfsppr.namenode.web;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.namenode.scrub.Discovery;
import org.hdfsppr.namenode.scrub.ScrubCounts;
import org.hdfsppr.namenode.scrub.ScrubStatus;

/**
 * Shows the checks in the background. The document names groups and the paths that an operator has
 * configured for checks, but no other paths of files.
 */
@InterfaceAudience.Private
public final class VerificationPages extends ShortDocument<ScrubStatus> {
  /** @param checks returns what the checks have found so far */
  public VerificationPages(Supplier<ScrubStatus> checks) {
    super("/v1/verification", checks);
  }

  @Override
  protected void write(ScrubStatus status, JsonGenerator json) throws IOException {
    json.writeStringField("state", status.state.name().toLowerCase(Locale.ROOT));
    json.writeStringField("why", status.why);
    json.writeNumberField("bytes_per_s_per_node", status.bytesPerSecond);
    json.writeNumberField("total", status.directories.size());
    json.writeBooleanField("truncated", false);
    json.writeArrayFieldStart("directories");
    List<ScrubStatus.Directory> directories = status.directories;
    for (int i = 0; i < directories.size(); i++) {
      directory(directories.get(i), i + 1, json);
    }
    json.writeEndArray();
    json.writeNumberField("findings_total", status.findingsTotal);
    json.writeArrayFieldStart("findings");
    for (Discovery finding : status.findings) {
      finding(finding, json);
    }
    json.writeEndArray();
  }

  private static void directory(ScrubStatus.Directory directory, int id, JsonGenerator json)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("path", directory.path);
    json.writeNumberField("id", id);
    JsonText.time(json, "last_finished", directory.lastFinished());
    JsonText.time(json, "started", directory.started());
    json.writeNumberField("pass", directory.pass());
    ScrubCounts counts = directory.counts;
    json.writeNumberField("groups", counts.groups);
    json.writeNumberField("groups_checked", counts.checked);
    json.writeNumberField("contradictions", counts.contradictions);
    json.writeNumberField("not_checked", counts.notChecked);
    json.writeNumberField("bytes", counts.bytes);
    json.writeNumberField("last_groups_checked", directory.last().checked);
    json.writeNumberField("last_contradictions", directory.last().contradictions);
    json.writeNumberField("last_not_checked", directory.last().notChecked);
    json.writeEndObject();
  }

  private static void finding(Discovery finding, JsonGenerator json) throws IOException {
    json.writeStartObject();
    JsonText.time(json, "at", finding.at);
    json.writeStringField("group", JsonText.name(finding.group));
    json.writeStringField("result", finding.outcome.name().toLowerCase(Locale.ROOT));
    if (finding.wrongUnit == ScrubFinding.NO_UNIT) {
      json.writeNullField("wrong_unit");
    } else {
      json.writeNumberField("wrong_unit", finding.wrongUnit);
    }
    if (finding.node == null) {
      json.writeNullField("node");
    } else {
      json.writeStringField("node", JsonText.name(finding.node));
    }
    json.writeStringField("text", finding.text);
    json.writeEndObject();
  }
}
