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
  private long done;
  private long bytesDone;

  void done(GrantRecord record) {
    done++;
    bytesDone += record.bytes;
  }

  RepairWork with(Collection<GrantRecord> underWay) {
    RepairWork.Builder work = new RepairWork.Builder().done(done, bytesDone);
    for (GrantRecord record : underWay) {
      work.add(record.bytes, record.doneShare(),
          record.assignment.group.spareUnits == 0);
    }
    return work.build();
  }
}
