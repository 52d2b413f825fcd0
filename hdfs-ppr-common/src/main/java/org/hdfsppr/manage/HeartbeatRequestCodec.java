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
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.ReadGroupProto;
import org.hdfsppr.manage.proto.ManagerProtos.ResultProto;
import org.hdfsppr.manage.proto.ManagerProtos.RunningProto;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.RequestFeatures;

/**
 * Converts heartbeats into messages and back. A NameNode checks a heartbeat here, once, and trusts
 * the object afterwards. If a DataNode has more to report than one message may hold, the codec
 * leaves out the rest, and the DataNode sends it with the next heartbeat.
 */
@InterfaceAudience.Private
final class HeartbeatRequestCodec {
  private HeartbeatRequestCodec() {
  }

  /** Encodes a heartbeat, without the elements that exceed the message's bounds. */
  static HeartbeatRequestProto toProto(HeartbeatRequest request) {
    HeartbeatRequestProto.Builder builder = HeartbeatRequestProto.newBuilder()
        .setProtocolVersion(request.protocolVersion)
        .setSoftwareVersion(request.softwareVersion)
        .setNode(Door.toProto(request.node))
        .setNewestTerm(request.newestTerm)
        .setLoad(LoadCodec.toProto(request.load));
    for (RunningRepair running : Fields.first(request.running, HeartbeatRequest.RUNNING_MAX)) {
      builder.addRunning(RunningCodec.toProto(running));
    }
    for (RepairResult result : Fields.first(request.results, HeartbeatRequest.RESULTS_MAX)) {
      builder.addResults(ResultCodec.toProto(result));
    }
    if (request.resident.hasNews()) {
      builder.setResident(ResidentCodec.toProto(request.resident));
    }
    for (ReadGroup group
        : Fields.first(request.readDegraded, HeartbeatRequest.READ_DEGRADED_MAX)) {
      builder.addReadDegraded(ReadGroupCodec.toProto(group));
    }
    if (request.requestFeatures != RequestFeatures.UNSAID) {
      builder.setRequestFeatures(request.requestFeatures);
    }
    if (request.commandFeatures
        != HeartbeatRequest.commandFeaturesOf(request.protocolVersion)) {
      builder.setCommandFeatures(request.commandFeatures);
    }
    if (request.selfReport != SelfReport.NONE) {
      builder.setSelfReport(SelfReportCodec.toProto(request.selfReport));
    }
    if (request.oldReads != OldReads.UNSAID) {
      builder.setOldReads(OldReadsCodec.toProto(request.oldReads));
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
    Fields.atMost("running", proto.getRunningCount(), HeartbeatRequest.RUNNING_MAX);
    Fields.atMost("results", proto.getResultsCount(), HeartbeatRequest.RESULTS_MAX);
    Fields.atMost("read_degraded", proto.getReadDegradedCount(),
        HeartbeatRequest.READ_DEGRADED_MAX);
    List<RunningRepair> running = new ArrayList<>();
    for (RunningProto each : proto.getRunningList()) {
      running.add(RunningCodec.parse(each));
    }
    List<RepairResult> results = new ArrayList<>();
    for (ResultProto each : proto.getResultsList()) {
      results.add(ResultCodec.parse(each));
    }
    List<ReadGroup> read = new ArrayList<>();
    for (ReadGroupProto each : proto.getReadDegradedList()) {
      read.add(ReadGroupCodec.parse(each));
    }
    NodeRef node = Door.node(proto.getNode());
    Door.name("uuid", node.uuid);
    HeartbeatRequest request = new HeartbeatRequest(
        Door.within("protocol_version", proto.getProtocolVersion(), 1, Fields.COUNT_MAX),
        Door.text("software_version", proto.getSoftwareVersion()), node,
        Fields.term(proto.getNewestTerm()), LoadCodec.parse(proto.getLoad()), running, results,
        proto.hasResident() ? ResidentCodec.parse(proto.getResident())
            : ResidentBlocks.unchanged())
        .withReadDegraded(read);
    if (proto.hasSelfReport()) {
      request = request.withSelfReport(SelfReportCodec.parse(proto.getSelfReport()));
    }
    if (proto.hasOldReads()) {
      request = request.withOldReads(OldReadsCodec.parse(proto.getOldReads()));
    }
    // The codec keeps bits that this version does not know. These bits do no harm, because only
    // newer planners look at them.
    return request.withFeatures(
        proto.hasRequestFeatures() ? proto.getRequestFeatures() : request.requestFeatures,
        proto.hasCommandFeatures() ? proto.getCommandFeatures() : request.commandFeatures);
  }
}
