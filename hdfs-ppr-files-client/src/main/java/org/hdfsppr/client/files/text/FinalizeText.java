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
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.text.TextLines;
import org.hdfsppr.operate.FinalizedRecords;

/** Whether records are finalized, for people and for programs. Stateless. */
@InterfaceAudience.Private
public final class FinalizeText {
  private FinalizeText() {
  }

  /**
   * @param records what the NameNode has answered
   * @return lines of at most 80 columns
   */
  public static String of(FinalizedRecords records) {
    TextLines lines = new TextLines();
    if (records.areFinalized()) {
      lines.paragraph(0, (records.isChanged ? "Records are finalized now."
          : "Records are finalized since " + Instant.ofEpochMilli(records.sinceMs) + ".")
          + " Those that are written are sealed, and hdfs-ppr 0.2.0 refuses them.");
      return lines.toString();
    }
    lines.paragraph(0, "Records are not finalized: they are written as 0.2.0 writes them, and"
        + " NameNodes may go back to it.");
    if (!records.obstacle.isEmpty()) {
      lines.paragraph(0, "They cannot be finalized now: " + records.obstacle + ".");
    }
    return lines.toString();
  }

  /**
   * @param records what the NameNode has answered
   * @return the fields of a JSON object
   */
  public static Map<String, Object> json(FinalizedRecords records) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("finalized", records.areFinalized());
    if (records.areFinalized()) {
      all.put("since", Instant.ofEpochMilli(records.sinceMs).toString());
      all.put("changed", records.isChanged);
    }
    if (!records.obstacle.isEmpty()) {
      all.put("obstacle", records.obstacle);
    }
    return all;
  }
}
