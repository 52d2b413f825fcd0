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
import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.stream.RangeRead;

/** Collects rebuilt bytes, and joins adjacent bytes to runs. Used by one thread. */
final class RebuiltRuns implements RangeRead.Sink {
  private final List<Run> runs = new ArrayList<>();

  /** A run to which bytes can be appended. */
  private static final class Run {
    private final long offset;
    private ByteBuffer bytes;

    Run(long offset, int length) {
      this.offset = offset;
      this.bytes = ByteBuffer.allocate(length);
    }

    long end() {
      return offset + bytes.position();
    }

    void append(ByteBuffer more) {
      if (bytes.remaining() < more.remaining()) {
        ByteBuffer larger = ByteBuffer.allocate(
            Math.max(2 * bytes.capacity(), bytes.position() + more.remaining()));
        bytes.flip();
        larger.put(bytes);
        bytes = larger;
      }
      bytes.put(more);
    }
  }

  @Override
  public void put(long offset, ByteBuffer bytes) {
    for (Run run : runs) {
      if (run.end() == offset) {
        run.append(bytes);
        return;
      }
    }
    Run run = new Run(offset, bytes.remaining());
    run.append(bytes);
    runs.add(run);
  }

  /** Adds all runs to {@code found}. After this call, no more bytes may be put. */
  void addTo(UnitByteCache found, long blockId) {
    for (Run run : runs) {
      ByteBuffer bytes = run.bytes;
      bytes.flip();
      found.add(blockId, run.offset, bytes);
    }
  }
}
