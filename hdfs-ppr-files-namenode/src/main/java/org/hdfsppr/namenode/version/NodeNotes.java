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

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.hdfsppr.manage.RepairOutcome;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.FailureCause;

/**
 * What the NameNode learns about DataNodes while it has a group of a new version made: on some it
 * places no more units, and from some it reads only if too few others are left. Used by one thread.
 */
final class NodeNotes {
  /**
   * For how long a node has to be silent until its orders count as lost, ms. After a pause of the
   * NameNode all nodes seem silent, until their next heartbeats come within some seconds.
   */
  static final long SILENT_MS_EXTRA = 5_000;

  private final VersionDataNodes door;
  private final Set<String> avoided = new HashSet<>();
  private final Set<String> unread = new HashSet<>();
  /**
   * Since when nodes have been silent, monotonic ms; only nodes that {@link #isGone} has found
   * silent.
   */
  private final Map<String, Long> silentSinceMs = new HashMap<>();
  private String lastFailure = "";

  NodeNotes(VersionDataNodes door) {
    this.door = door;
  }

  /** Returns whether units may be placed on a node. */
  boolean canWork(NodeRef node) {
    return !avoided.contains(node.uuid) && door.canWork(node.uuid);
  }

  /** Returns false for a node whose units are read only if too few others are left. */
  boolean isRead(NodeRef node) {
    return !unread.contains(node.uuid);
  }

  /** Returns whether a node that has an order has been silent for too long. */
  boolean isGone(String uuid, long nowMs) {
    if (door.canWork(uuid)) {
      silentSinceMs.remove(uuid);
      return false;
    }
    return nowMs - silentSinceMs.computeIfAbsent(uuid, node -> nowMs) >= SILENT_MS_EXTRA;
  }

  /** Excludes a node as a place for units. */
  void avoid(String uuid, String why) {
    avoided.add(uuid);
    lastFailure = why;
  }

  /** Excludes a node as a place for units; its units are read only if too few others are left. */
  void leaveOut(String uuid, String why) {
    avoid(uuid, why);
    unread.add(uuid);
  }

  /** Notes a failure that no node has caused. */
  void failed(String why) {
    lastFailure = why;
  }

  /** Notes an order that a node has not carried out. */
  void failed(String uuid, RepairResult result) {
    String node = result.failedNode == null ? uuid : result.failedNode;
    boolean isTried = result.outcome == RepairOutcome.FAILED;
    // A node that is busy, or that cannot write, still has its units.
    if (isTried && (!node.equals(uuid) || isUnreadable(result.cause))
        && result.cause != FailureCause.WRITE && result.cause != FailureCause.OVERLOADED) {
      leaveOut(node, result.toString());
    } else {
      avoid(node, result.toString());
    }
  }

  private static boolean isUnreadable(FailureCause cause) {
    return cause == FailureCause.NO_SUCH_BLOCK || cause == FailureCause.CORRUPT_REPLICA
        || cause == FailureCause.STALE_REPLICA;
  }

  /** Returns what has failed last, as a sentence without a full stop; empty if nothing has. */
  String lastFailure() {
    return lastFailure;
  }
}
