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
package org.hdfsppr.client.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.client.verify.VerifySession.ParallelVerifier;
import org.junit.jupiter.api.Test;

/** Each group that is handed in gets a finding, whatever its check does. */
class TestParallelVerifier {
  @Test
  void aGroupWhoseCheckEndsWithAnErrorCountsAsNotChecked() throws IOException {
    Tally tally = new Tally();
    List<GroupFinding> findings = new ArrayList<>();
    try (ParallelVerifier<GroupSpot, GroupFinding> verifier = new ParallelVerifier<>(2, spot -> {
      if (spot.groupId == -32) {
        throw new OutOfMemoryError("thrown on purpose");
      }
      return GroupFinding.of(spot, Verdict.AGREES, "");
    }, spot -> GroupFinding.of(spot, Verdict.NOT_CHECKED, Sentences.ERROR), finding -> {
      tally.add(finding);
      findings.add(finding);
    })) {
      for (long group = -16; group >= -64; group -= 16) {
        verifier.submit(new GroupSpot("/f", 0, group));
      }
      verifier.finish();
    }
    assertEquals(4, tally.groups());
    assertEquals(3, tally.groups(Verdict.AGREES));
    assertFalse(tally.isFine(), "a group was not checked");
    GroupFinding bad = findings.stream().filter(one -> one.verdict == Verdict.NOT_CHECKED)
        .findFirst().get();
    assertEquals(-32, bad.spot.groupId);
    assertTrue(bad.text.contains("an error ended the check"), bad.text);
  }
}
