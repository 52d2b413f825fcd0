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

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Runs of bytes of units, at most so many bytes; those that were not used for longest go first.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class Segments {
  private final long bytesMost;
  private final Map<Key, ByteBuffer> runs = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  Segments(long bytesMost) {
    this.bytesMost = bytesMost;
  }

  /** Where a run begins. Block ids are unique in a file. */
  private static final class Key {
    private final long blockId;
    private final long offset;

    Key(long blockId, long offset) {
      this.blockId = blockId;
      this.offset = offset;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Key && ((Key) o).blockId == blockId && ((Key) o).offset == offset;
    }

    @Override
    public int hashCode() {
      return Objects.hash(blockId, offset);
    }
  }

  /**
   * Keeps a run.
   *
   * @param run from position to limit; must not be changed any more
   */
  synchronized void add(long blockId, long offset, ByteBuffer run) {
    if (run.remaining() > bytesMost || !run.hasRemaining()) {
      return;
    }
    ByteBuffer before = runs.put(new Key(blockId, offset), run.slice());
    bytes += run.remaining() - (before == null ? 0 : before.remaining());
    Iterator<ByteBuffer> oldest = runs.values().iterator();
    while (bytes > bytesMost) {
      bytes -= oldest.next().remaining();
      oldest.remove();
    }
  }

  /**
   * Fills {@code dst} up to its limit with the bytes of a unit from {@code offset} on.
   *
   * @return false if not all of them are here; {@code dst}'s content is then undefined
   */
  synchronized boolean copy(long blockId, long offset, ByteBuffer dst) {
    long at = offset;
    while (dst.hasRemaining()) {
      Key found = null;
      for (Map.Entry<Key, ByteBuffer> run : runs.entrySet()) {
        Key key = run.getKey();
        if (key.blockId == blockId && key.offset <= at
            && at < key.offset + run.getValue().remaining()) {
          found = key;
          break;
        }
      }
      if (found == null) {
        return false;
      }
      ByteBuffer source = runs.get(found).duplicate();
      source.position((int) (at - found.offset));
      source.limit(Math.min(source.limit(), source.position() + dst.remaining()));
      at += source.remaining();
      dst.put(source);
    }
    return true;
  }

  /** Adds all of these runs to {@code other}. */
  synchronized void copyTo(Segments other) {
    runs.forEach((key, run) -> other.add(key.blockId, key.offset, run));
  }

  synchronized long bytes() {
    return bytes;
  }

  synchronized void clear() {
    runs.clear();
    bytes = 0;
  }
}
