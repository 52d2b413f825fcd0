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
package org.hdfsppr.datanode.watch;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.datanode.OldReadsAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees the reads from one DataNode by stock's client trace, a log with a line for each read of a
 * client. All DataNodes of a process write into the same log, which {@link Log4jTrace} reads once
 * for all of them. Thread-safe.
 */
final class ClientTrace implements ReadTap {
  private static final Logger LOG = LoggerFactory.getLogger(ClientTrace.class);
  private static final List<ClientTrace> LISTENERS = new CopyOnWriteArrayList<>();
  /** Reads the log; null while no DataNode listens. Guarded by the monitor of the class. */
  private static Log4jTrace trace;
  /** How often {@link #trace} was attached to the log. Guarded by the monitor of the class. */
  private static long attachments;

  private final Supplier<String> uuid;
  private volatile Reads reads;
  private long attachment;
  /** Why the last try could not attach to the log; empty if it could. */
  private Optional<String> lastWhy = Optional.empty();

  /** @param uuid returns the DataNode's UUID; null while it has none */
  ClientTrace(Supplier<String> uuid) {
    this.uuid = uuid;
  }

  private static void heard(String line) {
    TraceLine.parse(line).ifPresent(read -> {
      for (ClientTrace listener : LISTENERS) {
        listener.heard(read);
      }
    });
  }

  private void heard(TraceLine read) {
    Reads to = reads;
    if (to != null && read.server.equals(uuid.get())) {
      to.read(read.pool().orElse(null), read.blockId);
    }
  }

  @Override
  public Optional<String> whyNot() {
    synchronized (ClientTrace.class) {
      return trace != null ? Optional.empty() : tried(Log4jTrace::whyNot);
    }
  }

  /**
   * Runs something that needs the classes of log4j 1. If Hadoop's logs have another backend, it
   * throws a LinkageError, which becomes the reason that is returned.
   */
  private static Optional<String> tried(Supplier<Optional<String>> question) {
    try {
      return question.get();
    } catch (RuntimeException | LinkageError e) {
      return Optional.of("the backend of its logs is not log4j 1 or reload4j (" + e + ")");
    }
  }

  @Override
  public boolean attach(Reads to) {
    synchronized (ClientTrace.class) {
      Optional<String> why = trace != null ? Optional.empty() : attachTrace();
      if (why.isPresent()) {
        if (!why.equals(lastWhy)) {
          LOG.info("Reads of old versions of files are seen only while they last, because {}",
              why.get());
        }
        lastWhy = why;
        return false;
      }
      lastWhy = why;
      reads = to;
      attachment = attachments;
      if (!LISTENERS.contains(this)) {
        LISTENERS.add(this);
      }
      return true;
    }
  }

  private static Optional<String> attachTrace() {
    return tried(() -> {
      Log4jTrace next = new Log4jTrace(ClientTrace::heard);
      Optional<String> why = next.attach();
      if (why.isEmpty()) {
        trace = next;
        attachments++;
        LOG.debug("{} is read for clients of old versions", OldReadsAccess.traceLoggerName());
      }
      return why;
    });
  }

  @Override
  public boolean isWhole() {
    synchronized (ClientTrace.class) {
      if (trace != null && !trace.isIntact()) {
        LOG.info("The level or the appenders of {} have changed; reads of old versions may have"
            + " been missed", OldReadsAccess.traceLoggerName());
        trace.detach();
        trace = null;
      }
      return trace != null && attachment == attachments && LISTENERS.contains(this);
    }
  }

  @Override
  public void detach() {
    synchronized (ClientTrace.class) {
      reads = null;
      LISTENERS.remove(this);
      if (LISTENERS.isEmpty() && trace != null) {
        trace.detach();
        trace = null;
      }
    }
  }

  /**
   * What a line of stock's client trace says about a read. The client chooses its own name, which
   * may look like other fields of the line. The fields behind it come from the DataNode, so this
   * class looks for them from the end of the line.
   *
   * <pre>
   *   src: /10.0.0.1:9866, dest: /10.0.0.7:4711, volume: , bytes: 4128, op: HDFS_READ, cliID: NAME,
   *       offset: 0, srvID: UUID, blockid: BP-1-10.0.0.1-2:blk_-16_1001, duration(ns): 12345
   *   src: 127.0.0.1, dest: 127.0.0.1, op: REQUEST_SHORT_CIRCUIT_FDS, blockid: -16, srvID: UUID,
   *       success: true
   * </pre>
   *
   * <p>DataNodes that read for a repair have no client name, and stock writes another line for
   * them, which does not count here. Immutable.
   */
  static final class TraceLine {
    private static final String READ = ", op: HDFS_READ, cliID: ";
    private static final String DESCRIPTORS = "op: REQUEST_SHORT_CIRCUIT_FDS, blockid: ";
    private static final String SERVER = ", srvID: ";
    private static final String BLOCK = ", blockid: ";
    private static final String DURATION = ", duration(ns): ";
    private static final String SUCCESS = ", success: true";

    /** The UUID of the DataNode from which the client has read. */
    final String server;
    private final String pool;
    /**
     * The block that the client has read, or whose file descriptors it has got for short-circuit
     * reads.
     */
    final long blockId;

    private TraceLine(String server, String pool, long blockId) {
      this.server = server;
      this.pool = pool;
      this.blockId = blockId;
    }

    /** Returns the block pool; empty if the line does not name it. */
    Optional<String> pool() {
      return Optional.ofNullable(pool);
    }

    /** Reads a line; returns empty if it is not about a read by a client. */
    static Optional<TraceLine> parse(String line) {
      if (line.startsWith("src: ") && line.contains(READ)) {
        return read(line);
      }
      return line.contains(DESCRIPTORS) && line.endsWith(SUCCESS) ? descriptors(line)
          : Optional.empty();
    }

    private static Optional<TraceLine> read(String line) {
      int duration = line.lastIndexOf(DURATION);
      int block = line.lastIndexOf(BLOCK, duration);
      int server = line.lastIndexOf(SERVER, block);
      if (duration < 0 || block < 0 || server < 0) {
        return Optional.empty();
      }
      String uuid = line.substring(server + SERVER.length(), block);
      return TracedBlock.parse(line, block + BLOCK.length(), duration)
          .map(name -> new TraceLine(uuid, name.pool, name.id));
    }

    private static Optional<TraceLine> descriptors(String line) {
      int server = line.lastIndexOf(SERVER);
      int block = line.lastIndexOf(DESCRIPTORS, server);
      if (server < 0 || block < 0) {
        return Optional.empty();
      }
      try {
        return Optional.of(new TraceLine(
            line.substring(server + SERVER.length(), line.length() - SUCCESS.length()), null,
            Long.parseLong(line, block + DESCRIPTORS.length(), server, 10)));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }
  }
}
