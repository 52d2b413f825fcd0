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
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.update.log.LogLimits;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of a DataNode, one for each block pool. A log is opened with the first request for its
 * pool. If that fails, further requests for the pool fail with the same error until the DataNode
 * starts again, because reading all of a log takes long. Thread-safe.
 */
@InterfaceAudience.Private
public final class UpdateLogs implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateLogs.class);
  /** What the name of a folder may be; the id of each block pool is so. */
  private static final Pattern FOLDER = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9._:%]*");

  private final Path directory;
  private final LogLimits limits;
  private final Map<String, UpdateLog> logs = new HashMap<>();
  private final Map<String, IOException> failures = new HashMap<>();
  private boolean closed;

  /**
   * @param directory has a folder for each log
   * @param limits the limits of each log
   */
  public UpdateLogs(Path directory, LogLimits limits) {
    this.directory = directory;
    this.limits = limits;
  }

  /**
   * Returns the log of a block pool.
   *
   * @param poolId a block pool that this DataNode serves; the number of logs is bounded by that
   * @return the open log
   * @throws IOException if the log cannot be opened
   */
  public synchronized UpdateLog log(String poolId) throws IOException {
    if (closed) {
      throw new IOException("This DataNode stops");
    }
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
    try {
      log = UpdateLog.open(directory.resolve(poolId), limits);
    } catch (IOException e) {
      failures.put(poolId, e);
      LOG.error("The update log of block pool {} cannot be opened. This DataNode takes no updates"
          + " of its files until it starts again: {}", poolId, e.getMessage(), e);
      throw e;
    }
    logs.put(poolId, log);
    return log;
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
  }
}
