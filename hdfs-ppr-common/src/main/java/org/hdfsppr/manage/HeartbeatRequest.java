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
package org.hdfsppr.manage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.RequestFeatures;

/** The news of a DataNode for one NameNode. Immutable. */
@InterfaceAudience.Private
public final class HeartbeatRequest {
  /** What this version speaks. Grows where a side has to know what the other one can do. */
  public static final int PROTOCOL_VERSION = 2;
  /** Repairs that a node may have waiting and running: more than its queue usually holds. */
  public static final int RUNNING_MAX = 4096;
  /** Results in a heartbeat, and acknowledgements in an answer. */
  public static final int RESULTS_MAX = 512;
  /** Groups in a heartbeat of which clients read what is lost. */
  public static final int READ_DEGRADED_MAX = 512;
  /** From this version on commands for doubted groups are carried out. */
  private static final int KNOWS_DOUBT = 2;

  private final int protocolVersion;
  private final String softwareVersion;
  private final NodeRef node;
  private final long newestTerm;
  private final NodeLoad load;
  private final List<RunningRepair> running;
  private final List<RepairResult> results;
  private final ResidentBlocks resident;
  private final List<ReadGroup> readDegraded;
  private final long requestFeatures;
  private final long commandFeatures;

  /**
   * @param protocolVersion what the sender speaks, {@link #PROTOCOL_VERSION} or another
   * @param softwareVersion of the extension, for people
   * @param node the sender; it does not know its rack
   * @param newestTerm the newest term that it has heard of in this nameservice, 0 if of none
   * @param load what it has to do
   * @param running commanded repairs of this nameservice that have not ended
   * @param results of repairs that have, oldest first, until they are acknowledged
   * @param resident blocks of this nameservice in its page cache
   */
  public HeartbeatRequest(int protocolVersion, String softwareVersion, NodeRef node,
      long newestTerm, NodeLoad load, List<RunningRepair> running, List<RepairResult> results,
      ResidentBlocks resident) {
    this(protocolVersion, softwareVersion, node, newestTerm, load, running, results, resident,
        Collections.emptyList(), RequestFeatures.UNSAID, commandFeaturesOf(protocolVersion));
  }

  private HeartbeatRequest(int protocolVersion, String softwareVersion, NodeRef node,
      long newestTerm, NodeLoad load, List<RunningRepair> running, List<RepairResult> results,
      ResidentBlocks resident, Collection<ReadGroup> readDegraded, long requestFeatures,
      long commandFeatures) {
    this.requestFeatures = requestFeatures;
    this.commandFeatures = commandFeatures;
    this.protocolVersion = protocolVersion;
    this.softwareVersion = Objects.requireNonNull(softwareVersion, "softwareVersion");
    this.node = Objects.requireNonNull(node, "node");
    this.newestTerm = newestTerm;
    this.load = Objects.requireNonNull(load, "load");
    this.running = Collections.unmodifiableList(new ArrayList<>(running));
    this.results = Collections.unmodifiableList(new ArrayList<>(results));
    this.resident = Objects.requireNonNull(resident, "resident");
    this.readDegraded = Collections.unmodifiableList(new ArrayList<>(readDegraded));
  }

  /** The same, with block groups of which clients read what is lost with this node's help. */
  public HeartbeatRequest withReadDegraded(Collection<ReadGroup> groups) {
    return new HeartbeatRequest(protocolVersion, softwareVersion, node, newestTerm, load, running,
        results, resident, groups, requestFeatures, commandFeatures);
  }

  /** The same, with the {@link RequestFeatures} and {@link CommandFeatures} that a node knows. */
  public HeartbeatRequest withFeatures(long ofRequests, long ofCommands) {
    return new HeartbeatRequest(protocolVersion, softwareVersion, node, newestTerm, load, running,
        results, resident, readDegraded, ofRequests, ofCommands);
  }

  /** What a node knows that speaks that version and does not say what it knows. */
  static long commandFeaturesOf(int protocolVersion) {
    return protocolVersion >= KNOWS_DOUBT ? CommandFeatures.DOUBTED : 0;
  }

  /** The {@link RequestFeatures} that the sender knows when it helps with repairs. */
  public long requestFeatures() {
    return requestFeatures;
  }

  /** The {@link CommandFeatures} that the sender knows when it is ordered to lead a repair. */
  public long commandFeatures() {
    return commandFeatures;
  }

  public int protocolVersion() {
    return protocolVersion;
  }

  /** Whether the sender carries out commands for groups whose units contradict each other. */
  public boolean knowsDoubt() {
    return protocolVersion >= KNOWS_DOUBT;
  }

  public String softwareVersion() {
    return softwareVersion;
  }

  public NodeRef node() {
    return node;
  }

  public long newestTerm() {
    return newestTerm;
  }

  public NodeLoad load() {
    return load;
  }

  public List<RunningRepair> running() {
    return running;
  }

  public List<RepairResult> results() {
    return results;
  }

  public ResidentBlocks resident() {
    return resident;
  }

  /** Block groups of which clients read what is lost with this node's help; news only. */
  public List<ReadGroup> readDegraded() {
    return readDegraded;
  }

  @Override
  public String toString() {
    return "heartbeat of " + node + ", term " + newestTerm + ", " + load + ", running " + running
        + ", results " + results + ", " + resident
        + (readDegraded.isEmpty() ? "" : ", read degraded " + readDegraded);
  }
}
