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
package org.hdfsppr.namenode.doctor;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.NodeSelf;
import org.hdfsppr.manage.RepairRates;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.RequestFeatures;

/** What the plugin of one DataNode last reported about itself. Immutable. */
@InterfaceAudience.Private
public final class NodeFacts {
  /** The DataNode, with its repair port */
  public final NodeRef node;
  /** The version of the node's plugin, from its last heartbeat */
  public final String software;
  private final SelfDescription own;
  private final NodeLoad load;
  /** UUIDs of the DataNodes to whose repair port this node has lately failed to connect */
  public final List<String> unreachable;
  /** The age of the node's last heartbeat, ms */
  public final long heardMsAgo;
  /** Whether the node's plugin sends no heartbeats any more */
  public final boolean silent;
  private final long commandFeatures;
  private final Boolean seesReads;

  /**
   * @param node the DataNode, with its repair port
   * @param own what the node's plugin reports about itself
   * @param load the node's load
   * @param heardMsAgo the age of the node's last heartbeat, ms
   * @param silent whether the node's plugin sends no heartbeats any more
   * @param commandFeatures the {@link CommandFeatures} that the node announces
   * @param seesReads whether the node sees each read over the network; null if its plugin is too
   *     old to report it
   */
  public NodeFacts(NodeRef node, SelfDescription own, NodeLoad load, long heardMsAgo,
      boolean silent, long commandFeatures, Boolean seesReads) {
    this.node = Objects.requireNonNull(node, "node");
    this.software = Objects.requireNonNull(own.software, "software");
    this.own = own;
    this.load = Objects.requireNonNull(load, "load");
    this.unreachable = own.unreachable;
    this.heardMsAgo = heardMsAgo;
    this.silent = silent;
    this.commandFeatures = commandFeatures;
    this.seesReads = seesReads;
  }

  /**
   * @return whether the node sees each read over the network; empty if its plugin is too old to
   *     report it
   */
  public Optional<Boolean> seesReads() {
    return Optional.ofNullable(seesReads);
  }

  /** @return whether the node keeps a log of updates */
  public boolean hasUpdateLog() {
    return RequestFeatures.covers(commandFeatures, CommandFeatures.UPDATE_LOG);
  }

  /** @return whether the node understands sealed tickets */
  public boolean knowsSealedTickets() {
    return RequestFeatures.covers(commandFeatures, CommandFeatures.SEALED_TICKETS);
  }

  /** @return the DataNode's name for operators, host:port of stock's transfer port */
  public String name() {
    return nameOf(node);
  }

  /**
   * @param node a DataNode
   * @return its name for operators, host:port of stock's transfer port
   */
  public static String nameOf(NodeRef node) {
    return node.hostName + ":" + node.xferPort;
  }

  /**
   * @return the node's versions, kernel, settings and jars; empty if its plugin is too old to
   *     report them
   */
  public Optional<NodeSelf> self() {
    return own.self();
  }

  /**
   * @return how far the node's clock is ahead of the NameNode's, ms; empty if its plugin is too old
   *     to report it
   */
  public Optional<Long> clockOffsetMs() {
    return Optional.ofNullable(own.clockOffsetMs);
  }

  /**
   * @return the rates at which repairs use the node's link; empty if its plugin is too old to
   *     report them
   */
  public Optional<RepairRates> rates() {
    return load.repairRates;
  }

  /** Returns the best rate at which repairs used the node's link, bytes/s; 0 if it is unknown. */
  long bestBytesPerSecond() {
    return rates().map(rates -> Math.max(rates.bestUp, rates.bestDown)).orElse(0L);
  }

  /** Returns whether an operator's limit may slow down repairs at the node. */
  boolean isLimited() {
    return load.readLimitBytesPerSecond != NodeLoad.UNLIMITED
        || load.writeLimitBytesPerSecond != NodeLoad.UNLIMITED;
  }

  /** What a node's plugin reports about itself, as of its last heartbeat. Immutable. */
  public static final class SelfDescription {
    /** The version of the extension */
    public final String software;
    private final NodeSelf self;
    private final Long clockOffsetMs;
    private final List<String> unreachable;

    /**
     * @param software the version of the extension
     * @param self the node's versions, kernel, settings and jars; null if the plugin is too old to
     *     report them
     * @param clockOffsetMs how far the node's clock is ahead of the NameNode's, ms; null if unknown
     * @param unreachable UUIDs of the DataNodes to whose repair port the node could not connect
     */
    public SelfDescription(String software, NodeSelf self, Long clockOffsetMs,
        List<String> unreachable) {
      this.software = software;
      this.self = self;
      this.clockOffsetMs = clockOffsetMs;
      this.unreachable = List.copyOf(unreachable);
    }

    /**
     * @return the node's versions, kernel, settings and jars; empty if the plugin is too old to
     *     report them
     */
    public Optional<NodeSelf> self() {
      return Optional.ofNullable(self);
    }
  }
}
