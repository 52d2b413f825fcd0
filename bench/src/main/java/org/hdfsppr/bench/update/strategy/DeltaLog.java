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
 * Keeps deltas as interim replicas: new bytes minus the committed ones of the same range, so that a
 * lost range is the committed one plus the delta. The first log rack is the one with most parity
 * units. It gets the deltas of all other racks and has its own, so that a commit begins there with
 * nothing to collect. It sends data or parity deltas to each other rack, whichever are fewer, and
 * leaves out the deltas that the other rack has logged as well.
 */
final class DeltaLog extends LoggedUpdates {
  /**
   * @param label the name
   * @param replicas r*
   * @throws IllegalArgumentException if {@code replicas} is less than 1: a commit needs the log
   */
  DeltaLog(String label, int replicas) {
    super(label, replicas, CrossRackTransfer.Kind.DELTA_REPLICA);
    if (replicas < 1) {
      throw new IllegalArgumentException("Strategy '" + label + "' has " + replicas
          + " interim replicas, and needs one at least: its commits read the deltas in their logs");
    }
  }

  @Override
  public List<CrossRackTransfer> commit(StripeRacks racks, StripeUpdates updates) {
    int collector = racks.logRacks().get(0);
    List<CrossRackTransfer> transfers = new ArrayList<>();
    for (int to = 0; to < racks.racks; to++) {
      if (to == collector) {
        continue;
      }
      long logged = loggedIn(racks, to);
      for (UpdatedSegment segment : updates.segments()) {
        DeltaWay.FEWER.send(racks, collector, to, segment.units & ~logged, segment.length,
            transfers);
      }
    }
    return transfers;
  }

  /**
   * Returns the data units whose deltas a rack has: those that it gets as replicas. If it is one of
   * the first r* log racks, it gets all that are not its own, and has all.
   */
  private long loggedIn(StripeRacks racks, int rack) {
    boolean isLogRack = racks.logRacks().subList(0, replicas()).contains(rack);
    long units = isLogRack ? racks.dataUnitsIn(rack) : 0;
    for (int unit = 0; unit < racks.dataUnits; unit++) {
      if (InterimReplicas.racks(racks, unit, replicas()).contains(rack)) {
        units |= 1L << unit;
      }
    }
    return units;
  }
}
