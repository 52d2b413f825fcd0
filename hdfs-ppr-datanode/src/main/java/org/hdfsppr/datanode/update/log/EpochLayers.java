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
 * Says which update of each epoch wrote each byte of a unit last, if some updates are deltas. A
 * delta is relative to what all earlier epochs have left, so that the last update alone does not
 * say what a byte is. Not safe for several threads.
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
   * Returns what to put over a version, or to add to it, one after the other. A version has the
   * updates up to its commit, and deltas must not be added to it a second time.
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
