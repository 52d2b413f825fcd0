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
package org.hdfsppr.it.bench;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The memory that coders are measured on: the same for all of them, since where in a page buffers
 * begin decides about up to a third of a fast kernel's speed. {@code native/test/codec_bench.c}
 * lays out its memory in the same way.
 */
@InterfaceAudience.Private
final class CodecBuffers {
  private static final int PAGE = 4096;
  /** The units of a stripe, and the same number to copy or to decode into. */
  private static final int COUNT = 32;

  private static final Map<String, ByteBuffer> ARENAS = new ConcurrentHashMap<>();

  private final ByteBuffer arena;
  private final int cellBytes;
  private final int offset;

  /** @param offset where in a page each buffer begins */
  CodecBuffers(int cellBytes, int offset) {
    this.cellBytes = cellBytes;
    this.offset = offset;
    this.arena = ARENAS.computeIfAbsent(cellBytes + "/" + offset, none -> allocate());
  }

  /** From one page to the next, never a power of two of pages, just as malloc maps them. */
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

  /** A view of one of the buffers, from 0 to 31, from its position to its limit. */
  ByteBuffer get(int index) {
    int start = index * stride() + offset;
    ByteBuffer view = arena.duplicate();
    view.limit(start + cellBytes).position(start);
    return view.slice();
  }

  /** Views of {@code count} buffers, from {@code first} on. */
  ByteBuffer[] get(int first, int count) {
    ByteBuffer[] views = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      views[i] = get(first + i);
    }
    return views;
  }
}
