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
package org.hdfsppr.bench.update;

/** The layout and the rules of a replay. Immutable. */
final class ReplayOptions {
  final Placements placements;
  final int dataUnits;
  final long chunkBytes;
  final int stripesPerCommit;
  final boolean grouping;
  final boolean endMarker;
  final boolean forgets;

  /**
   * @param placements where chunks are when the trace begins
   * @param dataUnits k
   * @param chunkBytes bytes of a chunk
   * @param stripesPerCommit u_s
   * @param grouping whether data are grouped after commits
   * @param endMarker whether the end of the trace counts as one more chunk write
   */
  ReplayOptions(Placements placements, int dataUnits, long chunkBytes, int stripesPerCommit,
      boolean grouping, boolean endMarker) {
    this(placements, dataUnits, chunkBytes, stripesPerCommit, grouping, endMarker, false);
  }

  private ReplayOptions(Placements placements, int dataUnits, long chunkBytes,
      int stripesPerCommit, boolean grouping, boolean endMarker, boolean forgets) {
    this.forgets = forgets;
    this.placements = placements;
    this.dataUnits = dataUnits;
    this.chunkBytes = chunkBytes;
    this.stripesPerCommit = stripesPerCommit;
    this.grouping = grouping;
    this.endMarker = endMarker;
  }

  /**
   * {@return the same options, but parity nodes that have got old bytes need them again after a
   * commit, as those of clusters do}
   */
  ReplayOptions forgettingAtCommits() {
    return new ReplayOptions(placements, dataUnits, chunkBytes, stripesPerCommit, grouping,
        endMarker, true);
  }
}
