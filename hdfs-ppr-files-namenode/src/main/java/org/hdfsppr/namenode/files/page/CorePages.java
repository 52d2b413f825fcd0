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
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.web.JsonText;
import org.hdfsppr.namenode.web.ShortDocument;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.CoreStatus;

/**
 * The page {@code /v1/core}: the sums over all CORE groups. It names no directory, because the
 * NameNode's pages are shown without a check of the reader's permissions for directories.
 */
@InterfaceAudience.Private
public final class CorePages extends ShortDocument<CoreStatus> {
  /** @param core returns the protected directories, with numbers about their CORE groups */
  public CorePages(Supplier<CoreStatus> core) {
    super("/v1/core", core);
  }

  @Override
  protected void write(CoreStatus status, JsonGenerator json) throws IOException {
    json.writeStringField("why", status.why);
    json.writeNumberField("directories", status.directories.size());
    for (Number number : Number.values()) {
      json.writeNumberField(number.field.getName(), status.sum(number));
    }
    json.writeNumberField("groups_not_used", status.unusedGroups);
    json.writeNumberField("parities_kept", status.keptParities);
    json.writeNumberField("formed", status.formed);
    json.writeNumberField("failed", status.failed);
    JsonText.fields(json, Map.of("dissolved", status.dissolved));
    JsonText.fields(json, Map.of("files_in_no_group", status.waiting()));
  }
}
