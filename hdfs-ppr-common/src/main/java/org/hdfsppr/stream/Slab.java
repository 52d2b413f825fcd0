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
package org.hdfsppr.stream;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * One run of direct memory of a {@link BufferPool}, with the list of its free pages. The pool never
 * frees a slab. Offsets and lengths are in bytes, multiples of a page. Not thread-safe.
 */
@InterfaceAudience.Private
final class Slab {
  /**
   * Length of a page, bytes. It is the size of the system's pages, so that no two leases share a
   * page.
   */
  static final int PAGE_BYTES = 4096;

  private final ByteBuffer memory;
  /** The length of each free run, by the run's offset. No two free runs are adjacent. */
  private final TreeMap<Integer, Integer> free = new TreeMap<>();

  /** @param memory the whole memory; its length is a multiple of a page */
  Slab(ByteBuffer memory) {
    this.memory = memory;
    free.put(0, memory.capacity());
  }

  /** Rounds a number of bytes up to whole pages. */
  static long inPages(long bytes) {
    return (Math.max(1, bytes) + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  }

  /**
   * Takes pages from the first free run that is long enough, so that the end of the slab remains
   * free for long runs.
   *
   * @return offset of the pages, or -1 if no free run is long enough
   */
  int take(int bytes) {
    for (Map.Entry<Integer, Integer> run : free.entrySet()) {
      int offset = run.getKey();
      int length = run.getValue();
      if (length >= bytes) {
        free.remove(offset);
        if (length > bytes) {
          free.put(offset + bytes, length - bytes);
        }
        return offset;
      }
    }
    return -1;
  }

  /** Gives back pages that {@link #take} returned, and joins them with adjacent free runs. */
  void give(int offset, int bytes) {
    int start = offset;
    int end = offset + bytes;
    Map.Entry<Integer, Integer> before = free.lowerEntry(offset);
    if (before != null && before.getKey() + before.getValue() == offset) {
      start = before.getKey();
    }
    Integer after = free.remove(end);
    if (after != null) {
      end += after;
    }
    free.put(start, end - start);
  }

  /** Returns the memory of a run as a buffer of its own. */
  ByteBuffer view(int offset, int bytes) {
    ByteBuffer view = memory.duplicate();
    view.limit(offset + bytes);
    view.position(offset);
    return view.slice();
  }
}
