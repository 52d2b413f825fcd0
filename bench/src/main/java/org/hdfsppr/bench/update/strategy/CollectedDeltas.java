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
package org.hdfsppr.bench.update.strategy;

import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.update.StripeRacks;
import org.hdfsppr.update.StripeUpdates;
import org.hdfsppr.update.UpdatedSegment;

/**
 * Appends as CAU does, and commits each stripe in the cheaper of two ways. One is CAU's. In the
 * other one, all racks send their data deltas to one node of a collecting rack, which sends parity
 * or data deltas to each other rack, whichever are fewer (RackCU). The collecting rack merges
 * changes of different racks before it sends them to the parities. This class takes the rack with
 * which a commit is cheapest.
 */
final class CollectedDeltas extends LoggedUpdates {
  private final CrossRackAware direct;

  /**
   * @param label the name
   * @param replicas r*, at least 0
   */
  CollectedDeltas(String label, int replicas) {
    super(label, replicas, CrossRackTransfer.Kind.REPLICA);
    this.direct = new CrossRackAware(label, replicas, DeltaWay.FEWER);
  }

  @Override
  public List<CrossRackTransfer> commit(StripeRacks racks, StripeUpdates updates) {
    List<CrossRackTransfer> best = direct.commit(racks, updates);
    long least = CrossRackTransfer.bytes(best);
    for (int collector = 0; collector < racks.racks; collector++) {
      List<CrossRackTransfer> collected = collect(racks, updates, collector);
      long bytes = CrossRackTransfer.bytes(collected);
      if (bytes < least) {
        best = collected;
        least = bytes;
      }
    }
    return best;
  }

  private static List<CrossRackTransfer> collect(StripeRacks racks, StripeUpdates updates,
      int collector) {
    List<CrossRackTransfer> transfers = new ArrayList<>();
    for (UpdatedSegment segment : updates.segments()) {
      long away = segment.units & ~racks.dataUnitsIn(collector);
      for (long left = away; left != 0; left &= left - 1) {
        int unit = Long.numberOfTrailingZeros(left);
        transfers.add(new CrossRackTransfer(CrossRackTransfer.Kind.DATA_DELTA, unit,
            racks.rack(unit), collector, segment.length));
      }
      for (int to = 0; to < racks.racks; to++) {
        if (to != collector) {
          DeltaWay.FEWER.send(racks, collector, to, segment.units, segment.length, transfers);
        }
      }
    }
    return transfers;
  }
}
