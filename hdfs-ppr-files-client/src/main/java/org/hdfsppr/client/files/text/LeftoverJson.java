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
import org.hdfsppr.operate.Leftovers;
import org.hdfsppr.operate.Leftovers.Item;
import org.hdfsppr.operate.Leftovers.Kind;
import org.hdfsppr.operate.Leftovers.State;

/** Writes as JSON which old versions and other files are left below /.hdfs-ppr. Stateless. */
@InterfaceAudience.Private
public final class LeftoverJson {
  private LeftoverJson() {
  }

  /**
   * @param left the files that are left
   * @return the fields of a JSON object
   */
  public static Map<String, Object> of(Leftovers left) {
    Map<String, Object> counts = new LinkedHashMap<>();
    for (Kind kind : Kind.values()) {
      Map<String, Object> states = new LinkedHashMap<>();
      for (State state : State.values()) {
        if (left.count(kind, state) > 0) {
          states.put(word(state), left.count(kind, state));
        }
      }
      if (!states.isEmpty()) {
        counts.put(word(kind), states);
      }
    }
    List<Object> items = new ArrayList<>();
    for (Item item : left.named) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("kind", word(item.kind));
      one.put("state", word(item.state));
      one.put("path", item.path);
      if (!item.file.isEmpty()) {
        one.put("file", item.file);
      }
      if (item.untilMs > 0) {
        one.put("until", Instant.ofEpochMilli(item.untilMs).toString());
      }
      if (!item.snapshots.isEmpty()) {
        one.put("snapshots", item.snapshots);
      }
      if (!item.why.isEmpty()) {
        one.put("why", item.why);
      }
      items.add(one);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("left", left.count());
    all.put("cleared", left.cleared);
    all.put("counts", counts);
    all.put("items", items);
    if (!left.unfinished.isEmpty()) {
      all.put("unfinished", left.unfinished);
    }
    return all;
  }

  private static String word(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT);
  }
}
