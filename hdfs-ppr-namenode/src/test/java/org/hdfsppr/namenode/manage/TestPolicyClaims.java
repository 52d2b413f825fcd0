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
package org.hdfsppr.namenode.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.junit.jupiter.api.Test;

/** Which policies are claimed, and how much their groups can bear. */
class TestPolicyClaims {
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 20);

  private final List<GroupPolicy> asked = new ArrayList<>();
  private final PolicyClaims claims = new PolicyClaims(this::code);

  private LinearCode code(GroupPolicy policy) throws IOException {
    asked.add(policy);
    switch (policy.codec()) {
      case "unknown":
        throw new IOException("no such codec");
      case "picky":
        throw new IllegalStateException("bad options");
      case "native":
        throw new UnsatisfiedLinkError("no libcodec in java.library.path");
      default:
        return Codes.forCodec(new Configuration(false), policy.codec(), policy.dataUnits(),
            policy.parityUnits());
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
    assertEquals(policies, asked, "each was asked for once");
  }
}
