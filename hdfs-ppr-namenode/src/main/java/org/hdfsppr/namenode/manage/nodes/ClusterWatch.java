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
package org.hdfsppr.namenode.manage.nodes;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.NodeRef;

/**
 * Keeps the NameNode's DataNodes and policies as of the last look, and how many of the nodes take
 * part in repairs. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class ClusterWatch {
  /**
   * The time between two looks, ms. It is not shorter because the NameNode takes a lock to list its
   * nodes.
   */
  private static final long LOOK_EVERY_MS = 1_000;

  private final NameNodeView namenode;
  private final DataNodeAgents agents;
  private List<NameNodeView.LiveNode> nodes = Collections.emptyList();
  private Set<String> avoided = Collections.emptySet();
  private List<GroupPolicy> policies = Collections.emptyList();
  private long lookedMs = Long.MIN_VALUE / 2;
  private int participants;
  private int silent;

  /**
   * Makes an instance that has not looked at the NameNode yet.
   *
   * @param namenode answers questions about the NameNode's DataNodes and policies
   * @param agents the DataNodes that run this project's plugin
   */
  public ClusterWatch(NameNodeView namenode, DataNodeAgents agents) {
    this.namenode = namenode;
    this.agents = agents;
  }

  /**
   * Says whether a group belongs to a version of a file that the plugin makes or keeps. Asks the
   * NameNode at once.
   *
   * @param groupId the group's id
   * @return a sentence for people; empty if it belongs to no version
   */
  public Optional<String> versionOf(long groupId) {
    return namenode.versionOf(groupId);
  }

  /**
   * Counts the DataNodes that take part. Call this only once in a cycle, because the count looks at
   * each DataNode.
   */
  public void countParticipants() {
    participants = agents.liveCount();
  }

  /**
   * Looks at the NameNode's DataNodes and policies, at most once a second.
   *
   * @param nowMs the time now, monotonic, ms
   * @return whether this call has looked, so that there may be new nodes and policies
   */
  public boolean look(long nowMs) {
    if (nowMs - lookedMs < LOOK_EVERY_MS) {
      return false;
    }
    lookedMs = nowMs;
    nodes = namenode.liveNodes();
    silent = namenode.silentNodes();
    avoided = nodes.stream().filter(node -> node.avoided)
        .map(one -> one.node.uuid).collect(Collectors.toSet());
    policies = namenode.policies();
    return true;
  }

  /** @return the live DataNodes */
  public List<NameNodeView.LiveNode> nodes() {
    return nodes;
  }

  /** @return how many of the live DataNodes are in service and have reported all their blocks */
  public long staying() {
    return nodes.stream().filter(node -> node.acceptsBlocks).count();
  }

  /** @return how many DataNodes were silent at the last look, see {@link NameNodeView} */
  public int silent() {
    return silent;
  }

  /**
   * @param uuid the DataNode's UUID
   * @return whether stock places no block on this node at present
   */
  public boolean isAvoided(String uuid) {
    return avoided.contains(uuid);
  }

  /** @return the policies that files may have, as of the last look */
  public List<GroupPolicy> policies() {
    return policies;
  }

  /** @return how many DataNodes take part in repairs */
  public int participants() {
    return participants;
  }

  /** @return whether the operator allows repairs of lost blocks at all */
  public boolean allowsRepairs() {
    return namenode.allowsRepairs();
  }

  /** @return whether the NameNode is in safe mode */
  public boolean isInSafeMode() {
    return namenode.isInSafeMode();
  }

  /** @return id of the NameNode's block pool */
  public String blockPoolId() {
    return namenode.blockPoolId();
  }

  /**
   * @param uuid the DataNode's UUID
   * @return the DataNode, if it is live
   */
  public Optional<NodeRef> find(String uuid) {
    return nodes.stream().map(node -> node.node)
        .filter(node -> node.uuid.equals(uuid)).findFirst();
  }

  /**
   * Returns the UUID of a DataNode.
   *
   * @param name its address or host name with its transfer port; any other name is taken for a UUID
   * @return the DataNode's UUID
   */
  public String uuidOf(String name) {
    return nodes.stream().map(node -> node.node)
        .filter(node -> name.equals(node.ipAddr + ":" + node.xferPort)
            || name.equalsIgnoreCase(node.hostName + ":" + node.xferPort))
        .map(ref -> ref.uuid).findFirst().orElse(name);
  }
}
