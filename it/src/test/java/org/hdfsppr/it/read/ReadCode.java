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
package org.hdfsppr.it.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.util.ECPolicyLoader;
import org.hdfsppr.coder.cost.LossTolerance;
import org.hdfsppr.it.util.EcCode;
import org.hdfsppr.it.util.ItPaths;

/** An erasure coding policy of test files, and the number of losses that it always survives. */
final class ReadCode {
  final ErasureCodingPolicy policy;
  /** How many units can always be lost, in any combination, without losing data. */
  final int guaranteed;

  private ReadCode(ErasureCodingPolicy policy, int guaranteed) {
    this.policy = policy;
    this.guaranteed = guaranteed;
  }

  /** Returns Hadoop's own policies and all of {@code conf/ec-policies.xml}. */
  static List<ReadCode> all() throws IOException {
    List<ReadCode> all = new ArrayList<>();
    for (ErasureCodingPolicy policy : SystemErasureCodingPolicies.getPolicies()) {
      // Reed-Solomon and XOR survive the loss of any units up to the number of their parity units.
      all.add(new ReadCode(policy, policy.getNumParityUnits()));
    }
    for (ErasureCodingPolicy policy : shipped()) {
      EcCode code = EcCode.parse(policy.getCodecName() + "-" + policy.getNumDataUnits() + "-"
          + policy.getNumParityUnits());
      all.add(new ReadCode(policy, LossTolerance.guaranteed(code.code)));
    }
    return all;
  }

  static List<ErasureCodingPolicy> shipped() {
    return new ECPolicyLoader().loadPolicy(
        ItPaths.itDir().resolveSibling("conf").resolve("ec-policies.xml").toString());
  }

  int cellBytes() {
    return policy.getCellSize();
  }

  int dataUnits() {
    return policy.getNumDataUnits();
  }

  @Override
  public String toString() {
    return policy.getName();
  }
}
