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
 * For each writer whose updates a trim has dropped, the number of the last dropped one. The history
 * has the updates of a writer in the order of their numbers, so that an update with a larger number
 * was not dropped. This is in memory only: opening the log rebuilds it from the records that the
 * segments still have. Guarded by the log's lock.
 */
@InterfaceAudience.Private
final class DroppedWriters {
  /**
   * The most writers. Only writers matter that are at work while a commit ends and a leader dies.
   * If there are more in one unit, some may have to open the file anew.
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

  /** The last dropped update of each writer, in the order in which they were dropped. */
  private final Map<Long, Last> lasts = new LinkedHashMap<>();

  /**
   * Adds a dropped update, which becomes the last one of its writer.
   *
   * @return if a writer is forgotten to make room, the term of its last dropped update; otherwise 0
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
