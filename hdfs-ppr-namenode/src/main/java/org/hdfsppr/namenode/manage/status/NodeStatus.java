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

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.namenode.schedule.LinkOrDisk.Kind;
import org.hdfsppr.namenode.schedule.NodeState;
import org.hdfsppr.plan.NodeRef;

/** The repairs of one DataNode and its predicted load, at one moment. Immutable. */
@InterfaceAudience.Private
public final class NodeStatus {
  /** The DataNode */
  public final NodeRef node;
  private final ExtensionStatus extension;
  private final String keptOut;
  /** How many repairs in flight read from the node */
  public final int helping;
  /** How many repairs in flight write to the node */
  public final int receiving;
  /** Bytes that repairs in flight still have to move from the node */
  public final long pendingUpBytes;
  /** Bytes that repairs in flight still have to move to the node */
  public final long pendingDownBytes;
  /**
   * The time for which repairs in flight will keep the node's busiest link or its disks busy, as
   * predicted, s
   */
  public final double busySeconds;

  /**
   * @param node the DataNode
   * @param extension what this project's plugin on the node says, or null if the node takes no part
   *     in repairs
   * @param keptOut why the node is kept out of repairs, or null if it is not
   * @param state the predicted load of the node
   */
  public NodeStatus(NodeRef node, ExtensionStatus extension, String keptOut, NodeState state) {
    this.node = node;
    this.extension = extension;
    this.keptOut = keptOut;
    this.helping = state.helping();
    this.receiving = state.receiving();
    this.pendingUpBytes = state.pending(Kind.UP);
    this.pendingDownBytes = state.pending(Kind.DOWN);
    this.busySeconds = state.seconds();
  }

  /**
   * @return the node's own traffic, disks and rates, as last reported; empty if the node takes no
   *     part in repairs
   */
  public Optional<NodeLoad> load() {
    return extension().map(status -> status.load);
  }

  /**
   * @return what this project's plugin on the node says; empty if the node takes no part in repairs
   */
  public Optional<ExtensionStatus> extension() {
    return Optional.ofNullable(extension);
  }

  /** @return why the node is kept out of repairs; empty if it is not */
  public Optional<String> keptOut() {
    return Optional.ofNullable(keptOut);
  }
}
