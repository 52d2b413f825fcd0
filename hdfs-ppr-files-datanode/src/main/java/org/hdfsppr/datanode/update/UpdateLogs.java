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
package org.hdfsppr.datanode.update;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.update.log.DiskLog;
import org.hdfsppr.datanode.update.log.LogLimits;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.datanode.update.old.BlockLineage;
import org.hdfsppr.datanode.update.old.OldBytesStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The update logs of a DataNode, one for each block pool. The first request for a pool opens its
 * log, which takes long because all of the log is read. Meanwhile further requests for the pool are
 * refused. If they waited, they would occupy the threads that serve repairs. If the log cannot be
 * opened, requests for the pool fail with the same error until the DataNode restarts. Thread-safe.
 */
@InterfaceAudience.Private
public final class UpdateLogs implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateLogs.class);
  /** The names that the folder of a log may have. The ids of all block pools match. */
  private static final Pattern FOLDER = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9._:%]*");

  /** Opens a log. */
  interface Opener {
    UpdateLog open(Path folder, LogLimits limits) throws IOException;
  }

  /**
   * The bytes that updates overwrite take at most the size of one log divided by this number: with
   * 4, a quarter. They need less room than the log, because after a commit only the first update of
   * a byte has an old byte.
   */
  private static final int OLD_BYTES_ONE_IN = 4;

  private final Path directory;
  private final LogLimits limits;
  private final Opener opener;
  /** The bytes that updates in these logs have overwritten */
  public final OldBytesStore oldBytes;
  /** Knows which blocks of this node were made from which others for later versions */
  public final BlockLineage lineage = new BlockLineage();
  /** The open logs, by block pool. Guarded by this, like all fields below. */
  private final Map<String, UpdateLog> logs = new HashMap<>();
  private final Map<String, IOException> failures = new HashMap<>();
  /** The block pools whose logs are being opened. */
  private final Set<String> opening = new HashSet<>();
  private boolean closed;

  /**
   * @param directory the parent of the logs' folders
   * @param limits the limits of each log
   */
  public UpdateLogs(Path directory, LogLimits limits) {
    this(directory, limits, limits.bytesMost / OLD_BYTES_ONE_IN, DiskLog::open);
  }

  UpdateLogs(Path directory, LogLimits limits, Opener opener) {
    this(directory, limits, 0, opener);
  }

  private UpdateLogs(Path directory, LogLimits limits, long oldBytesMost, Opener opener) {
    this.oldBytes = new OldBytesStore(directory, oldBytesMost);
    this.directory = directory;
    this.limits = limits;
    this.opener = opener;
  }

  /**
   * Returns the log of a block pool.
   *
   * @param poolId a block pool that this DataNode serves, which bounds the number of logs
   * @return the open log
   * @throws LogNotOpenYetException if another thread is opening the log at present
   * @throws IOException if the log cannot be opened
   */
  public UpdateLog log(String poolId) throws IOException {
    synchronized (this) {
      checkOpen();
      UpdateLog log = logs.get(poolId);
      if (log != null) {
        return log;
      }
      if (!FOLDER.matcher(poolId).matches()) {
        throw new IOException("Block pool " + poolId + " cannot have a folder of this name");
      }
      IOException failure = failures.get(poolId);
      if (failure != null) {
        throw new IOException(failure.getMessage(), failure);
      }
      if (!opening.add(poolId)) {
        throw new LogNotOpenYetException("the update log of " + poolId + " is being opened");
      }
    }
    UpdateLog log = null;
    IOException failure = null;
    try {
      log = opener.open(directory.resolve(poolId), limits);
    } catch (IOException e) {
      failure = e;
    } catch (RuntimeException e) {
      failure = new IOException(e);
    } finally {
      ended(poolId, log, failure);
    }
    if (failure != null) {
      LOG.error("The update log of block pool {} cannot be opened. This DataNode takes no updates"
          + " of its files until it starts again: {}", poolId, failure.getMessage(), failure);
      throw failure;
    }
    return log;
  }

  private synchronized void checkOpen() throws IOException {
    if (closed) {
      throw new IOException("This DataNode stops");
    }
  }

  /**
   * Records the result of an attempt to open a log. Both {@code log} and {@code failure} are null
   * if an {@link Error} has ended the attempt.
   */
  private synchronized void ended(String poolId, UpdateLog log, IOException failure)
      throws IOException {
    opening.remove(poolId);
    if (failure != null) {
      failures.put(poolId, failure);
    }
    if (log != null && closed) {
      log.close();
    } else if (log != null) {
      logs.put(poolId, log);
    }
    checkOpen();
  }

  @Override
  public synchronized void close() {
    closed = true;
    logs.forEach((poolId, log) -> {
      try {
        log.close();
      } catch (IOException e) {
        LOG.warn("The update log of block pool {} did not close cleanly", poolId, e);
      }
    });
    logs.clear();
    oldBytes.close();
  }
}
