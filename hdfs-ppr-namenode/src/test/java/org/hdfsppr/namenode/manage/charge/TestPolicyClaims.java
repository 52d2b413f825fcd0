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
package org.hdfsppr.namenode.manage.charge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.cost.LossTolerance;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.junit.jupiter.api.Test;

/** Tests which policies are claimed, and how many more losses their groups survive. */
class TestPolicyClaims {
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);

  private final List<GroupPolicy> asked = new ArrayList<>();
  private final PolicyClaims claims = new PolicyClaims(this::code);

  private LinearCode code(GroupPolicy policy) throws IOException {
    asked.add(policy);
    switch (policy.codec) {
      case "unknown":
        throw new IOException("no such codec");
      case "picky":
        throw new IllegalStateException("bad options");
      case "native":
        throw new UnsatisfiedLinkError("no libcodec in java.library.path");
      default:
        return Codes.forCodec(new Configuration(false), policy.codec, policy.dataUnits,
            policy.parityUnits);
    }
  }

  private static GroupPolicy policy(String codec) {
    return new GroupPolicy(codec, 3, 2, 1 << 20);
  }

  @Test
  void aBrokenCodecIsStocksAndDoesNotKeepOthersFromBeingClaimed() {
    claims.setOpen(true);
    List<GroupPolicy> policies =
        List.of(policy("unknown"), policy("picky"), policy("native"), RS);
    assertTrue(claims.lookUp(policies));
    assertTrue(claims.losses(RS));
    for (GroupPolicy policy : policies.subList(0, 3)) {
      assertFalse(claims.losses(policy), policy.toString());
    }
    assertFalse(claims.lookUp(policies));
    assertEquals(policies, asked, "each policy was looked up once");
  }

  /** LRC(6,2,2) survives all patterns of three losses, and most patterns of four. */
  @Test
  void onlyWhatIsLostForGoodHasLessThanNoSpareUnit() throws IOException {
    GroupPolicy lrc = new GroupPolicy("lrc-l2", 6, 4, 1 << 20);
    LinearCode code = code(lrc);
    int guaranteed = LossTolerance.guaranteed(code);
    claims.lookUp(List.of(lrc, RS));
    int lucky = 0;
    for (int mask = 0; mask < 1 << code.units(); mask++) {
      List<Integer> lost = new ArrayList<>();
      for (int unit = 0; unit < code.units(); unit++) {
        if ((mask >> unit & 1) != 0) {
          lost.add(unit);
        }
      }
      int spare = claims.spareUnits(lrc, lost);
      assertEquals(LossTolerance.survives(code, mask), spare >= 0, lost.toString());
      assertEquals(lost.size() <= guaranteed ? guaranteed - lost.size() : Math.min(spare, 0),
          spare, lost.toString());
      lucky += lost.size() > guaranteed && spare == 0 ? 1 : 0;
    }
    assertTrue(lucky > 0);
    assertEquals(-1, claims.spareUnits(RS, List.of(0, 1, 2, 3)));
  }
}
