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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hdfsppr.manage.proto.ManagerProtos.LoadProto;
import org.hdfsppr.manage.proto.ManagerProtos.RepairRatesProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that an unknown rate stays unknown, and that an error names a number that is out of range.
 */
@InterfaceAudience.Private
@Timeout(60)
class TestNodeLoad {
  private static final NodeLoad PLAIN = new NodeLoad(1, 2, 3, 4, 5, 6);

  @Test
  void whatIsUnknownIsLeftOut() {
    LoadProto proto = PLAIN.toProto();
    assertTrue(!proto.hasCpuPercent() && !proto.hasDiskReadBytesPerS()
        && !proto.hasDiskBytesPerS() && !proto.hasReadLimitBytesPerS(), proto.toString());
    NodeLoad back = NodeLoad.parse(proto);
    assertEquals(NodeLoad.UNKNOWN, back.cpuPercent);
    assertEquals(NodeLoad.UNKNOWN, back.diskReadBytesPerSecond);
    assertEquals(NodeLoad.UNLIMITED, back.readLimitBytesPerSecond);
    assertTrue(!back.knowsDisks());
  }

  /** A NameNode keeps a load for as long as it knows the node. */
  @Test
  void whatThisVersionDoesNotKnowIsNotKept() {
    UnknownFieldSet later = UnknownFieldSet.newBuilder()
        .addField(999, UnknownFieldSet.Field.newBuilder().addVarint(1).build()).build();
    LoadProto proto = PLAIN.toProto().toBuilder().setUnknownFields(later)
        .setRepairRates(RepairRatesProto.newBuilder().setUpBytesPerS(1).setDownBytesPerS(2)
            .setBestUpBytesPerS(3).setBestDownBytesPerS(4).setUnknownFields(later)).build();
    LoadProto kept = NodeLoad.parse(proto).toProto();
    assertTrue(kept.getUnknownFields().asMap().isEmpty(), kept.toString());
    assertTrue(kept.getRepairRates().getUnknownFields().asMap().isEmpty(), kept.toString());
  }

  private static String refusal(LoadProto.Builder proto) {
    return assertThrows(IllegalArgumentException.class, () -> NodeLoad.parse(proto.build()))
        .getMessage();
  }

  @Test
  void numbersOutOfRangeAreNamed() {
    LoadProto valid = PLAIN.toProto();
    assertTrue(refusal(valid.toBuilder().setCpuPercent(101)).contains("cpu_percent 101"));
    assertTrue(refusal(valid.toBuilder().setFreeSlots(-1)).contains("free_slots -1"));
    assertTrue(refusal(valid.toBuilder().setReadLimitBytesPerS(0))
        .contains("read_limit_bytes_per_s 0"));
    assertTrue(refusal(valid.toBuilder().setDiskUsersBusyPercent(5).setDiskBytesPerS(0))
        .contains("disk_bytes_per_s 0"));
  }
}
