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
package org.hdfsppr.update.append;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What a leader says about the unit's history in its own log when it begins its term at another
 * holder. Immutable.
 */
@InterfaceAudience.Private
public final class TermBegin {
  /** The last term of the unit in the leader's log before this one; 0 if there was none */
  public final long previousTerm;
  /**
   * The number of the oldest update that the leader still has; if it has none, that of the next
   * update
   */
  public final long first;
  /** The number of the latest update that the leader has, {@code first - 1} if it has none */
  public final long last;

  /**
   * @param previousTerm the last term of the unit in the leader's log before this one; 0 if there
   *     was none
   * @param first the number of the oldest update that the leader still has; if it has none, that of
   *     the next update; from 1
   * @param last the number of the latest update that the leader has, {@code first - 1} if it has
   *     none
   * @throws IllegalArgumentException if a number is out of these bounds
   */
  public TermBegin(long previousTerm, long first, long last) {
    if (previousTerm < 0 || first < 1 || last < first - 1) {
      throw new IllegalArgumentException("a history of updates " + first + " to " + last
          + " after term " + previousTerm);
    }
    this.previousTerm = previousTerm;
    this.first = first;
    this.last = last;
  }
}
