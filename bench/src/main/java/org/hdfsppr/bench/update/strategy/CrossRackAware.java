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
 * CAU: keeps each new range in r* other racks, and commits per pair of racks. Rack i with i'
 * changed units and rack j with j' parity units exchange min(i', j') units, or what another
 * {@link DeltaWay} says.
 */
final class CrossRackAware extends LoggedUpdates {
  private final DeltaWay way;

  /**
   * @param label the name
   * @param replicas r*, at least 0
   * @param way which deltas a commit sends
   */
  CrossRackAware(String label, int replicas, DeltaWay way) {
    super(label, replicas, CrossRackTransfer.Kind.REPLICA);
    this.way = way;
  }

  @Override
  public List<CrossRackTransfer> commit(StripeRacks racks, StripeUpdates updates) {
    List<CrossRackTransfer> transfers = new ArrayList<>();
    for (UpdatedSegment segment : updates.segments()) {
      for (int from = 0; from < racks.racks; from++) {
        long changed = segment.units & racks.dataUnitsIn(from);
        for (int to = 0; to < racks.racks; to++) {
          if (to != from) {
            way.send(racks, from, to, changed, segment.length, transfers);
          }
        }
      }
    }
    return transfers;
  }
}
