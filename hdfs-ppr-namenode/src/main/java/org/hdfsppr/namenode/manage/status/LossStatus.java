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
package org.hdfsppr.namenode.manage.status;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;

/**
 * The loss of a DataNode, or of several that left together, and how much of what they held is
 * rebuilt. Immutable.
 */
@InterfaceAudience.Private
public final class LossStatus {
  /** The nodes that left, at least one */
  public final List<NodeRef> nodes;
  /** When they left, monotonic, ms */
  public final long sinceMs;
  private final Long endedMs;
  /** How many groups came to the queue because of the loss */
  public final int groups;
  /** How many of these groups still wait or are being repaired */
  public final int groupsLeft;
  /** Bytes of the units that these groups lost with the nodes */
  public final long bytes;
  /** The part of {@link #bytes} in groups that still wait or are being repaired */
  public final long bytesLeft;

  /**
   * @param nodes the nodes, at least one
   * @param sinceMs when they left, monotonic, ms
   * @param endedMs when the last of their groups was whole, monotonic, ms; null if one is not
   * @param groups how many groups came to the queue because of the loss
   * @param groupsLeft how many of these groups still wait or are being repaired
   * @param bytes bytes of the units that these groups lost
   * @param bytesLeft the part of {@code bytes} in groups that still wait or are being repaired
   */
  public LossStatus(List<NodeRef> nodes, long sinceMs, Long endedMs, int groups, int groupsLeft,
      long bytes, long bytesLeft) {
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("A loss without a node");
    }
    this.nodes = List.copyOf(nodes);
    this.sinceMs = sinceMs;
    this.endedMs = endedMs;
    this.groups = groups;
    this.groupsLeft = groupsLeft;
    this.bytes = bytes;
    this.bytesLeft = bytesLeft;
  }

  /** @return when none of their groups was left, monotonic, ms; empty if there still are some */
  public Optional<Long> endedMs() {
    return Optional.ofNullable(endedMs);
  }
}
