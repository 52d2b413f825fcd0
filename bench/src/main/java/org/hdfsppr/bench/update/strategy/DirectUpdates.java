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
import java.util.Collections;
import java.util.List;
import org.hdfsppr.update.StripeRacks;
import org.hdfsppr.update.StripeUpdates;

/**
 * Sends each write to all parity nodes at once, so that it is as safe as the committed bytes
 * (paper, section 5.1 and figure 10). {@code baseline} sends the delta, and the parity follows
 * immediately. {@code parix} sends the new bytes, and before the first write of a byte also the old
 * one; the parity nodes keep both in logs, and calculate the parity when stripes are committed.
 */
final class DirectUpdates implements UpdateStrategy {
  private final String label;
  private final boolean speculative;

  /**
   * @param label the name
   * @param speculative whether new and old bytes are sent, and not deltas
   */
  DirectUpdates(String label, boolean speculative) {
    this.label = label;
    this.speculative = speculative;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public int replicas() {
    return 0;
  }

  @Override
  public boolean logs() {
    return speculative;
  }

  @Override
  public boolean groups() {
    return false;
  }

  @Override
  public List<CrossRackTransfer> append(StripeRacks racks, WrittenRange range) {
    int from = racks.rack(range.unit);
    List<CrossRackTransfer> transfers = new ArrayList<>();
    for (int parity = racks.dataUnits; parity < racks.units(); parity++) {
      int to = racks.rack(parity);
      if (to == from) {
        continue;
      }
      transfers.add(new CrossRackTransfer(speculative ? CrossRackTransfer.Kind.NEW_DATA
          : CrossRackTransfer.Kind.DATA_DELTA, range.unit, from, to, range.length));
      if (speculative && range.fresh > 0) {
        transfers.add(new CrossRackTransfer(CrossRackTransfer.Kind.OLD_DATA, range.unit, from, to,
            range.fresh));
      }
    }
    return transfers;
  }

  @Override
  public List<CrossRackTransfer> commit(StripeRacks racks, StripeUpdates updates) {
    return Collections.emptyList();
  }
}
