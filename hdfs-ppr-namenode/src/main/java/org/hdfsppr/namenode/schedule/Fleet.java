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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.schedule.LinkOrDisk.Kind;
import org.hdfsppr.plan.NodeRef;

/**
 * Predicts the load of every link and disk from two numbers: the bytes that repairs in flight still
 * have to move over it, and the rate that users' traffic leaves free. For each node that a repair
 * uses, an update takes a time that grows with the logarithm of the number of nodes.
 *
 * <p>A node keeps its index even after it has left, and loads name nodes by their indices. So the
 * load of a repair can be removed even after one of its nodes has left and joined again. Not
 * thread-safe: only the thread that plans uses it.
 */
@InterfaceAudience.Private
public final class Fleet {
  /**
   * Added to the rank of nodes that can lead no further repair, so that they come behind all
   * others. It is far above any rank, and small enough to keep the order of such nodes.
   */
  private static final double FULL = 1e9;

  /**
   * How long, s, repairs must still need the links between a rack and other racks before work less
   * urgent than repairs waits in the whole rack. A single repair needs much less. If a single
   * repair counted, some rack would be busy nearly always.
   */
  private static final double RACK_BUSY_S = 10;

  private final DestinationRank rank;
  private final double crossRackBytesPerS;
  private final Map<NodeRef, NodeState> byRef = new HashMap<>();
  private final List<NodeState> nodes = new ArrayList<>();
  private final Map<String, RackState> byRack = new HashMap<>();
  private final List<RackState> racks = new ArrayList<>();
  private final LoadTree rackTree = new LoadTree();
  private final Set<Integer> relieved = new LinkedHashSet<>();
  private int racksPresent;

  /**
   * Makes a fleet without a limit for traffic between racks.
   *
   * @param rank ranks nodes as destinations
   */
  public Fleet(DestinationRank rank) {
    this(rank, NodeCapacity.UNLIMITED);
  }

  /**
   * @param rank the ranking of the scheduler, see {@link RepairScheduler#rank}
   * @param crossRackBytesPerS rate at which each rack can send to other racks, and at which it can
   *     receive from them, bytes/s, or {@link NodeCapacity#UNLIMITED}
   */
  public Fleet(DestinationRank rank, double crossRackBytesPerS) {
    this.rank = Objects.requireNonNull(rank, "rank");
    this.crossRackBytesPerS = NodeCapacity.checked(crossRackBytesPerS);
  }

  /**
   * Adds a node, or changes the capacity, rack or port of a node that has joined before.
   *
   * @param node the DataNode
   * @param capacity the rates of the node's links and disks, bytes/s
   */
  public void join(NodeRef node, NodeCapacity capacity) {
    NodeState state = byRef.get(node);
    if (state == null) {
      state = new NodeState(nodes.size());
      nodes.add(state);
    } else {
      // HashMap.put would keep the old reference as the key, but the new reference may have another
      // rack and port.
      byRef.remove(node);
    }
    byRef.put(node, state);
    RackState rack = byRack.computeIfAbsent(node.rack, name -> newRack());
    if (state.rack() != rack) {
      moveTo(rack, state, node, capacity);
    } else {
      state.place(node, rack, state.slotInRack(), capacity);
    }
    setPresent(state, true);
    changed(state);
    relieved.add(state.index);
  }

  private RackState newRack() {
    RackState rack = new RackState(racks.size(), crossRackBytesPerS);
    racks.add(rack);
    rackTree.add();
    return rack;
  }

  private void moveTo(RackState rack, NodeState state, NodeRef node, NodeCapacity capacity) {
    RackState old = state.rack();
    if (old != null) {
      setPresent(state, false);
      old.destinations.set(state.slotInRack(), LoadTree.NEVER);
      rank(old);
    }
    state.place(node, rack, rack.addSlot(state.index), capacity);
  }

  private void setPresent(NodeState state, boolean on) {
    if (state.isPresent() == on) {
      return;
    }
    state.setPresent(on);
    RackState rack = state.rack();
    int before = rack.present();
    rack.addPresent(on ? 1 : -1);
    if (before == 0 || rack.present() == 0) {
      racksPresent += on ? 1 : -1;
    }
  }

  /**
   * Removes a node. The loads of repairs in flight stay counted for the node until the caller
   * removes these repairs.
   *
   * @param node the DataNode
   */
  public void leave(NodeRef node) {
    NodeState state = byRef.get(node);
    if (state != null) {
      setPresent(state, false);
      changed(state);
      // Groups that wait for this node need another plan, and can be tried again at once.
      relieved.add(state.index);
    }
  }

  /**
   * Keeps a node out of repairs, or lets the node take part again.
   *
   * @param node the DataNode
   * @param on whether the node is kept out
   */
  public void quarantine(NodeRef node, boolean on) {
    NodeState state = byRef.get(node);
    if (state != null) {
      state.setQuarantined(on);
      changed(state);
      relieved.add(state.index);
    }
  }

  /**
   * Takes over the last report of a node.
   *
   * @param node the DataNode
   * @param report the node's other work, as its heartbeat reports it
   */
  public void report(NodeRef node, NodeReport report) {
    NodeState state = byRef.get(node);
    if (state != null) {
      state.accept(report);
      changed(state);
      relieved.add(state.index);
    }
  }

  /**
   * Counts a repair that begins: its bytes are pending from now on.
   *
   * @param load the bytes that the repair moves over each link and disk
   */
  public void add(RepairLoad load) {
    if (load.isHeld()) {
      throw new IllegalStateException("A load that is counted already");
    }
    load.setHeld(true);
    for (int helper : load.helpers) {
      nodes.get(helper).addHelping(1);
    }
    for (int target : load.targets) {
      nodes.get(target).addReceiving(1);
    }
    count(load, 0);
  }

  /**
   * Takes over the progress of a repair. Does nothing if the repair has ended.
   *
   * @param load the bytes that the repair moves over each link and disk
   * @param doneShare the share of the repair that is done, 0 to 1
   */
  public void progress(RepairLoad load, double doneShare) {
    if (load.isHeld()) {
      count(load, Math.max(0, Math.min(1, doneShare)));
      if (doneShare > 0) {
        relieve(load);
      }
    }
  }

  /**
   * Removes the load of a repair that has ended, with success or without.
   *
   * @param load the bytes that the repair moves over each link and disk
   * @return false if the load was removed before
   */
  public boolean remove(RepairLoad load) {
    if (!withdraw(load)) {
      return false;
    }
    relieve(load);
    return true;
  }

  /**
   * Removes the load of a planned repair. Unlike {@link #remove}, this method does not cause new
   * tries of the groups that wait for the links and disks of this repair.
   */
  boolean withdraw(RepairLoad load) {
    if (!load.isHeld()) {
      return false;
    }
    load.setHeld(false);
    for (int helper : load.helpers) {
      nodes.get(helper).addHelping(-1);
    }
    for (int target : load.targets) {
      nodes.get(target).addReceiving(-1);
    }
    count(load, 1);
    return true;
  }

  /**
   * @return UUIDs of the nodes that take part in repairs in flight; if the links between racks are
   *     limited, also UUIDs of all nodes of a rack whose links to other racks need more than {@link
   *     #RACK_BUSY_S} for the pending bytes of repairs
   */
  public Collection<String> atRepairs() {
    List<String> uuids = new ArrayList<>();
    for (NodeState node : nodes) {
      RackState rack = node.rack();
      if (node.helping() > 0 || node.receiving() > 0 || RACK_BUSY_S < rack.secondsPerByte
          * Math.max(rack.pending(Kind.UP), rack.pending(Kind.DOWN))) {
        uuids.add(node.ref().uuid);
      }
    }
    return uuids;
  }

  /** Lets the planner try again the groups that wait for a node or rack of this load. */
  void relieve(RepairLoad load) {
    for (int i = 0; i < load.size(); i++) {
      relieved.add(LinkOrDisk.place(load.resource(i)));
    }
  }

  private void count(RepairLoad load, double doneShare) {
    for (int i = 0; i < load.size(); i++) {
      long now = load.bytes(i) - (long) (load.bytes(i) * doneShare);
      long change = now - load.counted(i);
      load.setCounted(i, now);
      int place = LinkOrDisk.place(load.resource(i));
      Kind kind = LinkOrDisk.kind(load.resource(i));
      if (place >= 0) {
        nodes.get(place).addPending(kind, change);
      } else {
        racks.get(LinkOrDisk.rackOf(place)).addPending(kind, change);
      }
    }
    // Updates the ranking only after all resources of a place have changed. In a load, the
    // resources of a place are mostly next to each other, so that most places are ranked only once.
    for (int i = 0; i < load.size(); i++) {
      int place = LinkOrDisk.place(load.resource(i));
      if (i > 0 && place == LinkOrDisk.place(load.resource(i - 1))) {
        continue;
      }
      if (place >= 0) {
        changed(nodes.get(place));
      } else {
        rank(racks.get(LinkOrDisk.rackOf(place)));
      }
    }
  }

  private void changed(NodeState state) {
    double key = LoadTree.NEVER;
    if (state.isDestination()) {
      key = rank.key(state) + (state.isFull() ? FULL : 0);
    }
    state.rack().destinations.set(state.slotInRack(), key);
    rank(state.rack());
  }

  private void rank(RackState rack) {
    rackTree.set(rack.index,
        Math.max(rack.destinations.least(), rackKey(rack)));
  }

  /**
   * Returns the nodes and racks, as places of {@link LinkOrDisk}, that have changed since the last
   * call: their load has fallen, or the node has joined, left, sent a report or changed its
   * quarantine. Groups that wait for these places are worth another try.
   */
  List<Integer> takeRelieved() {
    List<Integer> taken = new ArrayList<>(relieved);
    relieved.clear();
    return taken;
  }

  /**
   * Finds the node that comes first in the ranking, among the accepted nodes that may be
   * destinations.
   *
   * @param rackAccepted accepts or refuses a rack by its index
   * @param nodeAccepted accepts or refuses a node by its index; called in the order of the ranking
   *     within a rack
   * @return the index of the node, or -1 if there is none
   */
  int findDestination(IntPredicate rackAccepted, IntPredicate nodeAccepted) {
    int[] best = {-1};
    rackTree.find(rack -> {
      if (rackAccepted.test(rack)
          && (best[0] < 0 || rackTree.key(rack) <= destinationKey(best[0]))) {
        int found = findDestination(rack, nodeAccepted);
        if (found >= 0 && (best[0] < 0 || destinationKey(found) < destinationKey(best[0]))) {
          best[0] = found;
        }
        // The search ends with the first rack that cannot have a better node.
        return best[0] >= 0 && rackTree.key(rack) >= destinationKey(best[0]);
      }
      return best[0] >= 0 && rackTree.key(rack) > destinationKey(best[0]);
    });
    return best[0];
  }

  /**
   * Returns the node of one rack that comes first in the ranking, among the accepted nodes that may
   * be destinations; -1 if there is none.
   */
  int findDestination(int rack, IntPredicate nodeAccepted) {
    RackState state = racks.get(rack);
    int slot = state.destinations.find(s -> nodeAccepted.test(state.node(s)));
    return slot < 0 ? -1 : state.node(slot);
  }

  private double destinationKey(int node) {
    NodeState state = nodes.get(node);
    return Math.max(state.rack().destinations.key(state.slotInRack()),
        rackKey(state.rack()));
  }

  private double rackKey(RackState rack) {
    return isCrossRackLimited() ? rank.rackKey(rack.secondsPerByte, rack.pending(Kind.DOWN))
        : Double.NEGATIVE_INFINITY;
  }

  /** @return how many nodes ever joined; the indices of nodes are below this number */
  public int size() {
    return nodes.size();
  }

  int racksPresent() {
    return racksPresent;
  }

  int rackCount() {
    return racks.size();
  }

  boolean isCrossRackLimited() {
    return crossRackBytesPerS != NodeCapacity.UNLIMITED;
  }

  /**
   * @param node the DataNode
   * @return the node's state, or null if the node never joined
   */
  public NodeState find(NodeRef node) {
    return byRef.get(node);
  }

  /**
   * @param index number of the node in the order in which nodes joined, from 0
   * @return the state of the node
   */
  public NodeState node(int index) {
    return nodes.get(index);
  }

  RackState rack(int index) {
    return racks.get(index);
  }

  /** Returns the seconds that these bytes take on a resource that carries nothing else. */
  double secondsAlone(int resource, long bytes) {
    int place = LinkOrDisk.place(resource);
    return bytes * (place >= 0 ? nodes.get(place).secondsPerByte(LinkOrDisk.kind(resource))
        : racks.get(LinkOrDisk.rackOf(place)).secondsPerByte);
  }

  /**
   * Returns the seconds until a resource will have moved its pending bytes and {@code more} bytes.
   * Disks either read or write at a time, so that pending writes delay reads.
   */
  double secondsWith(int resource, long more) {
    int place = LinkOrDisk.place(resource);
    Kind kind = LinkOrDisk.kind(resource);
    if (place < 0) {
      RackState rack = racks.get(LinkOrDisk.rackOf(place));
      return (rack.pending(kind) + more) * rack.secondsPerByte;
    }
    NodeState node = nodes.get(place);
    switch (kind) {
      case READ:
        return node.diskSeconds(more, 0);
      case WRITE:
        return node.diskSeconds(0, more);
      default:
        return node.linkSeconds(kind, more);
    }
  }

  long pending(int resource) {
    int place = LinkOrDisk.place(resource);
    return place >= 0 ? nodes.get(place).pending(LinkOrDisk.kind(resource))
        : racks.get(LinkOrDisk.rackOf(place)).pending(LinkOrDisk.kind(resource));
  }
}
