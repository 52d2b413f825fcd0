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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.stream.UnitSource;

/**
 * The source of a sum. It returns the bytes of a unit that the client has read before. In place of
 * bytes that are not wanted, it returns zeros. No caller uses the bytes that are decoded from these
 * zeros. Used by one thread.
 */
@InterfaceAudience.Private
final class ReadUnitSource implements UnitSource {
  private static final byte[] ZEROS = new byte[4096];

  private final Segments read;
  private final long blockId;
  private final long length;
  private final List<UnitRange> wanted;

  /**
   * @param read the bytes that have been read, including all bytes of {@code wanted}
   * @param length the unit's length, bytes
   */
  ReadUnitSource(Segments read, long blockId, long length, List<UnitRange> wanted) {
    this.read = read;
    this.blockId = blockId;
    this.length = length;
    this.wanted = wanted;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void read(long offset, ByteBuffer dst) throws IOException {
    int start = dst.position();
    long end = offset + dst.remaining();
    for (UnitRange part : wanted) {
      if (part.from <= offset && end <= part.to) {
        copy(offset, dst);
        return;
      }
    }
    while (dst.hasRemaining()) {
      dst.put(ZEROS, 0, Math.min(ZEROS.length, dst.remaining()));
    }
    for (UnitRange part : wanted) {
      long from = Math.max(offset, part.from);
      long to = Math.min(end, part.to);
      if (from < to) {
        ByteBuffer target = dst.duplicate();
        target.limit(start + (int) (to - offset));
        target.position(start + (int) (from - offset));
        copy(from, target);
      }
    }
  }

  private void copy(long from, ByteBuffer target) throws IOException {
    if (!read.copy(blockId, from, target)) {
      throw new IOException("Bytes from " + from + " of block " + blockId
          + " were to be decoded with and have not been read");
    }
  }

  @Override
  public void close() {
    // There is nothing to close, because the bytes are in memory.
  }
}
