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

/**
 * The rates of a node's links and disks, bytes per second. If the node reports another rate of its
 * disks (see {@link NodeReport#withDisks}), the lower of the two rates counts. Immutable.
 */
@InterfaceAudience.Private
public final class NodeCapacity {
  /** A rate that limits nothing. Bytes that move at this rate take no time. */
  public static final double UNLIMITED = Double.POSITIVE_INFINITY;

  private final double up;
  private final double down;
  private final double read;
  private final double write;

  /**
   * @param up rate of the link towards other nodes, bytes/s
   * @param down rate of the link from other nodes, bytes/s
   * @param read rate at which disks are read, bytes/s
   * @param write rate at which disks are written, bytes/s
   * @throws IllegalArgumentException if a rate is not above 0
   */
  public NodeCapacity(double up, double down, double read, double write) {
    this.up = checked(up);
    this.down = checked(down);
    this.read = checked(read);
    this.write = checked(write);
  }

  /**
   * @param bytesPerS rate of the link in each direction, bytes/s
   * @return the capacity of a node with this link rate in both directions, whose disks are
   *     unlimited until the node reports their rate
   */
  public static NodeCapacity ofLink(double bytesPerS) {
    return new NodeCapacity(bytesPerS, bytesPerS, UNLIMITED, UNLIMITED);
  }

  static double checked(double bytesPerS) {
    if (!(bytesPerS > 0)) {
      throw new IllegalArgumentException("A rate of " + bytesPerS + " bytes/s is not above 0");
    }
    return bytesPerS;
  }

  double of(LinkOrDisk.Kind kind) {
    switch (kind) {
      case UP:
        return up;
      case DOWN:
        return down;
      case READ:
        return read;
      case WRITE:
        return write;
      default:
        throw new IllegalArgumentException(kind + " is not a node's");
    }
  }
}
