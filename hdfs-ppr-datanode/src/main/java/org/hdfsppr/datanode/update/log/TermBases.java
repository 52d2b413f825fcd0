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

import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The latest terms of a unit in which this log has taken part without a gap, each with the number
 * of the last update that the history had when the term began. From these numbers a writer finds
 * out whether the history still has its updates of an earlier term. They are in memory only, so
 * that a log that is opened anew begins without them. Guarded by the log.
 */
@InterfaceAudience.Private
final class TermBases {
  /** The most terms: enough, because writers sync every few seconds. */
  private static final int TERMS_MOST = 16;

  private final NavigableMap<Long, Long> bases = new TreeMap<>();

  /**
   * Adds a term.
   *
   * @param anew whether the log has dropped its history
   */
  void begin(long term, long base, boolean anew) {
    if (anew) {
      bases.clear();
    }
    bases.put(term, base);
    if (bases.size() > TERMS_MOST) {
      bases.pollFirstEntry();
    }
  }

  NavigableMap<Long, Long> copy() {
    return new TreeMap<>(bases);
  }
}
