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
package org.hdfsppr.client.update;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** The ranges of a file into which writes are under way. Thread-safe. */
@InterfaceAudience.Private
final class RangesUnderWay {
  /** A range of one write. */
  final class Range implements AutoCloseable {
    private final long from;
    private final long to;
    /** Guarded by the ranges. */
    private boolean isOverlapped;

    private Range(long from, long to) {
      this.from = from;
      this.to = to;
    }

    /** Returns whether another write of some of these bytes was under way at the same time. */
    boolean isOverlapped() {
      synchronized (RangesUnderWay.this) {
        return isOverlapped;
      }
    }

    @Override
    public void close() {
      synchronized (RangesUnderWay.this) {
        ranges.remove(this);
      }
    }
  }

  /** One for each write under way. Guarded by this. */
  private final List<Range> ranges = new ArrayList<>();

  /** Begins a write; the caller closes the range when the write has ended. */
  synchronized Range begin(long position, int length) {
    Range range = new Range(position, position + length);
    for (Range other : ranges) {
      if (other.from < range.to && range.from < other.to) {
        other.isOverlapped = true;
        range.isOverlapped = true;
      }
    }
    ranges.add(range);
    return range;
  }
}
