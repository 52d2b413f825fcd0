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

import java.util.Collections;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.hdfsppr.manage.proto.ManagerProtos.ResultProto;
import org.hdfsppr.wire.FailureCause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that a result keeps its statements about units and nodes, and that invalid results are
 * refused.
 */
@InterfaceAudience.Private
@Timeout(60)
class TestRepairResult {
  private static final RepairResult RESULT = RepairResult.notTried("r", 1, RepairOutcome.REFUSED,
      FailureCause.UNSUPPORTED, "new");

  private static String refusal(ResultProto.Builder proto) {
    return assertThrows(IllegalArgumentException.class, () -> RepairResult.parse(proto.build()))
        .getMessage();
  }

  @Test
  void whatAResultMustNotSay() {
    ResultProto valid = RESULT.toProto();
    assertTrue(refusal(valid.toBuilder().setRepairId("")).contains("repair_id is empty"));
    assertTrue(refusal(valid.toBuilder().setTerm(-1)).contains("term -1"));
    assertTrue(refusal(valid.toBuilder().addRebuiltUnits(28)).contains("rebuilt unit 28"));
    assertTrue(refusal(valid.toBuilder().addReadUnits(28)).contains("read unit 28"));
    assertTrue(refusal(valid.toBuilder().addLeftOut("")).contains("left_out is empty"));
    assertTrue(refusal(valid.toBuilder().setMessage("a\nb")).contains("message"));
  }

  /** A NameNode keeps the results of commands for versions until all of them are there. */
  @Test
  void whatThisVersionDoesNotKnowIsNotKept() {
    UnknownFieldSet later = UnknownFieldSet.newBuilder()
        .addField(999, UnknownFieldSet.Field.newBuilder().addVarint(1).build()).build();
    ResultProto proto = RESULT.withVersion(new VersionReport(1, 2, 3, 4, 5)).toProto();
    ResultProto kept = RepairResult.parse(proto.toBuilder().setUnknownFields(later)
        .setVersion(proto.getVersion().toBuilder().setUnknownFields(later)).build()).toProto();
    assertEquals(proto, kept);
  }

  @Test
  void onlyAsManyNodesAsUnitsAreLeftOut() {
    ResultProto proto = RESULT.withLeftOut(
        Collections.nCopies(17, "uuid"), false).toProto();
    assertEquals(16, proto.getLeftOutCount());
    assertTrue(refusal(proto.toBuilder().addLeftOut("uuid")).contains("17 left_out"));
  }
}
