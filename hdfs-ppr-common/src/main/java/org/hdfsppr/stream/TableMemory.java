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
import java.util.Arrays;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.SliceKind;

/**
 * Divides a buffer among the multiplication tables of the operators that compute a node's sums. The
 * buffer comes from a lease, and the tables stay valid until the lease is closed. Used by one
 * thread.
 */
final class TableMemory {
  /** Alignment of each table, bytes. Kernels read several bytes of a table at once. */
  private static final int ALIGNMENT = 64;

  private final ByteBuffer memory;
  private int used;

  /** @param memory a buffer of {@link #bytesFor} bytes */
  TableMemory(ByteBuffer memory) {
    this.memory = memory;
  }

  /**
   * Returns the most bytes that the tables of a node need. For each kind of slice, a node has one
   * operator for its own units, which may also take the rows of one child, and an operator for each
   * child from whose rows the node derives its own. One more operator adds rows as they are.
   *
   * @param derived for each child from whose rows the node derives its own, the most rows that the
   *     child sends
   */
  static int bytesFor(RegionKernel kernel, int rows, int runs, int... derived) {
    int joined = Arrays.stream(derived).max().orElse(0);
    int each = aligned(kernel.tableBytesMost(rows, Math.max(1, runs + joined)));
    for (int sent : derived) {
      each += aligned(kernel.tableBytesMost(rows, sent));
    }
    return SliceKind.values().length * each + aligned(kernel.tableBytesMost(1, 1)) + 1;
  }

  private static int aligned(int bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /** Returns the next {@code bytes} bytes of the buffer. */
  ByteBuffer carve(int bytes) {
    ByteBuffer part = memory.duplicate();
    part.limit(used + bytes).position(used);
    used += aligned(bytes);
    return part.slice();
  }
}
