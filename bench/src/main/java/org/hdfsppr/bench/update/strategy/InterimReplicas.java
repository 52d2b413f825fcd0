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

/**
 * Chooses the racks that keep a new range until the parity follows (paper, section 3.4): r* racks
 * other than the unit's own, so that the range survives the loss of any r* racks.
 */
final class InterimReplicas {
  private InterimReplicas() {
  }

  /**
   * Chooses racks, those with most parity units first.
   *
   * @param racks where the units of the stripe are
   * @param unit the unit that is written
   * @param replicas r*
   * @return the racks
   * @throws IllegalArgumentException if there are not more racks than {@code replicas}
   */
  static List<Integer> racks(StripeRacks racks, int unit, int replicas) {
    if (replicas >= racks.racks) {
      throw new IllegalArgumentException(replicas + " interim replicas need more than "
          + racks.racks + " racks: each is in a rack of its own, other than the written unit's");
    }
    List<Integer> chosen = new ArrayList<>(racks.logRacks());
    chosen.remove(Integer.valueOf(racks.rack(unit)));
    return chosen.subList(0, replicas);
  }

  /**
   * Sends a range to the racks that keep it.
   *
   * @param racks where the units of the stripe are
   * @param range what is written
   * @param replicas r*
   * @param kind what the logs keep
   * @return the transfers
   */
  static List<CrossRackTransfer> transfers(StripeRacks racks, WrittenRange range, int replicas,
      CrossRackTransfer.Kind kind) {
    List<CrossRackTransfer> transfers = new ArrayList<>();
    for (int to : racks(racks, range.unit, replicas)) {
      transfers.add(new CrossRackTransfer(kind, range.unit, racks.rack(range.unit), to,
          range.length));
    }
    return transfers;
  }
}
