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
package org.hdfsppr.namenode.track;

import java.util.Collection;
import org.apache.hadoop.classification.InterfaceAudience;

/** Adds up the work of repairs. Guarded by its {@link RepairTracker}. */
@InterfaceAudience.Private
final class RepairTotals {
  /** Each repair that is done changes the typical duration by this share of the difference. */
  private static final double NEWEST_SHARE = 0.125;

  private long done;
  private long bytesDone;
  private double typicalMs;

  void done(GrantRecord record, long nowMs) {
    long ms = nowMs - record.startedMs();
    typicalMs = done == 0 ? ms : typicalMs + NEWEST_SHARE * (ms - typicalMs);
    done++;
    bytesDone += record.bytes();
  }

  RepairWork with(Collection<GrantRecord> underWay, long nowMs) {
    RepairWork.Builder work = new RepairWork.Builder().done(done, bytesDone, typicalMs);
    for (GrantRecord record : underWay) {
      work.add(record.bytes(), record.doneShare(), record.leftMs(nowMs, typicalMs),
          record.assignment().group().spareUnits() == 0);
    }
    return work.build();
  }
}
