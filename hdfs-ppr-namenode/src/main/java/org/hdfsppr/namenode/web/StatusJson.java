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
package org.hdfsppr.namenode.web;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.BusyNode;
import org.hdfsppr.namenode.manage.status.Headline;
import org.hdfsppr.namenode.manage.status.History;
import org.hdfsppr.namenode.manage.status.LossStatus;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.Pause;
import org.hdfsppr.namenode.manage.status.WaitReason;
import org.hdfsppr.namenode.manage.status.WorkStatus;
import org.hdfsppr.namenode.queue.LockTimes;
import org.hdfsppr.plan.NodeRef;

/** Writes the numbers of a status as JSON documents. Stateless. */
@InterfaceAudience.Private
final class StatusJson {
  /** The version of the documents; it changes if a field is removed or gets another meaning. */
  private static final int VERSION = 1;
  private static final double NANOS_PER_MS = 1e6;

  private StatusJson() {
  }

  /** Writes the document {@code /v1/status}. */
  static void write(ManagerStatus status, OutputStream out) throws IOException {
    try (JsonGenerator json = JsonText.to(out)) {
      json.writeStartObject();
      json.writeNumberField("version", VERSION);
      json.writeStringField("software", status.facts().software);
      JsonText.time(json, "made", status.made().wall);
      json.writeNumberField("cycle", status.cycle());
      json.writeStringField("block_pool", status.blockPool());
      json.writeStringField("state", status.state().word());
      json.writeStringField("headline", Headline.of(status));
      json.writeBooleanField("in_charge", status.isInCharge());
      json.writeStringField("why", status.why());
      json.writeNumberField("term", status.term());
      json.writeStringField("scheduler", status.facts().scheduler);
      json.writeBooleanField("listening", status.isListening());
      queue(json, status);
      work(json, status);
      json.writeNumberField("agents", status.participants());
      json.writeNumberField("data_nodes", status.dataNodes());
      json.writeNumberField("quarantined", status.keptOut().size());
      json.writeNumberField("doubted", status.doubted());
      json.writeNumberField("suspected", status.suspected());
      time(json, "pause", status.pause().orElse(null));
      time(json, "left_to_stock", status.leftToStock().orElse(null));
      reasons(json, status.lists().reasons());
      busiest(json, status);
      losses(json, status);
      lock(json, status.lockTimes());
      json.writeEndObject();
    }
  }

  private static void queue(JsonGenerator json, ManagerStatus status) throws IOException {
    json.writeNumberField("groups_queued", status.waiting());
    json.writeArrayFieldStart("queue");
    for (Map.Entry<Integer, Integer> entry : status.waitingBySpareUnits().entrySet()) {
      json.writeStartObject();
      json.writeNumberField("spare_units", entry.getKey());
      json.writeNumberField("groups", entry.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("unrecoverable", status.unrecoverable());
    json.writeNumberField("recoverable_through_core", status.recoverableThroughCore());
    json.writeNumberField("at_risk", status.atRisk());
    json.writeNumberField("read_degraded", status.readDegraded());
    json.writeNumberField("waiting_for_stock", status.waitingForStock());
    json.writeNumberField("with_stock", status.withStock());
    json.writeNumberField("handed_to_stock", status.handedToStock());
  }

  private static void work(JsonGenerator json, ManagerStatus status) throws IOException {
    WorkStatus work = status.work();
    json.writeNumberField("repairs_in_flight", status.inFlight());
    json.writeNumberField("repairs_in_flight_max", status.facts().inFlightMax);
    json.writeNumberField("bytes_left", work.bytesLeft());
    JsonText.number(json, "bytes_per_s", work.bytesPerSecond);
    JsonText.number(json, "eta_s", work.etaSeconds);
    JsonText.number(json, "eta_bound_s", work.etaBoundSeconds);
    json.writeNumberField("repairs_done", work.done());
    json.writeNumberField("repairs_failed", work.failed);
    json.writeNumberField("bytes_rebuilt", work.bytesRebuilt());
  }

  private static void time(JsonGenerator json, String name, Pause pause)
      throws IOException {
    if (pause == null) {
      json.writeNullField(name);
      return;
    }
    json.writeObjectFieldStart(name);
    JsonText.time(json, "since", pause.since);
    JsonText.time(json, "until", pause.until().orElse(null));
    json.writeEndObject();
  }

  private static void reasons(JsonGenerator json, Map<WaitReason, Integer> reasons)
      throws IOException {
    json.writeArrayFieldStart("reasons");
    for (Map.Entry<WaitReason, Integer> entry : reasons.entrySet()) {
      json.writeStartObject();
      json.writeStringField("code", entry.getKey().code());
      json.writeNumberField("groups", entry.getValue());
      json.writeStringField("text", entry.getKey().text);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void busiest(JsonGenerator json, ManagerStatus status) throws IOException {
    json.writeArrayFieldStart("busiest");
    for (BusyNode busy : status.busiest()) {
      json.writeStartObject();
      JsonText.node(json, busy.node);
      JsonText.number(json, "busy_s", busy.seconds);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void losses(JsonGenerator json, ManagerStatus status) throws IOException {
    json.writeArrayFieldStart("losses");
    for (LossStatus loss : status.losses()) {
      json.writeStartObject();
      JsonText.node(json, loss.nodes.get(0));
      json.writeArrayFieldStart("nodes");
      for (NodeRef node : loss.nodes) {
        json.writeString(JsonText.name(node));
      }
      json.writeEndArray();
      JsonText.time(json, "since", status.made().wallAt(loss.sinceMs));
      JsonText.time(json, "ended", loss.endedMs().map(status.made()::wallAt).orElse(null));
      json.writeNumberField("groups", loss.groups);
      json.writeNumberField("groups_left", loss.groupsLeft);
      json.writeNumberField("bytes", loss.bytes);
      json.writeNumberField("bytes_left", loss.bytesLeft);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void lock(JsonGenerator json, LockTimes times) throws IOException {
    json.writeObjectFieldStart("lock");
    json.writeNumberField("holds", times.writeHolds + times.readHolds);
    JsonText.number(json, "held_ms", (times.writeNanos + times.readNanos) / NANOS_PER_MS);
    JsonText.number(json, "longest_ms",
        Math.max(times.writeNanosMax, times.readNanosMax) / NANOS_PER_MS);
    json.writeEndObject();
  }

  /** Writes the document {@code /v1/history}. */
  static void writeHistory(ManagerStatus status, OutputStream out) throws IOException {
    History history = status.history();
    try (JsonGenerator json = JsonText.to(out)) {
      json.writeStartObject();
      json.writeNumberField("step_s", History.STEP_SECONDS);
      JsonText.time(json, "end",
          history.size() == 0 ? null : status.made().wallAt(history.endMs));
      json.writeArrayFieldStart("bytes_per_s");
      for (int i = 0; i < history.size(); i++) {
        JsonText.number(json, history.bytesPerSecond(i));
      }
      json.writeEndArray();
      json.writeArrayFieldStart("groups_queued");
      for (int i = 0; i < history.size(); i++) {
        json.writeNumber(history.queued(i));
      }
      json.writeEndArray();
      json.writeArrayFieldStart("repairs_in_flight");
      for (int i = 0; i < history.size(); i++) {
        json.writeNumber(history.inFlight(i));
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }
}
