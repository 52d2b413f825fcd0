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
package org.hdfsppr.namenode.manage.nodes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.ReadGroup;

/**
 * Remembers the groups that clients read degraded, as one DataNode reports them. The report is only
 * a claim: the caller decides whether such a group waits for a repair and whether the node has a
 * unit of it. Each group is remembered for a while, even if it does not wait at present; the number
 * of groups is bounded. Each node has marks of its own, so that no node can displace the reports of
 * others. Not thread-safe.
 */
@InterfaceAudience.Private
public final class DegradedMarks {
  /**
   * The greatest number of groups; if there are more, the oldest is forgotten. A waiting group has
   * been marked in the queue long before it is forgotten.
   */
  static final int GROUPS_MAX = 1024;
  /**
   * How long a group is remembered, ms: several times the interval at which a DataNode repeats
   * which groups clients still read.
   */
  public static final long KEEP_MS = 600_000;

  /** When each mark ends, monotonic, ms, the oldest mark first. */
  private final Map<ReadGroup, Long> untilMs = new LinkedHashMap<>();
  /** The marks that {@link #takeNews} has not returned yet; {@link #untilMs} has them, too. */
  private final Set<ReadGroup> news = new LinkedHashSet<>();

  /**
   * Takes note of a report.
   *
   * @param groups the groups that clients read degraded
   * @param nowMs the time now, monotonic, ms
   */
  void hear(Collection<ReadGroup> groups, long nowMs) {
    forgetOld(nowMs);
    for (ReadGroup group : groups) {
      untilMs.remove(group);
      if (untilMs.size() >= GROUPS_MAX) {
        Iterator<ReadGroup> oldest = untilMs.keySet().iterator();
        news.remove(oldest.next());
        oldest.remove();
      }
      untilMs.put(group, nowMs + KEEP_MS);
      news.add(group);
    }
  }

  private void forgetOld(long nowMs) {
    Iterator<Map.Entry<ReadGroup, Long>> oldest = untilMs.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<ReadGroup, Long> mark = oldest.next();
      if (mark.getValue() > nowMs) {
        return;
      }
      oldest.remove();
      news.remove(mark.getKey());
    }
  }

  /** Returns the groups that were reported since the last call. */
  List<ReadGroup> takeNews() {
    List<ReadGroup> taken = new ArrayList<>(news);
    news.clear();
    return taken;
  }

  boolean contains(ReadGroup group, long nowMs) {
    Long until = untilMs.get(group);
    return until != null && until > nowMs;
  }

  /** Returns whether there were no marks at the time of the last report. */
  boolean isEmpty() {
    return untilMs.isEmpty();
  }

  int size() {
    return untilMs.size();
  }
}
