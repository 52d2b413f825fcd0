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
package org.hdfsppr.datanode.update.log;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The writers of a unit whose updates a trim has dropped, and the number of the last one of each. A
 * writer numbers its updates, and the history has them in this order. An update with a larger
 * number was therefore not among those that were dropped. This is in memory only: a log that is
 * opened learns it from the records that its segments still have. The log's lock guards it.
 */
@InterfaceAudience.Private
final class DroppedWriters {
  /**
   * The most writers. Those that matter are at work while a commit ends and a leader dies; more of
   * them than this in one unit may have to open the file anew.
   */
  static final int MOST = 16;

  private static final class Last {
    private final long number;
    private final long term;

    private Last(long number, long term) {
      this.number = number;
      this.term = term;
    }
  }

  /** By writer, the one whose update was dropped last at the end. */
  private final Map<Long, Last> lasts = new LinkedHashMap<>();

  /**
   * Takes note of the last update of a writer that was dropped.
   *
   * @return the term of the last update of a writer that is forgotten for this one; 0 if none is
   */
  long add(LogEntry entry) {
    lasts.remove(entry.origin().writer);
    lasts.put(entry.origin().writer, new Last(entry.origin().number, entry.term));
    if (lasts.size() <= MOST) {
      return 0;
    }
    Iterator<Last> oldest = lasts.values().iterator();
    long term = oldest.next().term;
    oldest.remove();
    return term;
  }

  /** Returns the number of a writer's last update that was dropped; empty if none is known. */
  OptionalLong lastOf(long writer) {
    Last last = lasts.get(writer);
    return last == null ? OptionalLong.empty() : OptionalLong.of(last.number);
  }

  void clear() {
    lasts.clear();
  }
}
