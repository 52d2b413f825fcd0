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

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.StripeRacks;
import org.hdfsppr.update.StripeUpdates;

/**
 * Decides what crosses racks so that an update is safe and the parity follows. Transfers within a
 * rack are not listed. A strategy has no state, so several threads may use it.
 */
@InterfaceAudience.Private
public interface UpdateStrategy {
  /** @return the name in settings and results, such as {@code cau} */
  String label();

  /** @return r*, the number of other racks that get each new range at once; 0 for none */
  int replicas();

  /** @return whether ranges are logged, and become parity only when stripes are committed */
  boolean logs();

  /** @return whether a commit may bring changed units together in one rack */
  boolean groups();

  /**
   * Decides what crosses racks before a write is acknowledged.
   *
   * @param racks where the units of the stripe are
   * @param range what is written
   * @return the transfers
   * @throws IllegalArgumentException if there are not more racks than {@link #replicas}
   */
  List<CrossRackTransfer> append(StripeRacks racks, WrittenRange range);

  /**
   * Decides what crosses racks when the parity of a stripe follows.
   *
   * @param racks where the units of the stripe are
   * @param updates what has changed since the last commit
   * @return the transfers; none if the parity has followed each write
   */
  List<CrossRackTransfer> commit(StripeRacks racks, StripeUpdates updates);
}
