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
package org.hdfsppr.client.device;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs the writes of a block device to disks soon after they return, even if clients never ask for
 * it. When holders of a log fail, other ones take their place. A writer can find out whether its
 * unsynced writes have survived that only until the holders have changed a second time. A sync
 * within seconds leaves no time for two changes.
 */
final class BackgroundSyncs implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundSyncs.class);
  private static final PeerLog PEER_LOG = new PeerLog(LOG);
  private static final long LOOK_MS = 250;
  /** How long writes wait for a sync at most, ms, while the holders of the logs do not change. */
  private static final long DIRTY_MS_MOST = 2_000;
  private static final long STOP_MS = 5_000;
  /**
   * How many files are synced at the same time at most. Several threads are needed because some
   * syncs may wait for holders that have failed.
   */
  private static final int THREADS = 16;
  private static final long IDLE_S = 10;

  private final Collection<UpdatedBytes> files;
  /** The files whose sync runs or is queued. */
  private final Set<UpdatedBytes> running = ConcurrentHashMap.newKeySet();
  /** Runs the syncs. Its queue has each open file at most once. */
  private final ThreadPoolExecutor syncs = new ThreadPoolExecutor(THREADS, THREADS, IDLE_S,
      TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new Daemon.DaemonFactory());
  private final Daemon thread = new Daemon(this::run);
  private boolean isStarted;
  private volatile boolean isClosed;

  /** @param files the open files; other threads may change this collection while it is read */
  BackgroundSyncs(Collection<UpdatedBytes> files) {
    this.files = files;
    syncs.allowCoreThreadTimeOut(true);
    thread.setName("nbd-sync");
  }

  /** Starts the thread; further calls do nothing. */
  synchronized void start() {
    if (!isStarted && !isClosed) {
      thread.start();
      isStarted = true;
    }
  }

  private void run() {
    // For each dirty file, how many successive looks have found it dirty.
    Map<UpdatedBytes, Integer> dirty = new HashMap<>();
    while (!isClosed) {
      try {
        look(dirty);
      } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
        // For example, a thread could not start for lack of memory. The next look may succeed.
        PEER_LOG.warn("look", "Writes are not synced in the background for the moment", e);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void look(Map<UpdatedBytes, Integer> dirty) {
    dirty.keySet().retainAll(files);
    for (UpdatedBytes file : files) {
      if (!file.isDirty()) {
        dirty.remove(file);
      } else if (file.isSyncUrgent()
          || dirty.merge(file, 1, Integer::sum) * LOOK_MS > DIRTY_MS_MOST) {
        dirty.remove(file);
        begin(file);
      }
    }
  }

  private void begin(UpdatedBytes file) {
    if (!running.add(file)) {
      return;
    }
    boolean isBegun = false;
    try {
      syncs.execute(() -> {
        try {
          sync(file);
        } finally {
          running.remove(file);
        }
      });
      isBegun = true;
    } catch (RejectedExecutionException e) {
      LOG.debug("{} is not synced: the device is being closed, and has flushed", file, e);
    } finally {
      if (!isBegun) {
        running.remove(file);
      }
    }
  }

  private static void sync(UpdatedBytes file) {
    try {
      file.sync();
    } catch (IOException | RuntimeException e) {
      // The file stays dirty, so that the next flush of a client tries again and reports a failure.
      if (!file.isDirty()) {
        return;
      }
      PEER_LOG.warn("sync", "Writes to {} are not on disks yet: {}", file, PeerText.firstLine(e));
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
    }
    thread.interrupt();
    syncs.shutdownNow();
    try {
      thread.join(STOP_MS);
      syncs.awaitTermination(STOP_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
