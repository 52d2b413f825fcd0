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
 * The groups of which clients read what is lost, as one DataNode says. That is a claim: whether
 * such a group waits for a repair, and whether the node has a part in it, is up to who asks. Each
 * is remembered for a while, also if it does not wait (yet, or just now), and no more of them than
 * so many; each node has marks of its own, so that none can crowd out what others say. Not
 * thread-safe.
 */
@InterfaceAudience.Private
public final class DegradedMarks {
  /** The oldest goes first. Those that wait are marked in the queue long before. */
  static final int GROUPS_MAX = 1024;
  /** Several times as long as a DataNode waits before it says again what is still read. */
  public static final long KEEP_MS = 600_000;

  /** Oldest first. */
  private final Map<ReadGroup, Long> untilMs = new LinkedHashMap<>();
  /** Those that nobody has taken yet; all of them are above, too. */
  private final Set<ReadGroup> news = new LinkedHashSet<>();

  /** @param nowMs monotonic */
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

  /** What was said since the last call. */
  List<ReadGroup> takeNews() {
    List<ReadGroup> taken = new ArrayList<>(news);
    news.clear();
    return taken;
  }

  boolean contains(ReadGroup group, long nowMs) {
    Long until = untilMs.get(group);
    return until != null && until > nowMs;
  }

  /** Whether there is none, as of the last time that any was said. */
  boolean isEmpty() {
    return untilMs.isEmpty();
  }

  int size() {
    return untilMs.size();
  }
}
