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
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.ReadGroupProto;
import org.hdfsppr.manage.proto.ManagerProtos.ResultProto;
import org.hdfsppr.manage.proto.ManagerProtos.RunningProto;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.RequestFeatures;
import org.hdfsppr.wire.WireRules;

/**
 * A DataNode's report to the repair manager of one NameNode. {@link #parse} checks the message
 * once, and the NameNode then trusts the object. If a DataNode has more to report than one message
 * may hold, {@link #toProto} leaves out the rest, and the DataNode sends the rest with the next
 * heartbeat. Immutable.
 */
@InterfaceAudience.Private
public final class HeartbeatRequest {
  /**
   * The version of the heartbeat protocol. It grows only for a change with which one side has to
   * know whether the other side supports it.
   */
  public static final int PROTOCOL_VERSION = 2;
  /**
   * The value of {@link #softwareVersion} for a node whose classes do not come from a jar of a
   * release.
   */
  public static final String NO_VERSION = "unknown";
  /**
   * The longest time between two heartbeats that the settings allow, ms. NameNodes rely on it: they
   * wait this long for reports of DataNodes.
   */
  public static final int INTERVAL_MS_MAX = 3_000;
  /**
   * How many waiting and running repairs a heartbeat may list. A node's queue usually holds fewer
   * repairs.
   */
  public static final int RUNNING_MAX = 4096;
  /** How many results a heartbeat may have, and how many acknowledgements an answer may have. */
  public static final int RESULTS_MAX = 512;
  /** How many block groups the list {@link #readDegraded} of a heartbeat may have. */
  public static final int READ_DEGRADED_MAX = 512;
  /** The first version of the protocol in which DataNodes carry out commands for doubted groups. */
  private static final int KNOWS_DOUBT = 2;

  /** The sender's version of the protocol */
  public final int protocolVersion;
  /** The version of hdfs-ppr on the sender, for logs */
  public final String softwareVersion;
  /** The sender; its rack is empty, because a DataNode does not know its rack */
  public final NodeRef node;
  /** The newest term of a manager of this nameservice that the sender knows; 0 if it knows none */
  public final long newestTerm;
  /** The sender's load */
  public final NodeLoad load;
  /** Repairs that a manager of this nameservice ordered and that wait or run on the sender */
  public final List<RunningRepair> running;
  /** Results of ended repairs that the manager has not acknowledged yet, oldest first */
  public final List<RepairResult> results;
  /** Blocks in the sender's page cache */
  public final ResidentBlocks resident;
  /**
   * The block groups of which clients have read lost units with the sender as a helper, since its
   * last heartbeat
   */
  public final List<ReadGroup> readDegraded;
  /**
   * Bits of {@link RequestFeatures} that the sender knows in requests from other nodes, to help
   * with their repairs
   */
  public final long requestFeatures;
  /** Bits of {@link CommandFeatures} that the sender knows in commands from a manager */
  public final long commandFeatures;
  /**
   * What the sender says about itself; {@link SelfReport#NONE} if its version is too old to say it
   */
  public final SelfReport selfReport;
  /**
   * Which of the blocks that the sender watches were read; {@link OldReads#UNSAID} if it watches
   * none
   */
  public final OldReads oldReads;

  /**
   * @param protocolVersion the sender's version of the protocol, {@link #PROTOCOL_VERSION} or
   *     another
   * @param softwareVersion version of hdfs-ppr on the sender, for logs
   * @param node the sender, without its rack, which a DataNode does not know
   * @param newestTerm the newest term of a manager of this nameservice that the sender knows; 0 if
   *     it knows none
   * @param load the sender's load
   * @param running repairs that a manager of this nameservice ordered and that have not ended
   * @param results results of ended repairs that the manager has not acknowledged yet, oldest first
   */
  public HeartbeatRequest(int protocolVersion, String softwareVersion, NodeRef node,
      long newestTerm, NodeLoad load, List<RunningRepair> running, List<RepairResult> results) {
    this.protocolVersion = protocolVersion;
    this.softwareVersion = Objects.requireNonNull(softwareVersion, "softwareVersion");
    this.node = Objects.requireNonNull(node, "node");
    this.newestTerm = newestTerm;
    this.load = Objects.requireNonNull(load, "load");
    this.running = Collections.unmodifiableList(new ArrayList<>(running));
    this.results = Collections.unmodifiableList(new ArrayList<>(results));
    resident = ResidentBlocks.unchanged();
    readDegraded = Collections.emptyList();
    requestFeatures = RequestFeatures.UNSAID;
    commandFeatures = commandFeaturesOf(protocolVersion);
    selfReport = SelfReport.NONE;
    oldReads = OldReads.UNSAID;
  }

  /**
   * Copies the fields that every heartbeat has from {@code plain}, and adds the optional fields.
   */
  private HeartbeatRequest(HeartbeatRequest plain, ResidentBlocks resident,
      Collection<ReadGroup> readDegraded, long requestFeatures, long commandFeatures,
      SelfReport selfReport, OldReads oldReads) {
    protocolVersion = plain.protocolVersion;
    softwareVersion = plain.softwareVersion;
    node = plain.node;
    newestTerm = plain.newestTerm;
    load = plain.load;
    running = plain.running;
    results = plain.results;
    this.resident = Objects.requireNonNull(resident, "resident");
    this.readDegraded = Collections.unmodifiableList(new ArrayList<>(readDegraded));
    this.requestFeatures = requestFeatures;
    this.commandFeatures = commandFeatures;
    this.selfReport = Objects.requireNonNull(selfReport, "selfReport");
    this.oldReads = Objects.requireNonNull(oldReads, "oldReads");
  }

  /**
   * Adds the blocks that are in the sender's page cache.
   *
   * @param blocks the blocks of this nameservice in the sender's page cache
   * @return the same heartbeat with these blocks
   */
  public HeartbeatRequest withResident(ResidentBlocks blocks) {
    return new HeartbeatRequest(this, blocks, readDegraded, requestFeatures, commandFeatures,
        selfReport, oldReads);
  }

  /**
   * Adds the block groups of which clients have read lost units with this node as a helper.
   *
   * @param groups the groups that clients have read since the last heartbeat
   * @return the same heartbeat with these groups
   */
  public HeartbeatRequest withReadDegraded(Collection<ReadGroup> groups) {
    return new HeartbeatRequest(this, resident, groups, requestFeatures, commandFeatures,
        selfReport, oldReads);
  }

  /**
   * Adds the {@link RequestFeatures} and {@link CommandFeatures} that the sender knows.
   *
   * @param ofRequests bits of {@link RequestFeatures}
   * @param ofCommands bits of {@link CommandFeatures}
   * @return the same heartbeat with these features
   */
  public HeartbeatRequest withFeatures(long ofRequests, long ofCommands) {
    return new HeartbeatRequest(this, resident, readDegraded, ofRequests, ofCommands, selfReport,
        oldReads);
  }

  /**
   * Adds what the sender says about itself.
   *
   * @param report the sender's clock, versions and settings
   * @return the same heartbeat with this report
   */
  public HeartbeatRequest withSelfReport(SelfReport report) {
    return new HeartbeatRequest(this, resident, readDegraded, requestFeatures, commandFeatures,
        report, oldReads);
  }

  /**
   * Adds a report about which of the blocks that the sender watches have been read.
   *
   * @param reads the reads that the sender has seen
   * @return the same heartbeat with these reads
   */
  public HeartbeatRequest withOldReads(OldReads reads) {
    return new HeartbeatRequest(this, resident, readDegraded, requestFeatures, commandFeatures,
        selfReport, reads);
  }

  /**
   * Returns the {@link CommandFeatures} of a node that does not name its features. They follow from
   * its version of the protocol.
   */
  static long commandFeaturesOf(int protocolVersion) {
    return protocolVersion >= KNOWS_DOUBT ? CommandFeatures.DOUBTED : 0;
  }

  /**
   * @return whether the sender carries out commands for groups whose units contradict each other
   */
  public boolean knowsDoubt() {
    return protocolVersion >= KNOWS_DOUBT;
  }

  /**
   * Encodes a heartbeat. Leaves out the last elements of a list that is longer than a message
   * allows.
   */
  HeartbeatRequestProto toProto() {
    HeartbeatRequestProto.Builder builder = HeartbeatRequestProto.newBuilder()
        .setProtocolVersion(protocolVersion)
        .setSoftwareVersion(softwareVersion)
        .setNode(WireRules.toProto(node))
        .setNewestTerm(newestTerm)
        .setLoad(load.toProto());
    for (RunningRepair running : FieldRules.first(running, RUNNING_MAX)) {
      builder.addRunning(running.toProto());
    }
    for (RepairResult result : FieldRules.first(results, RESULTS_MAX)) {
      builder.addResults(result.toProto());
    }
    if (resident.hasNews()) {
      builder.setResident(resident.toProto());
    }
    for (ReadGroup group
        : FieldRules.first(readDegraded, READ_DEGRADED_MAX)) {
      builder.addReadDegraded(group.toProto());
    }
    if (requestFeatures != RequestFeatures.UNSAID) {
      builder.setRequestFeatures(requestFeatures);
    }
    if (commandFeatures
        != commandFeaturesOf(protocolVersion)) {
      builder.setCommandFeatures(commandFeatures);
    }
    if (selfReport != SelfReport.NONE) {
      builder.setSelfReport(selfReport.toProto());
    }
    if (oldReads != OldReads.UNSAID) {
      builder.setOldReads(oldReads.toProto());
    }
    return builder.build();
  }

  /**
   * Reads a heartbeat.
   *
   * @throws MalformedRequestException naming the field that is wrong
   */
  static HeartbeatRequest parse(HeartbeatRequestProto proto) throws MalformedRequestException {
    try {
      return convert(proto);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The heartbeat contradicts itself: " + e.getMessage(),
          e);
    }
  }

  private static HeartbeatRequest convert(HeartbeatRequestProto proto) {
    FieldRules.atMost("running", proto.getRunningCount(), RUNNING_MAX);
    FieldRules.atMost("results", proto.getResultsCount(), RESULTS_MAX);
    FieldRules.atMost("read_degraded", proto.getReadDegradedCount(), READ_DEGRADED_MAX);
    List<RunningRepair> running = new ArrayList<>();
    for (RunningProto each : proto.getRunningList()) {
      running.add(RunningRepair.parse(each));
    }
    List<RepairResult> results = new ArrayList<>();
    for (ResultProto each : proto.getResultsList()) {
      results.add(RepairResult.parse(each));
    }
    List<ReadGroup> read = new ArrayList<>();
    for (ReadGroupProto each : proto.getReadDegradedList()) {
      read.add(ReadGroup.parse(each));
    }
    NodeRef node = WireRules.node(proto.getNode());
    WireRules.name("uuid", node.uuid);
    HeartbeatRequest plain = new HeartbeatRequest(
        WireRules.within("protocol_version", proto.getProtocolVersion(), 1, FieldRules.COUNT_MAX),
        WireRules.text("software_version", proto.getSoftwareVersion()), node,
        FieldRules.term(proto.getNewestTerm()), NodeLoad.parse(proto.getLoad()), running, results);
    // The object keeps feature bits that this version does not know. These bits do no harm, because
    // only planners of newer versions look at them.
    return new HeartbeatRequest(plain,
        proto.hasResident() ? ResidentBlocks.parse(proto.getResident()) : plain.resident, read,
        proto.hasRequestFeatures() ? proto.getRequestFeatures() : plain.requestFeatures,
        proto.hasCommandFeatures() ? proto.getCommandFeatures() : plain.commandFeatures,
        proto.hasSelfReport() ? SelfReport.parse(proto.getSelfReport()) : plain.selfReport,
        proto.hasOldReads() ? OldReads.parse(proto.getOldReads()) : plain.oldReads);
  }

  @Override
  public String toString() {
    return "heartbeat of " + node + ", term " + newestTerm + ", " + load + ", running " + running
        + ", results " + results + ", " + resident
        + (readDegraded.isEmpty() ? "" : ", read degraded " + readDegraded)
        + (selfReport == SelfReport.NONE ? "" : ", " + selfReport)
        + (oldReads.reads.isEmpty() ? "" : ", " + oldReads);
  }
}
