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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
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
import org.hdfsppr.namenode.manage.status.ManagerStatus;

/**
 * Serves the manager's status as JSON documents. A document is written once for each version of the
 * status, by the first viewer that asks for it, and all viewers get the same bytes. The manager's
 * thread takes no part in that and never waits for a viewer. Thread-safe.
 *
 * <p>While nothing asks, the manager makes no lists. The first viewer then waits for the next
 * cycle, for {@value #WAIT_MS_MAX} ms at most.
 */
@InterfaceAudience.Private
public final class StatusPages implements PageSource {
  /** How long a viewer waits for lists that nothing has asked for lately, ms: two cycles. */
  static final long WAIT_MS_MAX = 700;
  /** Lists that are older than this when the status is made are about to be made anew, ms. */
  private static final long FRESH_MS = 2_000;
  private static final long POLL_MS = 20;
  /**
   * The greatest number of viewers that wait at a time; the others get what there is. A NameNode
   * has ten threads for its web server.
   */
  private static final int WAITING_MAX = 4;

  /** Writes one document. */
  private interface Writer {
    void write(ManagerStatus status, ByteArrayOutputStream out) throws IOException;
  }

  /** A document, and the number that changes with what it shows. */
  private static final class Document {
    private final ToLongFunction<ManagerStatus> number;
    private final Writer writer;

    Document(ToLongFunction<ManagerStatus> number, Writer writer) {
      this.number = number;
      this.writer = writer;
    }
  }

  /** One version of a document, which the first viewer writes. */
  private static final class Version {
    private final String etag;
    private final FutureTask<Page> page;

    Version(String etag, FutureTask<Page> page) {
      this.etag = etag;
      this.page = page;
    }
  }

  private static final Map<String, Document> DOCUMENTS = Map.of(
      "/v1/status", new Document(ManagerStatus::cycle, StatusJson::write),
      "/v1/history", new Document(status -> status.history().endMs, StatusJson::writeHistory),
      "/v1/repairs", list(ListsJson::writeRepairs),
      "/v1/groups", list(ListsJson::writeGroups),
      "/v1/nodes", list(ListsJson::writeNodes),
      "/v1/doubts", list(ListsJson::writeDoubts));

  private final Supplier<ManagerStatus> manager;
  private final Map<String, Version> written = new ConcurrentHashMap<>();
  private final Semaphore waiting = new Semaphore(WAITING_MAX);

  /** @param manager returns the status of the last cycle, and asks for its lists */
  public StatusPages(Supplier<ManagerStatus> manager) {
    this.manager = manager;
  }

  private static Document list(Writer writer) {
    return new Document(status -> status.lists().cycle(), writer);
  }

  @Override
  public Optional<Page> find(String path) {
    Document document = DOCUMENTS.get(path);
    return document == null ? Optional.empty() : Optional.of(page(path, document));
  }

  private Page page(String path, Document document) {
    ManagerStatus status = withFreshLists();
    // The cycles of two runs of a NameNode have the same numbers, so that the start counts, too.
    String etag = document.number.applyAsLong(status) + "-"
        + Long.toString(status.facts().startedMs, Character.MAX_RADIX);
    // At most one version of each document is kept. Viewers that have just read an older status
    // share the newer one.
    Version version = written.compute(path, (same, old) ->
        old != null && old.etag.equals(etag) ? old : new Version(etag, new FutureTask<>(() -> {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          document.writer.write(status, out);
          return Page.json(etag, out.toByteArray());
        })));
    // Does nothing if another viewer writes the document or has written it.
    version.page.run();
    return written(version);
  }

  private static Page written(Version version) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          // This is short: the viewer that writes waits for nothing.
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
      // The web server ends. The viewer gets what there is.
      Thread.currentThread().interrupt();
    } finally {
      waiting.release();
    }
    return status;
  }

  /** Before its first cycle a manager makes no lists, and there is nothing to wait for. */
  private static boolean isFresh(ManagerStatus status) {
    return status.cycle() == 0 || status.lists().made() != null
        && status.made().ms - status.lists().made().ms <= FRESH_MS;
  }
}
