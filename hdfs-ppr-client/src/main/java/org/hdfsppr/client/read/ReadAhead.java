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

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Notices a reader that reads sequentially in a lost unit, and enlarges the range that is rebuilt
 * for that reader. A tree takes a few round trips to set up, which is expensive if the tree then
 * rebuilds only a few KiB. Thread-safe.
 */
@InterfaceAudience.Private
final class ReadAhead {
  /**
   * The least length of an enlarged range, bytes. A shorter range is hardly worth the round trips
   * of a tree.
   */
  private static final int BYTES_LEAST = 256 << 10;

  /**
   * How far behind the last rebuilt byte the next range of a sequential reader may begin, bytes.
   * Trees rebuild whole slices, so the bytes directly behind a range may have been rebuilt with it.
   * The reader's next range then begins behind those bytes.
   */
  private static final int GAP_BYTES_MOST = 64 << 10;

  private final long bytesMost;
  private long blockId;
  private long from;
  private long end;

  /** @param bytesMost the length up to which a range is enlarged, bytes; 0: no range is enlarged */
  ReadAhead(long bytesMost) {
    this.bytesMost = bytesMost;
  }

  /**
   * Returns the range to rebuild for a reader. If the wanted range follows the range that was
   * rebuilt last, this method enlarges it to twice its length or to {@link #BYTES_LEAST}, whichever
   * is more, but never beyond the limit or the end of the unit. Otherwise it returns the wanted
   * range.
   *
   * @param unitBytes the unit's length, bytes
   */
  synchronized UnitRange widen(long block, UnitRange wanted, long unitBytes) {
    long length = wanted.length();
    if (block == blockId && wanted.from > from && wanted.from <= end + GAP_BYTES_MOST) {
      length = Math.max(length, Math.min(bytesMost, Math.max(2 * length, BYTES_LEAST)));
    }
    blockId = block;
    from = wanted.from;
    end = Math.min(unitBytes, wanted.from + length);
    return new UnitRange(wanted.unit, wanted.from, end);
  }
}
