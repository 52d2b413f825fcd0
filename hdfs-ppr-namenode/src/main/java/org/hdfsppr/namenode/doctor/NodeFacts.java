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

/** What the plugin of one DataNode has last said about itself. Immutable. */
@InterfaceAudience.Private
public final class NodeFacts {
  /** The DataNode, with its repair port */
  public final NodeRef node;
  /** Its version of the extension, which it says in each heartbeat */
  public final String software;
  private final SelfDescription own;
  private final NodeLoad load;
  /** UUIDs of the DataNodes to whose repair port it has lately failed to connect */
  public final List<String> unreachable;
  /** The age of its last heartbeat, ms */
  public final long heardMsAgo;
  /** Whether its heartbeats have stopped */
  public final boolean silent;
  private final long commandFeatures;
  private final Boolean seesReads;

  /**
   * @param node the DataNode, with its repair port
   * @param own what it says of itself
   * @param load its load
   * @param heardMsAgo the age of its last heartbeat, ms
   * @param silent whether its heartbeats have stopped
   * @param commandFeatures the {@link CommandFeatures} that it announces
   * @param seesReads whether the node sees each read over the network; null if it is too old to say
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

  /** @return whether the node sees each read over the network; empty if it is too old to say */
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

  /** @return its versions, kernel, settings and jars; empty if it is too old to say */
  public Optional<NodeSelf> self() {
    return own.self();
  }

  /** @return how far its clock is ahead of the NameNode's, ms; empty if it is too old to say */
  public Optional<Long> clockOffsetMs() {
    return Optional.ofNullable(own.clockOffsetMs);
  }

  /** @return the rates at which repairs use its link; empty if it is too old to say */
  public Optional<RepairRates> rates() {
    return load.repairRates;
  }

  /** Returns the best rate at which repairs used its link, bytes/s; 0 if unknown. */
  long bestBytesPerSecond() {
    return rates().map(rates -> Math.max(rates.bestUp, rates.bestDown)).orElse(0L);
  }

  /** Returns whether an operator's limit may hold its repairs back. */
  boolean isLimited() {
    return load.readLimitBytesPerSecond != NodeLoad.UNLIMITED
        || load.writeLimitBytesPerSecond != NodeLoad.UNLIMITED;
  }

  /** What a node's plugin says of itself in heartbeats, as of the last one. Immutable. */
  public static final class SelfDescription {
    /** The version of the extension */
    public final String software;
    private final NodeSelf self;
    private final Long clockOffsetMs;
    private final List<String> unreachable;

    /**
     * @param software the version of the extension
     * @param self its versions, kernel, settings and jars; null if it is too old to say
     * @param clockOffsetMs how far its clock is ahead of the NameNode's, ms; null if unknown
     * @param unreachable UUIDs of the DataNodes to whose repair port it could not connect
     */
    public SelfDescription(String software, NodeSelf self, Long clockOffsetMs,
        List<String> unreachable) {
      this.software = software;
      this.self = self;
      this.clockOffsetMs = clockOffsetMs;
      this.unreachable = List.copyOf(unreachable);
    }

    /** @return its versions, kernel, settings and jars; empty if it is too old to say */
    public Optional<NodeSelf> self() {
      return Optional.ofNullable(self);
    }
  }
}
