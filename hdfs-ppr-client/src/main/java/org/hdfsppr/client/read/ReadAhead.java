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
 * Notices a reader that reads on in a lost unit, and has more rebuilt than it asks for: a tree
 * takes a few round trips to set up, which is much for a few KiB. Thread-safe.
 */
@InterfaceAudience.Private
final class ReadAhead {
  /**
   * The shortest range that is read ahead, bytes: for less a tree is hardly worth its round trips.
   */
  private static final int BYTES_LEAST = 256 << 10;

  /**
   * Trees rebuild whole slices, and the reader has the bytes behind its range without another read.
   * Its next range may begin this many bytes later.
   */
  private static final int GAP_BYTES_MOST = 64 << 10;

  private final long bytesMost;
  private long blockId;
  private long from;
  private long end;

  /** @param bytesMost the longest range, bytes; 0: nothing is read ahead */
  ReadAhead(long bytesMost) {
    this.bytesMost = bytesMost;
  }

  /**
   * Says what to rebuild for a reader: the range that it wants, and as much again if the range
   * follows what was rebuilt last.
   *
   * @param unitBytes length of the unit
   */
  synchronized UnitRange widen(long block, UnitRange wanted, long unitBytes) {
    long length = wanted.length();
    if (block == blockId && wanted.from() > from && wanted.from() <= end + GAP_BYTES_MOST) {
      length = Math.max(length, Math.min(bytesMost, Math.max(2 * length, BYTES_LEAST)));
    }
    blockId = block;
    from = wanted.from();
    end = Math.min(unitBytes, wanted.from() + length);
    return new UnitRange(wanted.unit(), wanted.from(), end);
  }
}
