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
package org.hdfsppr.datanode.update;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.datanode.update.old.BlockLineage;
import org.hdfsppr.update.append.Ticket;
import org.hdfsppr.update.append.UnitId;

/** The units that this node leads in one block pool. Thread-safe. */
@InterfaceAudience.Private
final class UnitLeads {
  /**
   * The most units. If there are more, the least recently used unit needs a new term for its next
   * update. A lead takes a few hundred bytes.
   */
  private static final int LEADS_MOST = 1 << 14;

  private final UpdateLog log;
  private final FollowerCall.Ways ways;
  private final LongSupplier nanoClock;
  private final OwnBlocks blocks;
  private final BlockLineage lineage;
  /** In the order of their last use. Guarded by this. */
  private final Map<UnitId, UnitLead> leads =
      new LinkedHashMap<UnitId, UnitLead>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UnitId, UnitLead> eldest) {
          return size() > LEADS_MOST;
        }
      };

  /**
   * @param log the log of the pool
   * @param ways the ways to the followers
   * @param nanoClock a monotonic clock, ns
   * @param blocks the blocks of this node
   * @param lineage knows from which blocks commands have made others
   */
  UnitLeads(UpdateLog log, FollowerCall.Ways ways, LongSupplier nanoClock, OwnBlocks blocks,
      BlockLineage lineage) {
    this.blocks = blocks;
    this.lineage = lineage;
    this.log = log;
    this.ways = ways;
    this.nanoClock = nanoClock;
  }

  /**
   * Returns this node's lead of the ticket's unit. Its term is the ticket's, or a later one that
   * this node already leads.
   *
   * @param ticket the ticket
   * @return the lead
   */
  synchronized UnitLead lead(Ticket ticket) {
    UnitLead known = leads.get(ticket.unit);
    if (known == null || known.term() < ticket.term) {
      known = new UnitLead(ticket, log, ways, nanoClock,
          new OverwrittenBytes(log, blocks, lineage), new EpochDeltas(log, blocks, lineage));
      leads.put(ticket.unit, known);
    }
    return known;
  }
}
