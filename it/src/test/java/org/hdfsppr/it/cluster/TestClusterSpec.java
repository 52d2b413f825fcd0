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
package org.hdfsppr.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

/** A specification that cannot be built is refused before any part of the cluster is built. */
class TestClusterSpec {

  private static String refusal(ClusterSpec.Builder builder) {
    return assertThrows(IllegalArgumentException.class, builder::build).getMessage();
  }

  @Test
  void namesMustFitIntoInterfaceNames() {
    assertTrue(refusal(ClusterSpec.builder().name("ninechars")).contains("name"));
    assertTrue(refusal(ClusterSpec.builder().name("../up")).contains("name"));
    assertTrue(refusal(ClusterSpec.builder().name("")).contains("name"));
  }

  @Test
  void countsMustMakeSense() {
    assertTrue(refusal(ClusterSpec.builder().nodes(0)).contains("nodes"));
    assertTrue(refusal(ClusterSpec.builder().nodes(201)).contains("nodes"));
    assertTrue(refusal(ClusterSpec.builder().nodes(3).racks(4)).contains("racks"));
  }

  @Test
  void loopbackCannotBeShaped() {
    ClusterSpec.Builder loopback = ClusterSpec.builder().network(NetworkKind.LOOPBACK);
    assertEquals(Rate.UNLIMITED, loopback.build().rate);
    assertTrue(refusal(loopback.rate(Rate.parse("1gbit"))).contains("loopback"));
  }

  @Test
  void crossRackRateWantsRacks() {
    assertTrue(refusal(ClusterSpec.builder().racks(1).crossRackRate(Rate.parse("1gbit")))
        .contains("rack"));
  }

  @Test
  void racksGetTheirNodesInTurn() {
    ClusterSpec spec = ClusterSpec.builder().nodes(7).racks(3).build();
    assertEquals(1, spec.rackOf(1));
    assertEquals(3, spec.rackOf(3));
    assertEquals(1, spec.rackOf(4));
    assertEquals(1, spec.rackOf(7));
  }

  @Test
  void survivesTheFileThatDownReads() {
    ClusterSpec spec = ClusterSpec.builder().name("x1").nodes(5).racks(2)
        .rate(Rate.parse("200mbit")).crossRackRate(Rate.parse("100mbit")).hadoopVersion("3.3.6")
        .plugin(true).nameNodePlugin(true).ha(true).conf("dfs.a", "1").build();
    ObjectMapper mapper = new ObjectMapper();
    assertEquals(spec.toJson(mapper), ClusterSpec.fromJson(spec.toJson(mapper)).toJson(mapper));
  }
}
