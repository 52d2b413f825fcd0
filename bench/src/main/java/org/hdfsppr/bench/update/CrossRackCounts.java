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
package org.hdfsppr.bench.update;

import java.util.List;

import org.hdfsppr.bench.update.strategy.CrossRackTransfer;

/** What has crossed racks so far, in chunks or in bytes. */
final class CrossRackCounts {
  private long replica;
  private long parity;
  private long grouping;

  void add(List<CrossRackTransfer> transfers) {
    for (CrossRackTransfer transfer : transfers) {
      if (transfer.kind.isReplica()) {
        replica += transfer.length;
      } else {
        parity += transfer.length;
      }
    }
  }

  void addReplica(long amount) {
    replica += amount;
  }

  void addGrouping(long amount) {
    grouping += amount;
  }

  /** {@return interim replicas} */
  long replica() {
    return replica;
  }

  /** {@return what the parities got, at once or at commits} */
  long parity() {
    return parity;
  }

  /** {@return whole units that have changed their places} */
  long grouping() {
    return grouping;
  }

  long all() {
    return replica + parity + grouping;
  }
}
