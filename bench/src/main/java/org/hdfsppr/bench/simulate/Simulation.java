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
package org.hdfsppr.bench.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

import org.hdfsppr.namenode.model.LostGroup;
import org.hdfsppr.namenode.schedule.DestinationFilter;
import org.hdfsppr.namenode.schedule.Fleet;
import org.hdfsppr.namenode.schedule.LinkOrDisk;
import org.hdfsppr.namenode.schedule.NodeState;
import org.hdfsppr.namenode.schedule.RepairAdmission;
import org.hdfsppr.namenode.schedule.RepairDispatcher;
import org.hdfsppr.namenode.schedule.RepairLoad;
import org.hdfsppr.namenode.schedule.RepairProposal;
import org.hdfsppr.namenode.schedule.RepairQueue;
import org.hdfsppr.namenode.schedule.RepairScheduler;

/**
 * Simulates the repair of all lost units. The NameNode's own dispatcher decides which repairs
 * start. The simulation computes how long each started repair takes. If several repairs finish
 * within a short time, 1 % of the time in which a link carries a block, the simulation handles them
 * together. This makes the simulated result slightly slower than an exact result, never faster.
 */
final class Simulation {
  private static final double EVENT_SHARE = 0.01;
  private static final double MS = 1000;
  private static final double ROUNDING = 1e-9;
  /** One call of the dispatcher starts at most this many repairs, as in the repair manager. */
  private static final int STARTS_MAX = 500;
  /**
   * The simulation fails after this many successive calls that start nothing while no repair is
   * running. The dispatcher would then never start a repair.
   */
  private static final int IDLE_MAX = 100_000;

  private final SimulatedSpec spec;
  private final RepairQueue queue = new RepairQueue();
  private final Fleet fleet;
  private final RepairDispatcher dispatcher;
  private final FlowNetwork network;
  private final List<Flow> flows = new ArrayList<>();
  private final double intervalS;
  private final double heartbeatS;
  private final int leadsMost;
  private double nextHeartbeatS;
  private double nowS;
  private double lastEndS;
  private int flowsMost;
  private int starts;
  private double sentBytes;

  /**
   * @param intervalS the seconds between two calls of the dispatcher; if 0, the simulation calls
   *     the dispatcher whenever a repair has finished
   * @param heartbeatS the seconds between two reports of the nodes on the progress of their
   *     repairs; if 0, the nodes never report
   * @param leadsMost the most repairs that a node leads at a time, as its reports say; if 0, any
   *     number
   */
  Simulation(SimulatedCluster cluster, RepairScheduler scheduler, RepairAdmission admission,
      double intervalS, double heartbeatS, int leadsMost) {
    this.heartbeatS = heartbeatS;
    this.leadsMost = leadsMost;
    this.spec = cluster.spec;
    this.intervalS = intervalS;
    fleet = cluster.fleet(scheduler.rank());
    dispatcher = new RepairDispatcher(queue, fleet, scheduler, admission, DestinationFilter.ANY);
    double[] capacity =
        new double[dense(LinkOrDisk.of(LinkOrDisk.placeOfRack(spec.racks), LinkOrDisk.Kind.UP))];
    Arrays.fill(capacity, Double.POSITIVE_INFINITY);
    for (int node = 0; node < fleet.size(); node++) {
      capacity[dense(LinkOrDisk.of(node, LinkOrDisk.Kind.UP))] = spec.linkBytesPerS();
      capacity[dense(LinkOrDisk.of(node, LinkOrDisk.Kind.DOWN))] = spec.linkBytesPerS();
    }
    for (int rack = 0; rack < spec.racks; rack++) {
      int place = LinkOrDisk.placeOfRack(rack);
      capacity[dense(LinkOrDisk.of(place, LinkOrDisk.Kind.UP))] = spec.crossRackBytesPerS();
      capacity[dense(LinkOrDisk.of(place, LinkOrDisk.Kind.DOWN))] = spec.crossRackBytesPerS();
    }
    network = new FlowNetwork(capacity);
    for (LostGroup group : cluster.lost) {
      queue.put(group);
    }
  }

  /**
   * Maps a resource to an index of the array of links. The links of nodes come first, then the
   * links of racks, whose resource numbers are negative.
   */
  private int dense(int resource) {
    int perPlace = LinkOrDisk.Kind.values().length;
    return resource >= 0 ? resource : perPlace * spec.nodes - 1 - resource;
  }

  /** @return the seconds until all lost units are repaired */
  double run() {
    int idle = 0;
    double nextStartS = 0;
    while (queue.size() > 0 || !flows.isEmpty()) {
      if (nowS >= nextStartS - ROUNDING && queue.size() > 0) {
        boolean started = start();
        idle = started || !flows.isEmpty() ? 0 : idle + 1;
        if (idle > IDLE_MAX) {
          throw new IllegalStateException(queue.size() + " groups never begin");
        }
        nextStartS = intervalS == 0 ? 0 : nowS + intervalS;
      }
      flow(queue.size() > 0 && intervalS > 0 ? nextStartS - nowS : Double.MAX_VALUE);
    }
    return lastEndS;
  }

  private boolean start() {
    if (heartbeatS > 0 && nowS >= nextHeartbeatS) {
      for (Flow flow : flows) {
        fleet.progress(flow.repair.load, flow.done());
      }
      if (leadsMost > 0) {
        reportSlots();
      }
      nextHeartbeatS = nowS + heartbeatS;
    }
    List<RepairProposal> started = dispatcher.dispatch((long) (nowS * MS), STARTS_MAX);
    for (RepairProposal repair : started) {
      Flow flow = flow(repair);
      flows.add(flow);
      network.add(flow);
    }
    starts += started.size();
    flowsMost = Math.max(flowsMost, flows.size());
    return !started.isEmpty();
  }

  private void reportSlots() {
    for (int i = 0; i < fleet.size(); i++) {
      NodeState node = fleet.node(i);
      fleet.report(node.ref(), SimulatedCluster.report(leadsMost - node.receiving()));
    }
  }

  private Flow flow(RepairProposal repair) {
    RepairLoad load = repair.load;
    int[] links = new int[load.size()];
    double[] bytes = new double[load.size()];
    int size = 0;
    for (int i = 0; i < links.length; i++) {
      if (LinkOrDisk.place(load.resource(i)) >= 0
          && LinkOrDisk.kind(load.resource(i)) == LinkOrDisk.Kind.UP) {
        sentBytes += load.bytes(i);
      }
      int link = dense(load.resource(i));
      if (network.isLimited(link)) {
        links[size] = link;
        bytes[size++] = load.bytes(i);
      }
    }
    return new Flow(repair, Arrays.copyOf(links, size), Arrays.copyOf(bytes, size));
  }

  private void flow(double secondsMost) {
    if (flows.isEmpty()) {
      // All waiting groups may start only at a later time, so the clock advances.
      nowS += intervalS > 0 ? intervalS : spec.rate.secondsFor(spec.blockBytes);
      return;
    }
    network.share(flows);
    double first = Double.MAX_VALUE;
    for (Flow flow : flows) {
      first = Math.min(first, flow.secondsLeft());
    }
    double seconds = Math.min(secondsMost,
        first + EVENT_SHARE * spec.rate.secondsFor(spec.blockBytes));
    for (Iterator<Flow> i = flows.iterator(); i.hasNext();) {
      Flow flow = i.next();
      double itsSeconds = flow.secondsLeft();
      if (itsSeconds <= seconds) {
        lastEndS = Math.max(lastEndS, nowS + itsSeconds);
        network.remove(flow);
        fleet.remove(flow.repair.load);
        i.remove();
      } else {
        flow.advance(seconds);
      }
    }
    nowS += seconds;
  }

  /** Returns the bytes that nodes have sent to each other. */
  double sentBytes() {
    return sentBytes;
  }

  int starts() {
    return starts;
  }

  /** Returns the maximum number of repairs that were running at the same time. */
  int flowsMost() {
    return flowsMost;
  }
}
