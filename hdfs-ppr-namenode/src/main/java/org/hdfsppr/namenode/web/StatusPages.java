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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.BusyNode;
import org.hdfsppr.namenode.manage.status.Headline;
import org.hdfsppr.namenode.manage.status.History;
import org.hdfsppr.namenode.manage.status.LossStatus;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.RepairPause;
import org.hdfsppr.namenode.manage.status.StatusNumber;
import org.hdfsppr.namenode.manage.status.WaitReason;
import org.hdfsppr.namenode.manage.status.WorkStatus;
import org.hdfsppr.namenode.queue.LockTimes;
import org.hdfsppr.plan.NodeRef;

/**
 * Serves the manager's status as JSON documents. A document is written once for each version of the
 * status, by the first viewer that asks for it, and all viewers get the same bytes. The manager's
 * thread takes no part in that and never waits for a viewer. Thread-safe.
 *
 * <p>If no viewer asks for lists, the manager makes none. The first viewer then waits for the next
 * cycle, for {@value #WAIT_MS_MAX} ms at most.
 */
@InterfaceAudience.Private
public final class StatusPages implements PageSource {
  /** How long a viewer waits if the manager has stopped making lists, ms: more than two cycles. */
  static final long WAIT_MS_MAX = 700;
  /**
   * If the lists are older than their status by more than this, ms, the manager had stopped making
   * lists, and a viewer waits for new ones.
   */
  private static final long FRESH_MS = 2_000;
  private static final long POLL_MS = 20;
  /**
   * How many viewers wait at a time at most; further viewers get the old lists. A NameNode has ten
   * threads for its web server.
   */
  private static final int WAITING_MAX = 4;

  /** Writes one document. */
  private interface Writer {
    void write(ManagerStatus status, ByteArrayOutputStream out) throws IOException;
  }

  /**
   * A kind of document. Its number is a number of the status that changes with the document's
   * content.
   */
  private static final class Document {
    private final ToLongFunction<ManagerStatus> number;
    private final Writer writer;

    Document(ToLongFunction<ManagerStatus> number, Writer writer) {
      this.number = number;
      this.writer = writer;
    }
  }

  /** One version of a document. The first viewer that asks for it writes it. */
  private static final class Version {
    private final String etag;
    private final FutureTask<PageResponse> page;

    Version(String etag, FutureTask<PageResponse> page) {
      this.etag = etag;
      this.page = page;
    }
  }

  private static final Map<String, Document> DOCUMENTS = Map.of(
      "/v1/status", new Document(status -> status.cycle, StatusJson::write),
      "/v1/history", new Document(status -> status.history.endMs, StatusJson::writeHistory),
      "/v1/repairs", list(ListsJson::writeRepairs),
      "/v1/groups", list(ListsJson::writeGroups),
      "/v1/nodes", list(ListsJson::writeNodes),
      "/v1/doubts", list(ListsJson::writeDoubts));

  private final Supplier<ManagerStatus> manager;
  private final Map<String, Version> written = new ConcurrentHashMap<>();
  private final Semaphore waiting = new Semaphore(WAITING_MAX);

  /**
   * @param manager returns the status of the last cycle; each call makes the manager go on to make
   *     lists
   */
  public StatusPages(Supplier<ManagerStatus> manager) {
    this.manager = manager;
  }

  private static Document list(Writer writer) {
    return new Document(status -> status.lists.cycle, writer);
  }

  @Override
  public Optional<PageResponse> find(String path) {
    Document document = DOCUMENTS.get(path);
    return document == null ? Optional.empty() : Optional.of(page(path, document));
  }

  private PageResponse page(String path, Document document) {
    ManagerStatus status = withFreshLists();
    // A restarted NameNode counts its cycles from the beginning, so that the name of the version
    // also has the time of the start.
    String etag = document.number.applyAsLong(status) + "-"
        + Long.toString(status.facts.startedMs, Character.MAX_RADIX);
    // At most one version of each document is kept. Viewers that have just read an older status get
    // the newer document, too.
    Version version = written.compute(path, (same, old) ->
        old != null && old.etag.equals(etag) ? old : new Version(etag, new FutureTask<>(() -> {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          document.writer.write(status, out);
          return PageResponse.json(etag, out.toByteArray());
        })));
    // Does nothing if another viewer writes the document or has written it.
    version.page.run();
    return written(version);
  }

  private static PageResponse written(Version version) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          // The wait is short: the viewer that writes the document waits for nothing.
          return version.page.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof IOException) {
            throw new UncheckedIOException((IOException) e.getCause());
          }
          throw new IllegalStateException("The document cannot be written", e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private ManagerStatus withFreshLists() {
    ManagerStatus status = manager.get();
    if (isFresh(status) || !waiting.tryAcquire()) {
      return status;
    }
    try {
      long end = System.nanoTime() + WAIT_MS_MAX * 1_000_000;
      while (!isFresh(status) && System.nanoTime() - end < 0) {
        Thread.sleep(POLL_MS);
        status = manager.get();
      }
    } catch (InterruptedException e) {
      // The web server stops. The viewer gets the lists that there are.
      Thread.currentThread().interrupt();
    } finally {
      waiting.release();
    }
    return status;
  }

  /**
   * Returns whether a viewer need not wait for lists. Before its first cycle a manager makes none,
   * so that a wait would be useless.
   */
  private static boolean isFresh(ManagerStatus status) {
    return status.cycle == 0 || status.lists.made != null
        && status.made.ms - status.lists.made.ms <= FRESH_MS;
  }

  /** Writes the numbers of a status as JSON documents. Stateless. */
  static final class StatusJson {
    /**
     * The version of the documents' form; it changes if a field is removed or gets another meaning.
     */
    private static final int VERSION = 1;
    private static final double NANOS_PER_MS = 1e6;

    private StatusJson() {
    }

    /** Writes the document {@code /v1/status}. */
    static void write(ManagerStatus status, OutputStream out) throws IOException {
      try (JsonGenerator json = JsonText.to(out)) {
        json.writeStartObject();
        json.writeNumberField("version", VERSION);
        json.writeStringField("software", status.facts.software);
        JsonText.time(json, "made", status.made.wall);
        json.writeNumberField("cycle", status.cycle);
        json.writeStringField("block_pool", status.blockPool);
        json.writeStringField("state", status.state.word());
        json.writeStringField("headline", Headline.of(status));
        json.writeBooleanField("in_charge", status.inCharge);
        json.writeStringField("why", status.why);
        json.writeNumberField("term", status.term);
        json.writeStringField("scheduler", status.facts.scheduler);
        json.writeBooleanField("listening", status.listening);
        queue(json, status);
        work(json, status);
        numbers(json, status, StatusNumber.AGENTS, StatusNumber.DATA_NODES,
            StatusNumber.DATA_NODES_SILENT, StatusNumber.QUARANTINED, StatusNumber.DOUBTED,
            StatusNumber.SUSPECTED);
        time(json, "pause", status.pause.orElse(null));
        time(json, "left_to_stock", status.leftToStock.orElse(null));
        reasons(json, status.lists.reasons);
        busiest(json, status);
        losses(json, status);
        lock(json, status.lockTimes);
        json.writeEndObject();
      }
    }

    private static void numbers(JsonGenerator json, ManagerStatus status, StatusNumber... which)
        throws IOException {
      for (StatusNumber each : which) {
        json.writeNumberField(each.field(), status.get(each));
      }
    }

    private static void queue(JsonGenerator json, ManagerStatus status) throws IOException {
      numbers(json, status, StatusNumber.GROUPS_QUEUED);
      json.writeArrayFieldStart("queue");
      for (Map.Entry<Integer, Integer> entry : status.waitingBySpareUnits.entrySet()) {
        json.writeStartObject();
        json.writeNumberField("spare_units", entry.getKey());
        json.writeNumberField("groups", entry.getValue());
        json.writeEndObject();
      }
      json.writeEndArray();
      numbers(json, status, StatusNumber.UNRECOVERABLE, StatusNumber.RECOVERABLE_THROUGH_CORE,
          StatusNumber.AT_RISK, StatusNumber.READ_DEGRADED, StatusNumber.WAITING_FOR_STOCK,
          StatusNumber.WITH_STOCK);
      json.writeNumberField("handed_to_stock", status.handedToStock);
    }

    private static void work(JsonGenerator json, ManagerStatus status) throws IOException {
      WorkStatus work = status.work;
      numbers(json, status, StatusNumber.REPAIRS_IN_FLIGHT);
      json.writeNumberField("repairs_in_flight_max", status.facts.inFlightMax);
      json.writeNumberField("bytes_left", work.bytesLeft());
      JsonText.number(json, "bytes_per_s", work.bytesPerSecond);
      JsonText.number(json, "eta_s", work.etaSeconds);
      JsonText.number(json, "eta_bound_s", work.etaBoundSeconds);
      json.writeNumberField("repairs_done", work.done());
      json.writeNumberField("repairs_failed", work.failed);
      json.writeNumberField("bytes_rebuilt", work.bytesRebuilt());
    }

    private static void time(JsonGenerator json, String name, RepairPause pause)
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
      for (BusyNode busy : status.busiest) {
        json.writeStartObject();
        JsonText.node(json, busy.node);
        JsonText.number(json, "busy_s", busy.seconds);
        json.writeEndObject();
      }
      json.writeEndArray();
    }

    private static void losses(JsonGenerator json, ManagerStatus status) throws IOException {
      json.writeArrayFieldStart("losses");
      for (LossStatus loss : status.losses) {
        json.writeStartObject();
        JsonText.node(json, loss.nodes.get(0));
        json.writeArrayFieldStart("nodes");
        for (NodeRef node : loss.nodes) {
          json.writeString(JsonText.name(node));
        }
        json.writeEndArray();
        JsonText.time(json, "since", status.made.wallAt(loss.sinceMs));
        JsonText.time(json, "ended", loss.endedMs().map(status.made::wallAt).orElse(null));
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
      json.writeNumberField("holds", times.write.count + times.read.count);
      JsonText.number(json, "held_ms", (times.write.nanos + times.read.nanos) / NANOS_PER_MS);
      JsonText.number(json, "longest_ms",
          Math.max(times.write.nanosMax, times.read.nanosMax) / NANOS_PER_MS);
      json.writeEndObject();
    }

    /** Writes the document {@code /v1/history}. */
    static void writeHistory(ManagerStatus status, OutputStream out) throws IOException {
      History history = status.history;
      try (JsonGenerator json = JsonText.to(out)) {
        json.writeStartObject();
        json.writeNumberField("step_s", History.STEP_SECONDS);
        JsonText.time(json, "end",
            history.size() == 0 ? null : status.made.wallAt(history.endMs));
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
}
