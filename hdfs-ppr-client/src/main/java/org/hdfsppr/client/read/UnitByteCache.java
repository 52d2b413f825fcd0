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
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Keeps runs of adjacent bytes of units, up to a total size. When the size is exceeded, the least
 * recently used run is dropped. No run lies within another run. Thread-safe.
 */
final class UnitByteCache {
  /**
   * A shorter run counts as this many bytes, which is more than the run's entries in the maps need.
   */
  static final int RUN_BYTES_LEAST = 4 << 10;

  private final long bytesMost;
  /** The runs, ordered by when they were last used. */
  private final Map<Key, ByteBuffer> runs = new LinkedHashMap<>(16, 0.75f, true);
  /**
   * The keys of the runs, ordered by block and offset. No run lies within another run, so the ends
   * of the runs have the same order.
   */
  private final NavigableMap<Key, Key> places = new TreeMap<>(
      Comparator.comparingLong((Key key) -> key.blockId).thenComparingLong(key -> key.offset));
  private long bytes;

  UnitByteCache(long bytesMost) {
    this.bytesMost = bytesMost;
  }

  /**
   * The block and the offsets of a run. Block ids are unique in a file, so a key has no block pool.
   */
  private static final class Key {
    private final long blockId;
    private final long offset;
    private final long end;

    Key(long blockId, long offset, long end) {
      this.blockId = blockId;
      this.offset = offset;
      this.end = end;
    }

    long charge() {
      return Math.max(RUN_BYTES_LEAST, end - offset);
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
   * Keeps a run, and drops the runs that lie within it.
   *
   * @param run the bytes from the buffer's position to its limit; the caller must not change them
   *     any more
   */
  synchronized void add(long blockId, long offset, ByteBuffer run) {
    Key key = new Key(blockId, offset, offset + run.remaining());
    if (key.charge() > bytesMost || !run.hasRemaining()) {
      return;
    }
    Key before = at(blockId, offset);
    if (before != null && before.end >= key.end) {
      runs.get(before);
      return;
    }
    for (Key within = places.ceilingKey(key);
        within != null && within.blockId == blockId && within.end <= key.end;
        within = places.ceilingKey(key)) {
      remove(within);
    }
    runs.put(key, run.slice());
    places.put(key, key);
    bytes += key.charge();
    while (bytes > bytesMost) {
      Iterator<Key> oldest = runs.keySet().iterator();
      remove(oldest.next());
    }
  }

  private void remove(Key key) {
    runs.remove(key);
    places.remove(key);
    bytes -= key.charge();
  }

  /** Returns the run that contains the byte at {@code offset}; null if no run contains it. */
  private Key at(long blockId, long offset) {
    Key found = places.floorKey(new Key(blockId, offset, offset));
    return found != null && found.blockId == blockId && offset < found.end ? found : null;
  }

  /** Whether all bytes of a unit from {@code from} to before {@code to} are kept. */
  synchronized boolean has(long blockId, long from, long to) {
    long at = from;
    while (at < to) {
      Key run = at(blockId, at);
      if (run == null) {
        return false;
      }
      at = run.end;
    }
    return true;
  }

  /**
   * Fills {@code dst} up to its limit with the bytes of a unit from {@code offset} on.
   *
   * @return false if not all these bytes are kept; the content of {@code dst} is then undefined
   */
  synchronized boolean copy(long blockId, long offset, ByteBuffer dst) {
    long at = offset;
    while (dst.hasRemaining()) {
      Key run = at(blockId, at);
      if (run == null) {
        return false;
      }
      ByteBuffer source = runs.get(run).duplicate();
      source.position((int) (at - run.offset));
      source.limit(Math.min(source.limit(), source.position() + dst.remaining()));
      at += source.remaining();
      dst.put(source);
    }
    return true;
  }

  /** Adds all runs of this object to {@code other}. */
  synchronized void copyTo(UnitByteCache other) {
    runs.forEach((key, run) -> other.add(key.blockId, key.offset, run));
  }

  /**
   * How many bytes are kept. A run shorter than {@link #RUN_BYTES_LEAST} counts as that many bytes.
   */
  synchronized long bytes() {
    return bytes;
  }

  synchronized void clear() {
    runs.clear();
    places.clear();
    bytes = 0;
  }
}
