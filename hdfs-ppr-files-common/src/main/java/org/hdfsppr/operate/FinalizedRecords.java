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
package org.hdfsppr.operate;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.FinalizeRecordsResponseProto;

/** Whether records in the namespace are finalized. Immutable. */
@InterfaceAudience.Private
public final class FinalizedRecords {
  /** Stands for the time at which records that are not finalized were. */
  public static final long NEVER = 0;

  /** Since when they are, ms since 1970 (UTC); {@link #NEVER} if they are not */
  public final long sinceMs;
  /** Whether the call has finalized them */
  public final boolean isChanged;
  /** Why a call to finalize them would be refused now; empty if it would not */
  public final String obstacle;

  public FinalizedRecords(long sinceMs, boolean isChanged, String obstacle) {
    this.sinceMs = sinceMs;
    this.isChanged = isChanged;
    this.obstacle = obstacle;
  }

  /** @return whether they are finalized */
  public boolean areFinalized() {
    return sinceMs != NEVER;
  }

  static FinalizedRecords parse(FinalizeRecordsResponseProto proto) {
    return new FinalizedRecords(proto.getSinceMs(), proto.getChanged(), proto.getObstacle());
  }

  FinalizeRecordsResponseProto toProto() {
    FinalizeRecordsResponseProto.Builder proto = FinalizeRecordsResponseProto.newBuilder();
    if (areFinalized()) {
      proto.setSinceMs(sinceMs);
    }
    if (isChanged) {
      proto.setChanged(true);
    }
    if (!obstacle.isEmpty()) {
      proto.setObstacle(obstacle);
    }
    return proto.build();
  }
}
