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
package org.hdfsppr.manage;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What a DataNode has to do and what it has left, at one moment. Rates are those since the
 * heartbeat before. Immutable.
 */
@InterfaceAudience.Private
public final class NodeLoad {
  /** What is unknown on this machine. */
  public static final int UNKNOWN = -1;
  /** Where an operator sets no limit. */
  public static final long UNLIMITED = -1;

  private final int asDestination;
  private final int asHelper;
  private final int freeSlots;
  private final long userReadBytesPerSecond;
  private final long userWrittenBytesPerSecond;
  private final int xceivers;
  private final int cpuPercent;
  private final long diskReadBytesPerSecond;
  private final long diskWrittenBytesPerSecond;
  private final int diskUsersBusyPercent;
  private final long diskBytesPerSecond;
  private final long readLimitBytesPerSecond;
  private final long writeLimitBytesPerSecond;

  /**
   * @param asDestination repairs that this node leads, waiting or running, of managers and of stock
   * @param asHelper repairs of others that it helps
   * @param freeSlots how many more it could start at once
   * @param userReadBytesPerSecond what clients and other DataNodes read from its replicas, repairs
   *     not counted
   * @param userWrittenBytesPerSecond what they write
   * @param xceivers threads that serve clients and other DataNodes
   * @param cpuPercent of the machine's processors, 0 to 100, or {@link #UNKNOWN}
   * @param diskReadBytesPerSecond of the machine's disks, or {@link #UNKNOWN}
   * @param diskWrittenBytesPerSecond of the machine's disks, or {@link #UNKNOWN}
   */
  public NodeLoad(int asDestination, int asHelper, int freeSlots, long userReadBytesPerSecond,
      long userWrittenBytesPerSecond, int xceivers, int cpuPercent, long diskReadBytesPerSecond,
      long diskWrittenBytesPerSecond) {
    this(asDestination, asHelper, freeSlots, userReadBytesPerSecond, userWrittenBytesPerSecond,
        xceivers, cpuPercent, diskReadBytesPerSecond, diskWrittenBytesPerSecond, UNKNOWN, UNKNOWN,
        UNLIMITED, UNLIMITED);
  }

  private NodeLoad(int asDestination, int asHelper, int freeSlots, long userReadBytesPerSecond,
      long userWrittenBytesPerSecond, int xceivers, int cpuPercent, long diskReadBytesPerSecond,
      long diskWrittenBytesPerSecond, int diskUsersBusyPercent, long diskBytesPerSecond,
      long readLimitBytesPerSecond, long writeLimitBytesPerSecond) {
    this.asDestination = asDestination;
    this.asHelper = asHelper;
    this.freeSlots = freeSlots;
    this.userReadBytesPerSecond = userReadBytesPerSecond;
    this.userWrittenBytesPerSecond = userWrittenBytesPerSecond;
    this.xceivers = xceivers;
    this.cpuPercent = cpuPercent;
    this.diskReadBytesPerSecond = diskReadBytesPerSecond;
    this.diskWrittenBytesPerSecond = diskWrittenBytesPerSecond;
    this.diskUsersBusyPercent = diskUsersBusyPercent;
    this.diskBytesPerSecond = diskBytesPerSecond;
    this.readLimitBytesPerSecond = readLimitBytesPerSecond;
    this.writeLimitBytesPerSecond = writeLimitBytesPerSecond;
  }

  /**
   * The same where the disks under the node's volumes can be measured.
   *
   * @param usersBusyPercent how much of their time goes to other work than repairs, 0 to 100
   * @param bytesPerSecond what all of them together can stream, more than 0
   */
  public NodeLoad withDisks(int usersBusyPercent, long bytesPerSecond) {
    return new NodeLoad(asDestination, asHelper, freeSlots, userReadBytesPerSecond,
        userWrittenBytesPerSecond, xceivers, cpuPercent, diskReadBytesPerSecond,
        diskWrittenBytesPerSecond, usersBusyPercent, bytesPerSecond, readLimitBytesPerSecond,
        writeLimitBytesPerSecond);
  }

  /**
   * The same where the operator limits what all repairs together may move; each is more than 0, or
   * {@link #UNLIMITED}.
   */
  public NodeLoad withLimits(long readBytesPerSecond, long writeBytesPerSecond) {
    return new NodeLoad(asDestination, asHelper, freeSlots, userReadBytesPerSecond,
        userWrittenBytesPerSecond, xceivers, cpuPercent, diskReadBytesPerSecond,
        diskWrittenBytesPerSecond, diskUsersBusyPercent, diskBytesPerSecond, readBytesPerSecond,
        writeBytesPerSecond);
  }

  public int asDestination() {
    return asDestination;
  }

  public int asHelper() {
    return asHelper;
  }

  public int freeSlots() {
    return freeSlots;
  }

  public long userReadBytesPerSecond() {
    return userReadBytesPerSecond;
  }

  public long userWrittenBytesPerSecond() {
    return userWrittenBytesPerSecond;
  }

  public int xceivers() {
    return xceivers;
  }

  /** 0 to 100, or {@link #UNKNOWN}. */
  public int cpuPercent() {
    return cpuPercent;
  }

  /** Or {@link #UNKNOWN}. */
  public long diskReadBytesPerSecond() {
    return diskReadBytesPerSecond;
  }

  /** Or {@link #UNKNOWN}. */
  public long diskWrittenBytesPerSecond() {
    return diskWrittenBytesPerSecond;
  }

  /** Whether the next two are known. */
  public boolean knowsDisks() {
    return diskBytesPerSecond != UNKNOWN;
  }

  /** Of the disks' time under the volumes, by other work than repairs, or {@link #UNKNOWN}. */
  public int diskUsersBusyPercent() {
    return diskUsersBusyPercent;
  }

  /** What the disks under the volumes can stream, or {@link #UNKNOWN}. */
  public long diskBytesPerSecond() {
    return diskBytesPerSecond;
  }

  /** What repairs may read there, or {@link #UNLIMITED}. */
  public long readLimitBytesPerSecond() {
    return readLimitBytesPerSecond;
  }

  /** What repairs that it leads may write, or {@link #UNLIMITED}. */
  public long writeLimitBytesPerSecond() {
    return writeLimitBytesPerSecond;
  }

  @Override
  public String toString() {
    return asDestination + " repairs led, " + asHelper + " helped, " + freeSlots + " slots free, "
        + userReadBytesPerSecond + " bytes/s read, " + userWrittenBytesPerSecond
        + " bytes/s written, " + xceivers + " xceivers, CPU " + cpuPercent + " %, disks "
        + diskReadBytesPerSecond + " bytes/s read, " + diskWrittenBytesPerSecond
        + " bytes/s written, users keep them busy " + diskUsersBusyPercent + " %, they stream "
        + diskBytesPerSecond + " bytes/s, repairs may read " + readLimitBytesPerSecond
        + " bytes/s and write " + writeLimitBytesPerSecond + " bytes/s";
  }
}
