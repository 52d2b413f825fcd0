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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.schedule.LinkOrDisk.Kind;
import org.hdfsppr.plan.NodeRef;

/** The state of one node in a {@link Fleet}. Not thread-safe. */
@InterfaceAudience.Private
public final class NodeState {
  /** Repairs get at least this share of a link or disk, even if users keep all of it busy. */
  private static final double REPAIR_SHARE_MIN = 0.1;

  /** Number of the node in the order in which nodes joined, from 0 */
  public final int index;
  private NodeRef ref;
  private RackState rack;
  private int slotInRack;
  private NodeCapacity capacity;
  private NodeReport report = NodeReport.NONE;
  private boolean present;
  private boolean quarantined;
  private int helping;
  private int receiving;
  /** How many repairs may write to the node at a time. */
  private long slots = Integer.MAX_VALUE;
  private final long[] pending = new long[LinkOrDisk.KINDS];
  private final double[] secondsPerByte = new double[LinkOrDisk.KINDS];

  NodeState(int index) {
    this.index = index;
  }

  void place(NodeRef node, RackState itsRack, int slot, NodeCapacity itsCapacity) {
    ref = node;
    rack = itsRack;
    slotInRack = slot;
    capacity = itsCapacity;
    rate();
  }

  void accept(NodeReport newReport) {
    report = newReport;
    // A node has slots for the repairs that it leads, which are those that write to it. The free
    // slots that it reports do not include the slots that its present repairs use.
    slots = (long) newReport.freeSlots + receiving;
    rate();
  }

  private void rate() {
    rate(Kind.UP, capacity.of(Kind.UP), report.users.upBytesPerS);
    rate(Kind.DOWN, capacity.of(Kind.DOWN), report.users.downBytesPerS);
    rateDisks(Kind.READ);
    rateDisks(Kind.WRITE);
    // The operator's limits apply only to repairs, so that users' load does not count.
    rate(Kind.READ_LIMIT, report.bounds.readLimitBytesPerS, 0);
    rate(Kind.WRITE_LIMIT, report.bounds.writeLimitBytesPerS, 0);
  }

  /** Sets the rate of the disks to the lower one of the configured and the reported rate. */
  private void rateDisks(Kind kind) {
    double all = Math.min(capacity.of(kind), report.bounds.diskBytesPerS);
    rate(kind, all, report.users.diskBusyShare * all);
  }

  private void rate(Kind kind, double all, double used) {
    secondsPerByte[kind.ordinal()] = all == NodeCapacity.UNLIMITED ? 0
        : 1 / Math.max(all - used, REPAIR_SHARE_MIN * all);
  }

  void setPresent(boolean on) {
    present = on;
  }

  void setQuarantined(boolean on) {
    quarantined = on;
  }

  void addPending(Kind kind, long bytes) {
    pending[kind.ordinal()] += bytes;
  }

  void addHelping(int repairs) {
    helping += repairs;
  }

  void addReceiving(int repairs) {
    receiving += repairs;
  }

  /** @return name and addresses of the node */
  public NodeRef ref() {
    return ref;
  }

  RackState rack() {
    return rack;
  }

  int slotInRack() {
    return slotInRack;
  }

  NodeReport report() {
    return report;
  }

  /** @return whether repairs may read from the node */
  public boolean isUsable() {
    return present && !quarantined;
  }

  /** @return whether the node is kept out of repairs because repairs with it have failed */
  public boolean isQuarantined() {
    return quarantined;
  }

  boolean isPresent() {
    return present;
  }

  /** @return whether the node may store a rebuilt block */
  public boolean isDestination() {
    return isUsable() && ref.runsExtension() && report.acceptsBlocks;
  }

  /** @return how many repairs in flight read from the node */
  public int helping() {
    return helping;
  }

  /** @return how many repairs in flight write to the node */
  public int receiving() {
    return receiving;
  }

  /**
   * Returns whether the node can lead no further repair now, as its last report says. It can still
   * be a helper: helpers use another pool of threads, which is large enough for the helpers of all
   * repairs that the nodes can lead at a time.
   */
  boolean isFull() {
    return receiving >= slots;
  }

  /**
   * @param kind which link or disk
   * @return bytes that repairs in flight still have to move over that link or disk
   */
  public long pending(Kind kind) {
    return pending[kind.ordinal()];
  }

  double secondsPerByte(Kind kind) {
    return secondsPerByte[kind.ordinal()];
  }

  /** Returns the seconds until a link will have moved its pending bytes and {@code more} bytes. */
  double linkSeconds(Kind kind, long more) {
    return (pending[kind.ordinal()] + more) * secondsPerByte[kind.ordinal()];
  }

  /**
   * Returns the seconds until the disks will have moved their pending bytes and the bytes of the
   * arguments. The times of reads and writes are added, because disks either read or write at a
   * time.
   */
  double diskSeconds(long moreRead, long moreWritten) {
    return linkSeconds(Kind.READ, moreRead) + linkSeconds(Kind.WRITE, moreWritten);
  }

  /** Returns whether the operator has set this limit for the node. */
  boolean isLimited(Kind limit) {
    return secondsPerByte(limit) > 0;
  }

  /**
   * @return the load of the node's busiest link, or of its disks or limits if these are busier,
   *     seconds
   */
  public double seconds() {
    double links = Math.max(linkSeconds(Kind.UP, 0), linkSeconds(Kind.DOWN, 0));
    double limits =
        Math.max(linkSeconds(Kind.READ_LIMIT, 0), linkSeconds(Kind.WRITE_LIMIT, 0));
    return Math.max(diskSeconds(0, 0), Math.max(links, limits));
  }

  @Override
  public String toString() {
    return ref + " in " + ref.rack;
  }
}
