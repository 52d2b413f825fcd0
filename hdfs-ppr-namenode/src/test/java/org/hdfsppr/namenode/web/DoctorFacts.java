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
package org.hdfsppr.namenode.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.NodeSelf;
import org.hdfsppr.manage.OwnJar;
import org.hdfsppr.manage.RepairRates;
import org.hdfsppr.namenode.doctor.ClusterFacts;
import org.hdfsppr.namenode.doctor.NodeFacts;
import org.hdfsppr.namenode.doctor.NodeFacts.SelfDescription;
import org.hdfsppr.plan.NodeRef;

/** What the doctor sees in made-up clusters. */
@InterfaceAudience.Private
public final class DoctorFacts {
  private static final double LINK = 1.25e8;
  private static final NodeLoad IDLE = new NodeLoad(0, 0, 8, 0, 0, 0).withMachine(0, 0, 0);
  private static final List<OwnJar> JARS =
      List.of(new OwnJar("lib/hdfs-ppr-datanode.jar", "0.3.0"));

  private DoctorFacts() {
  }

  private static List<NodeRef> live(int count) {
    List<NodeRef> live = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      live.add(Samples.node(i));
    }
    return live;
  }

  private static NodeSelf self(String kernel, String fallback, String stall, List<OwnJar> jars) {
    return new NodeSelf("3.4.3", "17.0.9", kernel, fallback, new TreeMap<>(Map.of(
        PprKeys.DATANODE_ADDRESS_KEY, "0.0.0.0:9877", PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY,
        stall)), jars);
  }

  private static NodeFacts good(int number) {
    return new NodeFacts(Samples.node(number),
        new SelfDescription("0.3.0", self("isal", "", "10000", JARS), 3L, List.of()),
        IDLE.withRepairRates(new RepairRates(7, 9, 100_000_000, 90_000_000)),
        800, false, CommandFeatures.UPDATE_LOG | CommandFeatures.SEALED_TICKETS, true);
  }

  private static ClusterFacts.NameNodeFacts namenode(boolean isLinkRateSet, OwnJar... jars) {
    return new ClusterFacts.NameNodeFacts("0.3.0", List.of(jars), LINK, isLinkRateSet);
  }

  /** @return a cluster: no DataNode has the plugin */
  public static ClusterFacts none() {
    return new ClusterFacts(live(3), List.of(), Map.of(), 0, namenode(true));
  }

  /** @return a cluster: nothing is wrong, and some ports are still tried */
  public static ClusterFacts fine() {
    return new ClusterFacts(live(3), List.of(good(0), good(1), good(2)), Map.of(), 1,
        namenode(false, new OwnJar("lib/hdfs-ppr-namenode.jar", "0.3.0")));
  }

  /** @return a cluster: each check finds what it looks for */
  public static ClusterFacts sick() {
    NodeFacts silent = new NodeFacts(Samples.node(0),
        new SelfDescription("0.3.0", null, null, List.of()), IDLE, 3_000_000, true, 0, null);
    NodeFacts old = new NodeFacts(Samples.node(1), new SelfDescription(HeartbeatRequest.NO_VERSION,
        null, null, List.of()), IDLE, 900, false, CommandFeatures.UPDATE_LOG, null);
    NodeFacts java = new NodeFacts(Samples.node(2), new SelfDescription(
        "0.2.0", self("java", "/tmp is mounted noexec", "7000", JARS), 600_000L, List.of("uuid-4")),
        IDLE.withRepairRates(new RepairRates(1, 2, 600_000_000, 3)).withLimits(1 << 20, 1 << 21),
        1_000, false, CommandFeatures.UPDATE_LOG, false);
    NodeFacts mixed = new NodeFacts(Samples.node(3), new SelfDescription("0.3.0",
        self("java", "", "10000",
            List.of(JARS.get(0), new OwnJar("hdfs/old.jar", "0.1.0"), new OwnJar("classes", ""))),
        -120_000L, List.of("uuid-4")), IDLE, 1_100, false, 0, true);
    return new ClusterFacts(live(8),
        List.of(silent, old, java, mixed, good(4), good(5)),
        Map.of("uuid-5", "Connection refused"), 2, namenode(true,
            new OwnJar("lib/a.jar", "0.3.0"), new OwnJar("lib/b.jar", "0.2.0")));
  }

  /** @return a cluster: other sentences of the same checks */
  public static ClusterFacts slow() {
    NodeFacts slow = new NodeFacts(Samples.node(0), new SelfDescription("0.2.0",
        self("java", "no library", "10000", JARS), 61_000L, List.of()),
        IDLE.withRepairRates(new RepairRates(1, 2, 25_000_000, 1_000)), 900, false,
        CommandFeatures.UPDATE_LOG, null);
    NodeFacts other = new NodeFacts(Samples.node(1), new SelfDescription("0.2.0",
        self("java", "no library", "10000", JARS), 62_000L, List.of()), IDLE, 900, false, 0, null);
    return new ClusterFacts(live(2), List.of(slow, other), Map.of(), 0,
        namenode(true));
  }
}
