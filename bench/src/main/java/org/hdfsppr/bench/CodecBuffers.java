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
package org.hdfsppr.bench;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;


/**
 * The memory on which the measured coders work. All coders use the same layout, because the speed
 * of a fast kernel changes by up to a third with the offset of its buffers in their memory pages.
 * {@code native/test/codec_bench.c} lays out its memory in the same way.
 */
final class CodecBuffers {
  private static final int PAGE = 4096;
  /**
   * The number of buffers. An operation needs at most one for each unit of a stripe, and memcpy
   * needs two for each data unit.
   */
  private static final int COUNT = 32;

  private static final Map<String, ByteBuffer> ARENAS = new ConcurrentHashMap<>();

  private final ByteBuffer arena;
  private final int cellBytes;
  private final int offset;

  /**
   * @param offset the offset in a memory page at which each buffer begins, bytes
   */
  CodecBuffers(int cellBytes, int offset) {
    this.cellBytes = cellBytes;
    this.offset = offset;
    this.arena = ARENAS.computeIfAbsent(cellBytes + "/" + offset, none -> allocate());
  }

  /**
   * Returns the distance between the starts of two successive buffers, in bytes. The distance is a
   * whole number of pages. If the cell size is a power of two, the distance is not, which is also
   * how malloc places such buffers.
   */
  private int stride() {
    return (cellBytes + offset + PAGE - 1) / PAGE * PAGE + PAGE;
  }

  private ByteBuffer allocate() {
    ByteBuffer memory = ByteBuffer.allocateDirect(COUNT * stride() + PAGE).alignedSlice(PAGE);
    for (int x = 0; x < memory.capacity(); x++) {
      memory.put(x, (byte) (x * 31 + x / PAGE));
    }
    return memory;
  }

  /** Returns a view of the buffer {@code index}, from 0 to 31. The position of the view is 0. */
  ByteBuffer get(int index) {
    int start = index * stride() + offset;
    ByteBuffer view = arena.duplicate();
    view.limit(start + cellBytes).position(start);
    return view.slice();
  }

  /** Returns views of {@code count} buffers, beginning with the buffer {@code first}. */
  ByteBuffer[] get(int first, int count) {
    ByteBuffer[] views = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      views[i] = get(first + i);
    }
    return views;
  }
}
