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

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.formation.GroupJobResult;
import org.hdfsppr.client.formation.GroupJobResult.Number;
import org.hdfsppr.client.text.Quantities;
import org.hdfsppr.client.text.TextLines;
import org.hdfsppr.operate.CoreDirectory;

/**
 * Writes what a MapReduce job for CORE groups has found and submitted, as text for users and as
 * JSON.
 */
@InterfaceAudience.Private
public final class GroupJobText {
  private GroupJobText() {
  }

  /**
   * @param directory the protected directory
   * @param result what the job has found and submitted
   * @return lines of at most 80 columns
   */
  public static String of(CoreDirectory directory, GroupJobResult result) {
    TextLines lines = new TextLines();
    lines.paragraph(0, directory.path + (directory.recursive ? " and all below it" : "")
        + " is protected. Groups are formed in the background: hdfs ppr -core -status "
        + directory.path);
    lines.fact("Found", Quantities.count(result.get(Number.FILES), "file") + " in "
        + result.get(Number.DIRECTORIES) + " directories");
    if (result.get(Number.UNLISTED) > 0) {
      lines.fact("Unlisted", result.get(Number.UNLISTED) + " directories that you may not list, or"
          + " that are gone; the NameNode looks at their files itself");
    }
    lines.fact("Submitted", Quantities.count(result.get(Number.TAKEN), "group"));
    if (result.get(Number.LEFT) > 0) {
      lines.fact("Left", Quantities.count(result.get(Number.LEFT), "group") + " for which the"
          + " NameNode had no room; it finds them itself, or run this again");
    }
    result.waiting.forEach((reason, files) -> lines.fact("No group",
        Quantities.count(files, "file") + ": " + words(reason)));
    return lines.toString();
  }

  private static String words(String reason) {
    switch (reason) {
      case "in_group":
        return "in a group already";
      case "being_formed":
        return "in a group that waits or is being made";
      case "gone":
        return "deleted meanwhile";
      case "other_directory":
        return "not protected by this directory any more";
      default:
        return CoreText.words(reason);
    }
  }

  /**
   * @param directory the protected directory
   * @param result what the job has found and submitted
   * @return the fields of both, with names in {@code snake_case}
   */
  public static Map<String, Object> json(CoreDirectory directory, GroupJobResult result) {
    Map<String, Object> all = new LinkedHashMap<>(CoreJson.of(directory));
    Map<String, Object> job = new LinkedHashMap<>();
    for (Number number : Number.values()) {
      job.put(number.name().toLowerCase(Locale.ROOT), result.get(number));
    }
    job.put("files_in_no_group", result.waiting);
    all.put("job", job);
    return all;
  }
}
