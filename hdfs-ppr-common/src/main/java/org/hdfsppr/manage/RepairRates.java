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
package org.hdfsppr.manage;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.RepairRatesProto;

/**
 * The rates at which repairs use the network link of a DataNode, all in bytes per second and at
 * least 0. They count the bytes of partial sums that the node sends and receives. Immutable.
 */
@InterfaceAudience.Private
public final class RepairRates {
  /** Bytes per second that repairs send now */
  public final long up;
  /** Bytes per second that repairs receive now */
  public final long down;
  /** The highest rate at which repairs sent in the last minutes; 0 if unknown */
  public final long bestUp;
  /** The highest rate at which repairs received in the last minutes; 0 if unknown */
  public final long bestDown;

  /**
   * @param up the rate at which repairs send now
   * @param down the rate at which repairs receive now
   * @param bestUp the highest rate at which repairs sent in the last minutes; 0 if unknown
   * @param bestDown the highest rate at which repairs received in the last minutes; 0 if unknown
   */
  public RepairRates(long up, long down, long bestUp, long bestDown) {
    this.up = up;
    this.down = down;
    this.bestUp = bestUp;
    this.bestDown = bestDown;
  }

  RepairRatesProto toProto() {
    return RepairRatesProto.newBuilder()
        .setUpBytesPerS(up)
        .setDownBytesPerS(down)
        .setBestUpBytesPerS(bestUp)
        .setBestDownBytesPerS(bestDown)
        .build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static RepairRates parse(RepairRatesProto proto) {
    return new RepairRates(FieldRules.bytes("up_bytes_per_s", proto.getUpBytesPerS()),
        FieldRules.bytes("down_bytes_per_s", proto.getDownBytesPerS()),
        FieldRules.bytes("best_up_bytes_per_s", proto.getBestUpBytesPerS()),
        FieldRules.bytes("best_down_bytes_per_s", proto.getBestDownBytesPerS()));
  }

  @Override
  public String toString() {
    return "repairs send " + up + " bytes/s (best " + bestUp + ") and receive " + down
        + " bytes/s (best " + bestDown + ")";
  }
}
