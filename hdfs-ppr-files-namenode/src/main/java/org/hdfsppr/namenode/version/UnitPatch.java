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
package org.hdfsppr.namenode.version;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.UpdateTicket;

/** What the updates of a commit change in one data unit of a group. Immutable. */
@InterfaceAudience.Private
public final class UnitPatch {
  /** A ticket that names the unit and the DataNodes that hold its update log */
  public final UpdateTicket ticket;
  /** The number of the first update in the log */
  public final long first;
  /** The number of the last update in the log */
  public final long last;
  /** The ranges of bytes that the updates write: first byte, and the byte after the last one */
  public final NavigableMap<Long, Long> ranges;

  /**
   * @param ticket a ticket of a term in which all holders of the unit's log have the updates
   * @param first the number of the first update in the unit's log
   * @param last the number of the last update in the unit's log
   * @param ranges the first byte of each range that they write, and the byte after its last one
   */
  public UnitPatch(UpdateTicket ticket, long first, long last, NavigableMap<Long, Long> ranges) {
    this.ticket = Objects.requireNonNull(ticket, "ticket");
    this.first = first;
    this.last = last;
    this.ranges = Collections.unmodifiableNavigableMap(new TreeMap<>(ranges));
  }

  /** @return the index of the unit in its group */
  public int unit() {
    return ticket.unit.unit;
  }

  @Override
  public String toString() {
    return "updates " + first + " to " + last + " of " + ticket;
  }
}
