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

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;

/** A node's other work, as its heartbeat reports it. Immutable. */
@InterfaceAudience.Private
public final class NodeReport {
  /** No report yet: no other work, and the load model alone limits the repairs. */
  public static final NodeReport NONE =
      new NodeReport(0, 0, 0, Integer.MAX_VALUE, true, Collections.emptySet());

  private final double userUpBytesPerS;
  private final double userDownBytesPerS;
  private final double diskBusyShare;
  private final int freeSlots;
  private final boolean acceptsBlocks;
  private final Set<Long> residentBlocks;
  private final double diskBytesPerS;
  private final double readLimitBytesPerS;
  private final double writeLimitBytesPerS;

  /**
   * @param userUpBytesPerS what clients read from it
   * @param userDownBytesPerS what they write to it
   * @param diskBusyShare 0 to 1, of the disks' time, by other work than repairs
   * @param freeSlots number of further repairs that it could take part in now
   * @param acceptsBlocks whether rebuilt blocks may go there: it has space, it stays in service
   * @param residentBlocks ids of internal blocks that it holds in memory
   */
  public NodeReport(double userUpBytesPerS, double userDownBytesPerS, double diskBusyShare,
      int freeSlots, boolean acceptsBlocks, Set<Long> residentBlocks) {
    this(userUpBytesPerS, userDownBytesPerS, diskBusyShare, freeSlots, acceptsBlocks,
        Collections.unmodifiableSet(new HashSet<>(residentBlocks)), NodeCapacity.UNLIMITED,
        NodeCapacity.UNLIMITED, NodeCapacity.UNLIMITED);
  }

  private NodeReport(double userUpBytesPerS, double userDownBytesPerS, double diskBusyShare,
      int freeSlots, boolean acceptsBlocks, Set<Long> residentBlocks, double diskBytesPerS,
      double readLimitBytesPerS, double writeLimitBytesPerS) {
    this.userUpBytesPerS = Math.max(0, userUpBytesPerS);
    this.userDownBytesPerS = Math.max(0, userDownBytesPerS);
    this.diskBusyShare = Math.max(0, Math.min(1, diskBusyShare));
    this.freeSlots = Math.max(0, freeSlots);
    this.acceptsBlocks = acceptsBlocks;
    this.residentBlocks = residentBlocks;
    this.diskBytesPerS = NodeCapacity.checked(diskBytesPerS);
    this.readLimitBytesPerS = NodeCapacity.checked(readLimitBytesPerS);
    this.writeLimitBytesPerS = NodeCapacity.checked(writeLimitBytesPerS);
  }

  /**
   * Adds the rate at which all disks of the node stream together, as the node has measured it.
   *
   * @param bytesPerS what the disks can stream together, bytes/s
   * @return the report with that rate
   * @throws IllegalArgumentException if the rate is not above 0
   */
  public NodeReport withDisks(double bytesPerS) {
    return new NodeReport(userUpBytesPerS, userDownBytesPerS, diskBusyShare, freeSlots,
        acceptsBlocks, residentBlocks, bytesPerS, readLimitBytesPerS, writeLimitBytesPerS);
  }

  /**
   * Adds the operator's limits for all repairs of the node together, or
   * {@link NodeCapacity#UNLIMITED}.
   *
   * @param readBytesPerS limit of what repairs read there, bytes/s
   * @param writeBytesPerS limit of what repairs write there, bytes/s
   * @return the report with these limits
   * @throws IllegalArgumentException if a limit is not above 0
   */
  public NodeReport withLimits(double readBytesPerS, double writeBytesPerS) {
    return new NodeReport(userUpBytesPerS, userDownBytesPerS, diskBusyShare, freeSlots,
        acceptsBlocks, residentBlocks, diskBytesPerS, readBytesPerS, writeBytesPerS);
  }

  double userUpBytesPerS() {
    return userUpBytesPerS;
  }

  double userDownBytesPerS() {
    return userDownBytesPerS;
  }

  double diskBusyShare() {
    return diskBusyShare;
  }

  /** Rate of the disks, or {@link NodeCapacity#UNLIMITED} if the node has reported none. */
  double diskBytesPerS() {
    return diskBytesPerS;
  }

  double readLimitBytesPerS() {
    return readLimitBytesPerS;
  }

  double writeLimitBytesPerS() {
    return writeLimitBytesPerS;
  }

  int freeSlots() {
    return freeSlots;
  }

  boolean acceptsBlocks() {
    return acceptsBlocks;
  }

  boolean hasInMemory(long blockId) {
    return residentBlocks.contains(blockId);
  }
}
