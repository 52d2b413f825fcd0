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
package org.hdfsppr.coder.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.util.ECPolicyLoader;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.junit.jupiter.api.Test;

/** {@code conf/ec-policies.xml}, read as {@code hdfs ec -addPolicies} reads it. */
@InterfaceAudience.Private
class TestPolicyFile {
  private static final int CELL_BYTES_MAX = 4 << 20;
  private static final Path FILE =
      Paths.get("..", "conf", "ec-policies.xml").toAbsolutePath().normalize();

  private final List<ErasureCodingPolicy> policies =
      new ECPolicyLoader().loadPolicy(FILE.toString());

  @Test
  void thereIsAPolicyForEveryCodeAndNoOther() {
    TreeSet<String> expected = Stream.concat(Stream.of("RS-12-4"),
        ShippedCodes.all().map(code -> code.name().toUpperCase(Locale.ROOT)))
        .map(name -> name + "-1024k").collect(Collectors.toCollection(TreeSet::new));
    // Disks with moving heads need longer reads than a sub-chunk of a cell of 1 MiB. The NameNode
    // takes no longer cells than these by default (dfs.namenode.ec.policies.max.cellsize).
    ShippedCodes.all().filter(code -> code.name().startsWith("less")
        || code.name().startsWith("hitchhiker")).filter(code -> code.dataUnits() >= 10)
        .forEach(code -> expected.add(code.name().toUpperCase(Locale.ROOT) + "-4096k"));
    assertTrue(expected.contains("LESS-A4-10-4-4096k"));
    assertTrue(expected.contains("HITCHHIKER-XORPLUS-10-4-4096k"));
    assertTrue(policies.stream().allMatch(policy -> policy.getCellSize() <= CELL_BYTES_MAX));
    assertEquals(expected, policies.stream().map(ErasureCodingPolicy::getName)
        .collect(Collectors.toCollection(TreeSet::new)));
    assertEquals(expected.size(), policies.size());
  }

  @Test
  void everyPolicyHasACodeOnThisClassPath() throws IOException {
    for (ErasureCodingPolicy policy : policies) {
      assertTrue(CodecUtil.hasCodec(policy.getCodecName()), policy.toString());
      LinearCode code = Codes.forCodec(new Configuration(), policy.getCodecName(),
          policy.getNumDataUnits(), policy.getNumParityUnits());
      assertEquals(policy.getName(), code.name().toUpperCase(Locale.ROOT) + "-"
          + policy.getCellSize() / 1024 + "k");
      assertTrue(policy.getSchema().getExtraOptions().isEmpty(),
          "options beyond k and m do not reach a raw coder: " + policy);
    }
  }
}
