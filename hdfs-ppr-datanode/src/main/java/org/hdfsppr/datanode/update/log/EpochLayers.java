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
package org.hdfsppr.datanode.update.log;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * For each epoch, the update that has last written each byte of a unit; needed if some updates are
 * deltas. A delta is relative to the state at the end of the epoch before, so that the last update
 * alone does not give the value of a byte. Not safe for several threads.
 */
@InterfaceAudience.Private
final class EpochLayers {
  private final NavigableMap<Long, RangeOverlay> layers = new TreeMap<>();

  /** Adds an update, which is later than all that were added before. */
  void add(LogEntry entry) {
    layers.computeIfAbsent(entry.epoch, none -> new RangeOverlay()).add(entry);
  }

  /** Forgets the updates up to an epoch. */
  void dropTo(long epoch) {
    layers.headMap(epoch, true).clear();
  }

  /**
   * Returns the pieces to apply to a version in this order: updates replace bytes, and deltas are
   * added. Pieces of epochs up to the version's commit are left out, because the version has them,
   * and a delta must not be added twice.
   *
   * @param committed the commit of the version
   */
  List<RangeOverlay.Piece> over(long committed, long offset, long length) {
    List<RangeOverlay.Piece> pieces = new ArrayList<>();
    for (RangeOverlay layer : layers.tailMap(committed, false).values()) {
      pieces.addAll(layer.within(offset, length));
    }
    return pieces;
  }
}
