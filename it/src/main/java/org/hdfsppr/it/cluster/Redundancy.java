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
package org.hdfsppr.it.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * How many blocks lack redundancy or wait for a deletion, as a NameNode counts them. The number of
 * waiting groups is exact at the moment of reading. The NameNode updates the other numbers only
 * once per {@code dfs.namenode.redundancy.interval.seconds}, which the harness sets to a second.
 */
@InterfaceAudience.Private
public final class Redundancy {
  private final long low;
  public final long lowGroups;
  private final long pending;
  private final long toDelete;

  private Redundancy(long low, long lowGroups, long pending, long toDelete) {
    this.low = low;
    this.lowGroups = lowGroups;
    this.pending = pending;
    this.toDelete = toDelete;
  }

  static Redundancy of(JsonNode nameSystem, JsonNode groups) {
    return new Redundancy(nameSystem.get("LowRedundancyBlocks").asLong(),
        groups.get("LowRedundancyECBlockGroups").asLong(),
        nameSystem.get("PendingReconstructionBlocks").asLong(),
        nameSystem.get("PendingDeletionBlocks").asLong());
  }

  /** {@return true if no block lacks redundancy and no repair is pending} */
  public boolean isFull() {
    return low == 0 && lowGroups == 0 && pending == 0;
  }

  /**
   * {@return true if the redundancy {@linkplain #isFull is full} and no replica waits for its
   * deletion}
   */
  public boolean isSettled() {
    return isFull() && toDelete == 0;
  }

  @Override
  public String toString() {
    return low + " low, " + lowGroups + " groups low now, " + pending + " pending, " + toDelete
        + " to delete";
  }
}
