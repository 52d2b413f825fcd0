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

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.datanode.update.log.LogLimits;
import org.hdfsppr.update.append.UpdateBounds;

/** The settings of updates on a DataNode, read from the configuration and checked. Immutable. */
@InterfaceAudience.Private
public final class UpdateSettings {
  private static final long LOG_BYTES_MAX = 1L << 40;
  /**
   * The data of requests in memory take at most the heap divided by this number: with 8, an eighth
   * of it.
   */
  private static final int MEMORY_HEAP_SHARE = 8;
  /**
   * How many bytes of data of requests are in memory at most, however large the heap: 64 updates of
   * the greatest length.
   */
  private static final long MEMORY_BYTES_MOST = 64L * UpdateBounds.DATA_BYTES_MAX;
  /**
   * How many bytes of data of requests may be in memory even if the heap is small. One client may
   * use a quarter of it. That is enough for two updates of the greatest length, because each update
   * is in memory twice. It is also enough for one such update whose old bytes are read as well.
   */
  private static final long MEMORY_BYTES_LEAST = 16L * UpdateBounds.DATA_BYTES_MAX;

  /** The directory of the logs, or null. */
  private final Path directory;
  private final LogLimits limits;

  private UpdateSettings(Path directory, LogLimits limits) {
    this.directory = directory;
    this.limits = limits;
  }

  /**
   * Reads the settings.
   *
   * @param conf the DataNode's configuration
   * @return the settings
   * @throws IllegalArgumentException if a value is not allowed; the message names the key
   */
  public static UpdateSettings of(Configuration conf) {
    SettingsReader reader = new SettingsReader(conf);
    LogLimits limits = LogLimits.of(reader.number(
        PprKeys.DATANODE_UPDATE_LOG_BYTES_KEY, PprKeys.DATANODE_UPDATE_LOG_BYTES_DEFAULT,
        LogLimits.BYTES_MIN, LOG_BYTES_MAX));
    String directory = conf.getTrimmed(PprKeys.DATANODE_UPDATE_LOG_DIR_KEY,
        PprKeys.DATANODE_UPDATE_LOG_DIR_DEFAULT);
    if (directory.equals(PprKeys.DATANODE_UPDATE_LOG_DIR_DEFAULT)) {
      return new UpdateSettings(null, limits);
    }
    Path path = Paths.get(directory);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(PprKeys.DATANODE_UPDATE_LOG_DIR_KEY + ": '" + directory
          + "' is no absolute path");
    }
    return new UpdateSettings(path, limits);
  }

  /**
   * @return the logs of this DataNode, made anew by each call; empty if no directory for update
   *     logs is configured
   */
  public Optional<UpdateLogs> logs() {
    return directory == null ? Optional.empty()
        : Optional.of(new UpdateLogs(directory, limits));
  }

  /** @return how many bytes of data of all requests may be in memory at most */
  public long memoryBytes() {
    return Math.max(MEMORY_BYTES_LEAST, Math.min(MEMORY_BYTES_MOST,
        Runtime.getRuntime().maxMemory() / MEMORY_HEAP_SHARE));
  }
}
