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
 * What the NameNode learns about DataNodes while it has a group of a new version made. On some
 * nodes it places no more units, and from some it reads only if too few others are left. Used by
 * one thread at a time.
 */
final class NodeNotes {
  /**
   * How long a node must have been silent in addition before its orders count as lost, ms. After a
   * pause of the NameNode itself, all nodes seem silent until their next heartbeats come, within
   * some seconds.
   */
  static final long SILENT_MS_EXTRA = 5_000;

  private final VersionDataNodes door;
  private final Set<String> avoided = new HashSet<>();
  private final Set<String> unread = new HashSet<>();
  /**
   * When each silent node was first found silent, monotonic ms. Only {@link #isGone} finds that
   * out.
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

  /**
   * Returns whether a node is read from like any other; if not, only if too few others are left.
   */
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

  /**
   * From now on, no units are placed on this node.
   *
   * @param why the reason, as a sentence without a full stop
   */
  void avoid(String uuid, String why) {
    avoided.add(uuid);
    lastFailure = why;
  }

  /**
   * From now on, no units are placed on this node, and it is read from only if too few others are
   * left.
   *
   * @param why the reason, as a sentence without a full stop
   */
  void leaveOut(String uuid, String why) {
    avoid(uuid, why);
    unread.add(uuid);
  }

  /** Takes note of a failure that no single node has caused. */
  void failed(String why) {
    lastFailure = why;
  }

  /** Takes note of an order that a node has not carried out. */
  void failed(String uuid, RepairResult result) {
    String node = result.failedNode == null ? uuid : result.failedNode;
    boolean isTried = result.outcome == RepairOutcome.FAILED;
    // A node that is busy, or that cannot write, still has its units, so that it can be read from.
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

  /** Returns the last failure, as a sentence without a full stop; empty if there was none. */
  String lastFailure() {
    return lastFailure;
  }
}
