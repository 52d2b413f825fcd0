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
package org.hdfsppr.client.read;

import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FileSystem;

/**
 * Counts bytes that a stream's threads have read, but that are not yet in the file system's
 * statistics. Hadoop keeps statistics per thread, so the reader's own thread has to add these
 * bytes. Thread-safe.
 */
@InterfaceAudience.Private
public final class UncountedBytes {
  /**
   * The number of network distances that are counted separately. Hadoop's statistics do not
   * distinguish larger distances.
   */
  private static final int DISTANCES = 6;

  private final FileSystem.Statistics statistics;
  private final AtomicLongArray bytes = new AtomicLongArray(DISTANCES);

  /** @param statistics the file system's statistics; null if it has none */
  public UncountedBytes(FileSystem.Statistics statistics) {
    this.statistics = statistics;
  }

  /**
   * Adds bytes that have been read.
   *
   * @param many how many bytes
   * @param distance the network distance of the DataNode that sent the bytes
   */
  public void add(long many, int distance) {
    bytes.addAndGet(Math.min(distance, DISTANCES - 1), many);
  }

  /** Adds all bytes to the statistics of the current thread. */
  public void count() {
    for (int distance = 0; distance < DISTANCES; distance++) {
      long many = bytes.getAndSet(distance, 0);
      if (statistics != null && many > 0) {
        statistics.incrementBytesRead(many);
        statistics.incrementBytesReadByDistance(distance, many);
        statistics.incrementBytesReadErasureCoded(many);
      }
    }
  }
}
