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

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.namenode.FilesRecords;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.NodeRef;

/**
 * Answers the manager's questions about the NameNode's DataNodes, policies and settings. Questions
 * about lost groups go to the NameNode's queue.
 */
@InterfaceAudience.Private
public interface NameNodeView {
  /** A live DataNode. */
  final class LiveNode {
    /** The DataNode, without its repair port */
    public final NodeRef node;
    /** True if the node is in service and the NameNode knows all blocks that the node holds */
    public final boolean acceptsBlocks;
    /**
     * Whether stock avoids the node, so that it gets rebuilt blocks only if no other node can store
     * them
     */
    public final boolean avoided;

    public LiveNode(NodeRef node, boolean acceptsBlocks) {
      this(node, acceptsBlocks, false);
    }

    /**
     * @param avoided whether stock places no block on the node at present, because the node is slow
     *     or too busy
     */
    public LiveNode(NodeRef node, boolean acceptsBlocks, boolean avoided) {
      this.node = node;
      this.acceptsBlocks = acceptsBlocks;
      this.avoided = avoided;
    }
  }

  /** @return the live DataNodes */
  List<LiveNode> liveNodes();

  /**
   * @return how many DataNodes have missed several heartbeats while the NameNode still counts their
   *     units as there. It counts them so for up to fifteen minutes by default, the last minutes of
   *     them without listing the node as live
   */
  default int silentNodes() {
    return 0;
  }

  /** @return all policies that files may have, including disabled and removed ones */
  List<GroupPolicy> policies();

  /** @return id of the NameNode's block pool */
  String blockPoolId();

  /** @return whether the NameNode is in safe mode; takes no lock */
  boolean isInSafeMode();

  /** @return whether the operator allows repairs of lost blocks at all */
  boolean allowsRepairs();

  /** @return how many records the namespace has of files that no jar of this NameNode reads */
  default FilesRecords unreadRecords() {
    return FilesRecords.NONE;
  }

  /**
   * Says whether a group belongs to a version of a file that the plugin makes or keeps. Takes the
   * NameNode's lock for reading, for the time of two look-ups.
   *
   * @param groupId the group's id
   * @return a sentence for people; empty if the group belongs to no version
   */
  default Optional<String> versionOf(long groupId) {
    return Optional.empty();
  }
}
