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
package org.hdfsppr.it.codes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.hdfsppr.it.util.EcCode;

/** A policy whose files lose units, and its code. Immutable. */
final class TestedPolicy {
  private final ErasureCodingPolicy policy;
  final EcCode code;

  private TestedPolicy(ErasureCodingPolicy policy) throws IOException {
    this.policy = policy;
    this.code = EcCode.parse(policy.getCodecName() + "-" + policy.getNumDataUnits() + "-"
        + policy.getNumParityUnits());
  }

  /** Returns for each code the policy with the smallest cells, in the order of the policies. */
  static List<TestedPolicy> oneForEachCode(List<ErasureCodingPolicy> policies)
      throws IOException {
    Map<String, ErasureCodingPolicy> chosen = policies.stream()
        .sorted(Comparator.comparing(ErasureCodingPolicy::getCellSize))
        .collect(Collectors.toMap(policy -> policy.getSchema().toString(), policy -> policy,
            (smaller, larger) -> smaller, LinkedHashMap::new));
    List<TestedPolicy> tested = new ArrayList<>();
    for (ErasureCodingPolicy policy : policies) {
      if (chosen.containsValue(policy)) {
        tested.add(new TestedPolicy(policy));
      }
    }
    return tested;
  }

  int cellBytes() {
    return policy.getCellSize();
  }

  String name() {
    return policy.getName();
  }

  /** Returns where the files of the policy are. */
  Path directory() {
    return new Path("/" + code.label());
  }

  @Override
  public String toString() {
    return code.label() + ", cells of " + (cellBytes() >> 10) + " KiB";
  }
}
