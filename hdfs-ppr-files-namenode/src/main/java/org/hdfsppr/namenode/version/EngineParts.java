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
package org.hdfsppr.namenode.version;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.track.MadeGroups;
import org.hdfsppr.plan.NodeRef;

/** What all versions that an engine makes have in common. Immutable; its parts are thread-safe. */
@InterfaceAudience.Private
public final class EngineParts {
  final VersionNamespace namespace;
  final VersionStore store;
  final VersionDataNodes door;
  final VersionGate gate;
  final OrderBook orders;
  final MadeGroups made;
  final CodePathCache codes;
  final VersionSettings settings;
  final OldReadReports reads;
  final LinkLoads links;
  final VerificationSlots checks;
  final DigestSlots digestPlaces;
  final PublishLine publishers = new PublishLine();
  /**
   * How many groups had to be read over the network, because not all digests came for which
   * DataNodes were asked.
   */
  final LongAdder withoutDigests = new LongAdder();
  private final String run;
  private final AtomicLong orderNumbers = new AtomicLong();
  final VersionHook hook;
  final LongSupplier clockMs;
  final LongSupplier wallClockMs;

  /**
   * @param files how versions reach the files of the NameNode
   * @param nodes how versions give orders to DataNodes, and get their results
   * @param manager what versions and the repair manager know of each other
   * @param codes the ways to convert a group from one code to another
   * @param settings the operator's settings
   * @param hook is called at each {@link VersionPoint} of a version
   * @param clocks the clocks of the engine
   */
  public EngineParts(Files files, DataNodes nodes, Manager manager, CodePathCache codes,
      VersionSettings settings, VersionHook hook, Clocks clocks) {
    this.namespace = files.namespace;
    this.store = files.store;
    this.door = nodes.door;
    this.orders = nodes.orders;
    this.run = nodes.run;
    this.reads = nodes.reads;
    this.gate = manager.gate;
    this.made = manager.made;
    this.checks = new VerificationSlots(door);
    this.digestPlaces = new DigestSlots(clocks.clockMs);
    this.codes = codes;
    this.settings = settings;
    this.links = gate.links();
    this.hook = hook;
    this.clockMs = clocks.clockMs;
    this.wallClockMs = clocks.wallClockMs;
  }

  /** Returns rules that use the codes of this NameNode and the doubts of its repair manager. */
  VersionRules rules() {
    return new VersionRules(codes, gate::isDoubted);
  }

  /**
   * Returns an id for an order. It differs from those of all earlier engines, which may have had
   * the same term.
   */
  String newOrderId() {
    return "version-" + run + "-" + orderNumbers.incrementAndGet();
  }

  /** How versions see the files of the NameNode. */
  public static final class Files {
    private final VersionNamespace namespace;
    private final VersionStore store;

    /**
     * @param namespace methods of the NameNode that are not open to clients
     * @param store the directories of versions, and their records
     */
    public Files(VersionNamespace namespace, VersionStore store) {
      this.namespace = namespace;
      this.store = store;
    }
  }

  /** How versions give orders to DataNodes. */
  public static final class DataNodes {
    private final VersionDataNodes door;
    private final OrderBook orders;
    private final String run;
    private final OldReadReports reads;

    /** Creates parts for tests, whose reports of reads wait for no DataNode. */
    DataNodes(VersionDataNodes door, OrderBook orders) {
      this(door, orders, "run", OldReadReports.ofTests());
    }

    /**
     * @param door sends orders to the plugins of the DataNodes
     * @param orders keeps the orders, and gets the DataNodes' results
     * @param run an identifier of this run of the NameNode's plugin, without blanks, different from
     *     that of every other run
     * @param reads what DataNodes report about clients that read old versions
     */
    public DataNodes(VersionDataNodes door, OrderBook orders, String run, OldReadReports reads) {
      this.door = door;
      this.orders = orders;
      this.run = run;
      this.reads = reads;
    }
  }

  /** What versions and the repair manager know of each other. */
  public static final class Manager {
    private final VersionGate gate;
    private final MadeGroups made;

    /**
     * @param gate what the repair manager allows, and its term
     * @param made is given the groups that are being made, which repairs leave out
     */
    public Manager(VersionGate gate, MadeGroups made) {
      this.gate = gate;
      this.made = made;
    }
  }

  /** The clocks of the engine. */
  public static final class Clocks {
    private final LongSupplier clockMs;
    private final LongSupplier wallClockMs;

    /**
     * @param clockMs returns the time, monotonic, ms
     * @param wallClockMs returns the time, ms since 1970 (UTC)
     */
    public Clocks(LongSupplier clockMs, LongSupplier wallClockMs) {
      this.clockMs = clockMs;
      this.wallClockMs = wallClockMs;
    }
  }

  /**
   * Counts how many groups of new versions each DataNode checks at present. A DataNode refuses a
   * check if it already has as many as it accepts, so that files wait here until a node has fewer.
   * Thread-safe.
   */
  static final class VerificationSlots {
    private final VersionDataNodes door;
    /** How many checks each node has, by the node's UUID. Nodes without checks are left out. */
    private final Map<String, Integer> taken = new HashMap<>();

    VerificationSlots(VersionDataNodes door) {
      this.door = door;
    }

    /**
     * Takes a place on the node that has the fewest checks.
     *
     * @param nodes the nodes that can lead the check
     * @return the node, which the caller gives back by {@link #release}; empty if no node accepts a
     *     check now
     */
    synchronized Optional<NodeRef> take(Collection<NodeRef> nodes) {
      Optional<NodeRef> least = nodes.stream()
          .filter(node -> count(node) < door.checksAtATime(node.uuid))
          .min(Comparator.comparingInt(this::count));
      least.ifPresent(node -> taken.merge(node.uuid, 1, Integer::sum));
      return least;
    }

    private int count(NodeRef node) {
      return taken.getOrDefault(node.uuid, 0);
    }

    /** Gives a place back. */
    synchronized void release(NodeRef node) {
      taken.computeIfPresent(node.uuid, (uuid, count) -> count == 1 ? null : count - 1);
    }
  }
}
