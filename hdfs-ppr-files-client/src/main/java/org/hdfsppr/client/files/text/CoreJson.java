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
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreDirectory.Number;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.UnusedGroup;

/** Writes the state of directories that CORE groups protect as JSON. */
@InterfaceAudience.Private
public final class CoreJson {
  private CoreJson() {
  }

  /**
   * @param status the directories
   * @return the fields of the directories, with names in {@code snake_case}, for one line of JSON
   */
  public static Map<String, Object> of(CoreStatus status) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("why", status.why);
    for (Number number : Number.values()) {
      all.put(number.field.getName(), status.sum(number));
    }
    all.put("files_in_no_group", status.waiting());
    all.put("groups_not_used", status.unusedGroups);
    List<Object> unused = new ArrayList<>();
    status.unused.forEach(group -> unused.add(of(group)));
    all.put("not_used", unused);
    all.put("parities_kept", status.keptParities);
    all.put("recoverable_through_core", status.recoverable);
    all.put("unrecoverable", status.unrecoverable);
    all.put("formed", status.formed);
    all.put("failed", status.failed);
    all.put("dissolved", status.dissolved);
    List<Object> directories = new ArrayList<>();
    status.directories.forEach(directory -> directories.add(of(directory)));
    all.put("directories", directories);
    return all;
  }

  /**
   * @param directory a directory
   * @return the fields of the directory, with names in {@code snake_case}
   */
  public static Map<String, Object> of(CoreDirectory directory) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("path", directory.path);
    all.put("recursive", directory.recursive);
    all.put("files_per_group", directory.files);
    all.put("user", directory.user);
    for (Number number : Number.values()) {
      all.put(number.field.getName(), directory.get(number));
    }
    all.put("files_in_no_group", directory.waiting);
    all.put("last_failure", directory.failure.isEmpty() ? null : directory.failure);
    all.put("walked", directory.walkedMs == CoreDirectory.NEVER ? null
        : Instant.ofEpochMilli(directory.walkedMs).toString());
    return all;
  }

  private static Map<String, Object> of(UnusedGroup group) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("core_group", group.groupId);
    all.put("why", group.why);
    all.put("remedy", group.remedy);
    return all;
  }
}
