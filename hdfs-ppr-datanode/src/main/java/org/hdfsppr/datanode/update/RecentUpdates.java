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

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.UpdateBounds;

/**
 * Caches the data of the most recently used updates. Another holder sends each update as a whole,
 * and a version often needs parts of one update between parts of others. Used by one thread.
 */
@InterfaceAudience.Private
final class RecentUpdates {
  /** Room for two updates of the greatest length. One patch has this many bytes at most. */
  static final int BYTES_MOST = 2 * UpdateBounds.UPDATE_BYTES_MAX;

  /** Gets the data of an update. */
  @FunctionalInterface
  interface Source {
    byte[] data(int index) throws IOException;
  }

  private final Source source;
  /** The data by the index of the update, in the order of last use. */
  private final Map<Integer, byte[]> kept = new LinkedHashMap<>(16, 0.75f, true);
  private int keptBytes;

  /** @param source gets what is not kept */
  RecentUpdates(Source source) {
    this.source = source;
  }

  /**
   * Returns the data of an update.
   *
   * @param index the index of the update
   * @param length the length of its data, bytes
   */
  byte[] data(int index, int length) throws IOException {
    byte[] data = kept.get(index);
    if (data == null) {
      makeRoom(length);
      data = source.data(index);
      kept.put(index, data);
      keptBytes += data.length;
    }
    return data;
  }

  private void makeRoom(int length) {
    Iterator<byte[]> oldest = kept.values().iterator();
    while (oldest.hasNext() && keptBytes > BYTES_MOST - length) {
      keptBytes -= oldest.next().length;
      oldest.remove();
    }
  }

  int bytes() {
    return keptBytes;
  }
}
