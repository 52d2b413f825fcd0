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

/** Converts {@link RepairRates} into a message and back. */
@InterfaceAudience.Private
final class RepairRatesCodec {
  private RepairRatesCodec() {
  }

  static RepairRatesProto toProto(RepairRates rates) {
    return RepairRatesProto.newBuilder()
        .setUpBytesPerS(rates.upBytesPerSecond())
        .setDownBytesPerS(rates.downBytesPerSecond())
        .setBestUpBytesPerS(rates.bestUpBytesPerSecond())
        .setBestDownBytesPerS(rates.bestDownBytesPerSecond())
        .build();
  }

  /** @throws IllegalArgumentException naming the field that is wrong */
  static RepairRates parse(RepairRatesProto proto) {
    return new RepairRates(Fields.bytes("up_bytes_per_s", proto.getUpBytesPerS()),
        Fields.bytes("down_bytes_per_s", proto.getDownBytesPerS()),
        Fields.bytes("best_up_bytes_per_s", proto.getBestUpBytesPerS()),
        Fields.bytes("best_down_bytes_per_s", proto.getBestDownBytesPerS()));
  }
}
