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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hdfsppr.manage.RepairResult;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.FailureCause;

/**
 * Finds the nodes that have the units of a group of the old version, although the NameNode may list
 * replicas that are gone. For instance, after Hadoop has copied a unit to another rack, the
 * NameNode lists both replicas until the DataNode of one of them has reported the deletion, in one
 * of its next heartbeats. Used by one thread at a time.
 */
final class SoughtUnits {
  /**
   * How long a unit is searched for if nodes say that they do not have it, ms: three heartbeats of
   * DataNodes.
   */
  static final long SOUGHT_MS_MAX = 10_000;

  private final GroupId group;
  private final VersionDataNodes door;
  private final NodeNotes nodes;
  private final List<Integer> read;
  private OldUnits located;
  /** The UUIDs of the nodes that did not have a unit, for each unit. */
  private final Map<Integer, Set<String>> denying = new HashMap<>();
  /** When the search for a unit began, monotonic ms. The key is the unit whose order needs it. */
  private final Map<Integer, Long> sinceMs = new HashMap<>();

  /**
   * @param read the units that are read by the nodes of parity units
   * @param located the places of the units as the NameNode knows them at the beginning
   */
  SoughtUnits(GroupId group, VersionDataNodes door, NodeNotes nodes, List<Integer> read,
      OldUnits located) {
    this.group = group;
    this.door = door;
    this.nodes = nodes;
    this.read = List.copyOf(read);
    this.located = located;
  }

  /** Takes the places of units as the NameNode knows them now. */
  void locate(OldUnits now) {
    located = now;
  }

  /**
   * Returns a node that has a unit. A node that has said that it does not have it is returned only
   * if there is no other one.
   *
   * @throws VersionStopException if the NameNode locates the unit on no node that works
   */
  NodeRef node(int unit) throws VersionStopException {
    return find(unit).orElseThrow(() -> lost(unit));
  }

  /** Like {@link #node}, but empty if the NameNode locates the unit on no node that works. */
  Optional<NodeRef> find(int unit) {
    Optional<NodeRef> denied = Optional.empty();
    for (NodeRef node : located.replicas(group, unit)) {
      if (nodes.canWork(node) && door.canPatch(node.uuid)) {
        if (!denying.getOrDefault(unit, Set.of()).contains(node.uuid)) {
          return Optional.of(node);
        }
        denied = Optional.of(node);
      }
    }
    return denied;
  }

  private VersionStopException lost(int unit) {
    String last = nodes.lastFailure();
    return new VersionStopException(RefusalReason.UNITS_LOST, "unit " + unit + " of " + group
        + " is on no DataNode that could bring it into the new version; a repair brings it back"
        + " first, so commit again after that" + (last.isEmpty() ? "" : " (" + last + ")"));
  }

  /**
   * Returns whether an order failed because a node does not have a unit that the NameNode locates
   * on it. If so, this class remembers that. The order may link or change the unit on its own node,
   * or read it from another node.
   *
   * @param unit the unit that the order links or makes
   * @param uuid UUID of the node that had the order
   */
  boolean isDenied(int unit, String uuid, RepairResult result) {
    if (result.cause != FailureCause.NO_SUCH_BLOCK) {
      return false;
    }
    String failed = result.failedNode == null ? uuid : result.failedNode;
    if (failed.equals(uuid)) {
      return deny(unit, uuid);
    }
    boolean isDenied = false;
    for (int other : read) {
      isDenied |= deny(other, failed);
    }
    return isDenied;
  }

  private boolean deny(int unit, String uuid) {
    boolean isLocated = located.replicas(group, unit).stream()
        .anyMatch(node -> node.uuid.equals(uuid));
    if (isLocated) {
      denying.computeIfAbsent(unit, first -> new HashSet<>()).add(uuid);
    }
    return isLocated;
  }

  /**
   * Allows that an order is repeated because a node did not have a unit. The failure of the order
   * does not count.
   *
   * @param unit the unit that the order links or makes
   * @throws VersionStopException if the search has gone on for too long
   */
  void seek(int unit, long nowMs) throws VersionStopException {
    if (nowMs - sinceMs.computeIfAbsent(unit, first -> nowMs) >= SOUGHT_MS_MAX) {
      throw lost(unit);
    }
  }

  /**
   * Ends the search for the blocks that the order of a unit needs, because the order has succeeded.
   */
  void found(int unit) {
    sinceMs.remove(unit);
  }
}
