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
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Runs of bytes of units, bounded in all; the run that was not used for longest goes first. No run
 * lies within another one. Thread-safe.
 */
@InterfaceAudience.Private
final class Segments {
  /** The least bytes that a run counts as: more than its entries in the maps need. */
  static final int RUN_BYTES_LEAST = 4 << 10;

  private final long bytesMost;
  /** In the order of their use. */
  private final Map<Key, ByteBuffer> runs = new LinkedHashMap<>(16, 0.75f, true);
  /** In the order of their places; as none lies within another one, they also end in that order. */
  private final NavigableMap<Key, Key> places = new TreeMap<>(
      Comparator.comparingLong((Key key) -> key.blockId).thenComparingLong(key -> key.offset));
  private long bytes;

  Segments(long bytesMost) {
    this.bytesMost = bytesMost;
  }

  /** Where a run is. Block ids are unique in a file. */
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
   * @param run from position to limit; the caller must not change it any more
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

  /** The run that has a byte, or null. */
  private Key at(long blockId, long offset) {
    Key found = places.floorKey(new Key(blockId, offset, offset));
    return found != null && found.blockId == blockId && offset < found.end ? found : null;
  }

  /** Whether all bytes of a unit from {@code from} to before {@code to} are here. */
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
   * @return false if not all of them are here; {@code dst}'s content is then undefined
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

  /** Adds all of these runs to {@code other}. */
  synchronized void copyTo(Segments other) {
    runs.forEach((key, run) -> other.add(key.blockId, key.offset, run));
  }

  /** What is kept, short runs counted as {@link #RUN_BYTES_LEAST}. */
  synchronized long bytes() {
    return bytes;
  }

  synchronized void clear() {
    runs.clear();
    places.clear();
    bytes = 0;
  }
}
