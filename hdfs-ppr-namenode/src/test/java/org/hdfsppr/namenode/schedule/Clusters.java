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
package org.hdfsppr.namenode.schedule;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/** Makes nodes, groups and codes for tests. */
@InterfaceAudience.Private
final class Clusters {
  static final int MIB = 1 << 20;
  /** The rate of 200 Mbit/s in bytes per second. */
  static final double LINK = 25e6;

  private Clusters() {
  }

  static NodeRef node(String name, String rack) {
    return new NodeRef(name, name, name, 1, 2, rack);
  }

  static NodeRef stockNode(String name, String rack) {
    return new NodeRef(name, name, name, 1, NodeRef.NO_REPAIR_PORT, rack);
  }

  static List<NodeRef> nodes(int count, int racks) {
    List<NodeRef> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(node("n" + i, "/r" + i % racks));
    }
    return nodes;
  }

  static LinearCode code(GroupPolicy policy) throws IOException {
    return policy.codec.equals("rs")
        ? ReedSolomon.hadoop(policy.dataUnits, policy.parityUnits)
        : PprCodec.byName(policy.codec).get().code(policy.dataUnits, policy.parityUnits);
  }

  static SchedulerOptions options(int checkOneIn) {
    return new SchedulerOptions(new CodeReads(Clusters::code), checkOneIn,
        new MpprWeights(MpprWeights.CACHE_GAIN_PAPER, 64 * MIB, 6));
  }

  static RepairScheduler scheduler(String name) {
    return RepairSchedulers.byName(name, options(64), new Random(1));
  }

  static Fleet fleet(RepairScheduler scheduler, List<NodeRef> nodes) {
    Fleet fleet = new Fleet(scheduler.rank());
    nodes.forEach(node -> {
      fleet.join(node, NodeCapacity.ofLink(LINK));
      fleet.report(node, NodeReport.NONE.withNarrowLinks(true));
    });
    return fleet;
  }

  /** Makes a group of full blocks with unit u at {@code holders.get(u)}. */
  static LostGroup group(long number, GroupPolicy policy, List<NodeRef> holders,
      List<Integer> lost, long sinceMs) {
    return group(number, policy, holders, lost, sinceMs, 64L * MIB * policy.dataUnits);
  }

  /** As the other method, but with another length of a unit than 64 MiB. */
  static LostGroup group(long number, GroupPolicy policy, List<NodeRef> holders,
      List<Integer> lost, long sinceMs, long bytes) {
    List<UnitHolder> live = new ArrayList<>();
    List<NodeRef> occupied = new ArrayList<>();
    for (int unit = 0; unit < holders.size(); unit++) {
      if (!lost.contains(unit)) {
        live.add(new UnitHolder(unit, holders.get(unit)));
        occupied.add(holders.get(unit));
      }
    }
    return new LostGroup(new GroupId("pool", number * 16, 1), bytes, policy, live, lost,
        policy.parityUnits - lost.size(), sinceMs).occupying(occupied);
  }
}
