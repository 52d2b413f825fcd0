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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Arrays;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;

/**
 * Caches for each policy which groups are claimed. It asks once for each policy, and asks again
 * only after the claims have changed. Guarded by the monitor of the {@link
 * SplitLowRedundancyBlocks} that has this object.
 */
@InterfaceAudience.Private
final class ClaimMarks {
  private static final byte UNKNOWN = 0;
  private static final byte NO = 1;
  private static final byte LOSSES = 2;
  private static final byte LEAVING = 3;

  private final Predicate<ErasureCodingPolicy> losses;
  private final Predicate<ErasureCodingPolicy> leaving;
  /** The claim on each policy, by the policy's id, which is a byte. */
  private final byte[] claimed = new byte[256];

  /**
   * @param losses decides whether groups of a policy that have really lost units are claimed
   * @param leaving decides whether groups whose units are on nodes that are being decommissioned
   *     are claimed, too
   */
  ClaimMarks(Predicate<ErasureCodingPolicy> losses, Predicate<ErasureCodingPolicy> leaving) {
    this.losses = losses;
    this.leaving = leaving;
  }

  boolean claims(BlockInfo block) {
    return claim(block) != NO;
  }

  boolean claimsLeaving(BlockInfo block) {
    return claim(block) == LEAVING;
  }

  private byte claim(BlockInfo block) {
    ErasureCodingPolicy policy = ((BlockInfoStriped) block).getErasureCodingPolicy();
    int id = policy.getId() & 0xff;
    if (claimed[id] == UNKNOWN) {
      claimed[id] = leaving.test(policy) ? LEAVING : losses.test(policy) ? LOSSES : NO;
    }
    return claimed[id];
  }

  void forget() {
    Arrays.fill(claimed, UNKNOWN);
  }
}
