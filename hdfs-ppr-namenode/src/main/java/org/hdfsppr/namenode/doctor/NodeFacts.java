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
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.NodeSelf;
import org.hdfsppr.manage.RepairRates;
import org.hdfsppr.plan.NodeRef;

/** What the plugin of one DataNode has last said about itself. Immutable. */
@InterfaceAudience.Private
public final class NodeFacts {
  /** The DataNode, with its repair port */
  public final NodeRef node;
  /** Its version of the extension */
  public final String software;
  private final NodeSelf self;
  private final Long clockOffsetMs;
  private final NodeLoad load;
  /** UUIDs of the DataNodes to whose repair port it has lately failed to connect */
  public final List<String> unreachable;
  /** The age of its last heartbeat, ms */
  public final long heardMsAgo;
  /** Whether its heartbeats have stopped */
  public final boolean silent;
  private final boolean updateLog;
  private final boolean sealedTickets;
  private final Boolean seesReads;

  /**
   * @param node the DataNode, with its repair port
   * @param software its version of the extension
   * @param self its versions, kernel, settings and jars; null if it is too old to say
   * @param clockOffsetMs how far its clock is ahead of the NameNode's, ms; null if unknown
   * @param load its load
   * @param unreachable UUIDs of the DataNodes to whose repair port it could not connect
   * @param heardMsAgo the age of its last heartbeat, ms
   * @param silent whether its heartbeats have stopped
   */
  public NodeFacts(NodeRef node, String software, NodeSelf self, Long clockOffsetMs,
      NodeLoad load, List<String> unreachable, long heardMsAgo, boolean silent) {
    this(node, software, self, clockOffsetMs, load, unreachable, heardMsAgo, silent, false, false,
        null);
  }

  private NodeFacts(NodeRef node, String software, NodeSelf self, Long clockOffsetMs,
      NodeLoad load, List<String> unreachable, long heardMsAgo, boolean silent, boolean updateLog,
      boolean sealedTickets, Boolean seesReads) {
    this.seesReads = seesReads;
    this.updateLog = updateLog;
    this.sealedTickets = sealedTickets;
    this.node = Objects.requireNonNull(node, "node");
    this.software = Objects.requireNonNull(software, "software");
    this.self = self;
    this.clockOffsetMs = clockOffsetMs;
    this.load = Objects.requireNonNull(load, "load");
    this.unreachable = List.copyOf(unreachable);
    this.heardMsAgo = heardMsAgo;
    this.silent = silent;
  }

  /**
   * @param hasLog whether the node keeps a log of updates
   * @param knowsSealed whether it understands sealed tickets
   * @return these facts, with those two
   */
  public NodeFacts withTickets(boolean hasLog, boolean knowsSealed) {
    return new NodeFacts(node, software, self, clockOffsetMs, load, unreachable, heardMsAgo, silent,
        hasLog, knowsSealed, seesReads);
  }

  /**
   * @param sees whether the node sees each read over the network; null if it is too old to say
   * @return these facts, with this one
   */
  public NodeFacts withReads(Boolean sees) {
    return new NodeFacts(node, software, self, clockOffsetMs, load, unreachable, heardMsAgo, silent,
        updateLog, sealedTickets, sees);
  }

  /** @return whether the node sees each read over the network; empty if it is too old to say */
  public Optional<Boolean> seesReads() {
    return Optional.ofNullable(seesReads);
  }

  /** @return whether the node keeps a log of updates */
  public boolean hasUpdateLog() {
    return updateLog;
  }

  /** @return whether the node understands sealed tickets */
  public boolean knowsSealedTickets() {
    return sealedTickets;
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
    return Optional.ofNullable(self);
  }

  /** @return how far its clock is ahead of the NameNode's, ms; empty if it is too old to say */
  public Optional<Long> clockOffsetMs() {
    return Optional.ofNullable(clockOffsetMs);
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
}
