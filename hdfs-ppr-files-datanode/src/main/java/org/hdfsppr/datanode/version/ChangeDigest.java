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
package org.hdfsppr.datanode.version;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Supplier;
import org.hdfsppr.digest.DigestKey;
import org.hdfsppr.digest.LinearDigest;
import org.hdfsppr.stream.UnitSource;

/**
 * Computes digests of the change that a commit makes to a data unit. The unit's node computes one
 * from the two stored versions, and the node of a parity unit computes one from its log and the
 * overwritten bytes that it keeps. If the log or the overwritten bytes are wrong, the two digests
 * differ, because they have only the updates in common. This also holds for codes with sub-chunks,
 * because only digests of the same unit are compared.
 */
final class ChangeDigest {
  /**
   * The XOR of two versions of a unit. Outside of the given ranges it is zero; there the two
   * versions are not read.
   */
  private static final class Difference implements UnitSource {
    private final UnitSource from;
    private final UnitSource to;
    private final NavigableMap<Long, Long> ranges;

    Difference(UnitSource from, UnitSource to, NavigableMap<Long, Long> ranges) {
      this.from = from;
      this.to = to;
      this.ranges = ranges;
    }

    @Override
    public long length() {
      return to.length();
    }

    @Override
    public void read(long offset, ByteBuffer dst) throws IOException {
      byte[] sum = new byte[dst.remaining()];
      long end = offset + sum.length;
      Long first = ranges.floorKey(offset);
      for (Map.Entry<Long, Long> range
          : ranges.subMap(first == null ? offset : first, end).entrySet()) {
        long begin = Math.max(offset, range.getKey());
        int length = (int) (Math.min(end, range.getValue()) - begin);
        if (length > 0) {
          add(from, begin, length, sum, (int) (begin - offset));
          add(to, begin, length, sum, (int) (begin - offset));
        }
      }
      dst.put(sum);
    }

    private static void add(UnitSource unit, long offset, int length, byte[] sum, int at)
        throws IOException {
      byte[] bytes = new byte[length];
      unit.read(offset, ByteBuffer.wrap(bytes));
      for (int i = 0; i < length; i++) {
        sum[at + i] ^= bytes[i];
      }
    }

    @Override
    public void close() {
      // The caller closes the units.
    }
  }

  private ChangeDigest() {
  }

  /**
   * Computes the digest of the difference between two versions of a unit.
   *
   * @param from the unit in the old version
   * @param to the unit in the new version
   * @param ranges all ranges in which the versions may differ: the first byte of each, and the byte
   *     after its last one
   * @param seed the seed of the digest
   * @param endedBecause returns why the work has to end early; null if it may go on
   */
  static int between(UnitSource from, UnitSource to, NavigableMap<Long, Long> ranges, long seed,
      PatchTools tools, Supplier<String> endedBecause) throws IOException {
    return of(new Difference(from, to, ranges), seed, tools, endedBecause);
  }

  /**
   * Computes the digest of a change that is known itself; for the parameters see {@link #between}.
   */
  static int of(UnitSource change, long seed, PatchTools tools, Supplier<String> endedBecause)
      throws IOException {
    return LinearDigest.of(change, DigestKey.plain(seed), tools.kernel, tools.memory, bytes -> {
      String why = endedBecause.get();
      if (why != null) {
        throw new InterruptedIOException(why);
      }
    });
  }
}
