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

import java.util.Optional;

import org.hdfsppr.update.DataGrouping;

/** The layout and the rules of a replay. Immutable. */
final class ReplayOptions {
  final Placements placements;
  final int dataUnits;
  final long chunkBytes;
  final int stripesPerCommit;
  /** How data are grouped after commits; empty if they are not. */
  final Optional<DataGrouping.Rule> grouping;
  final boolean endMarker;
  /** Whether parity nodes need old bytes again after a commit. */
  final boolean forgets;
  /** Whether, in chunks, the write that makes a commit due is in no log afterwards. */
  final boolean losesWrites;

  /**
   * @param placements where chunks are when the trace begins
   * @param dataUnits k
   * @param chunkBytes bytes of a chunk
   * @param stripesPerCommit u_s
   * @param grouping how data are grouped after commits; empty if they are not
   * @param endMarker whether the end of the trace counts as one more chunk write
   */
  ReplayOptions(Placements placements, int dataUnits, long chunkBytes, int stripesPerCommit,
      Optional<DataGrouping.Rule> grouping, boolean endMarker) {
    this.placements = placements;
    this.dataUnits = dataUnits;
    this.chunkBytes = chunkBytes;
    this.stripesPerCommit = stripesPerCommit;
    this.grouping = grouping;
    this.endMarker = endMarker;
    this.forgets = false;
    this.losesWrites = false;
  }

  private ReplayOptions(ReplayOptions of, boolean forgets, boolean losesWrites) {
    this.placements = of.placements;
    this.dataUnits = of.dataUnits;
    this.chunkBytes = of.chunkBytes;
    this.stripesPerCommit = of.stripesPerCommit;
    this.grouping = of.grouping;
    this.endMarker = of.endMarker;
    this.forgets = forgets;
    this.losesWrites = losesWrites;
  }

  /**
   * {@return the same options, but parity nodes that have got old bytes need them again after a
   * commit, as those of clusters do}
   */
  ReplayOptions forgettingAtCommits() {
    return new ReplayOptions(this, true, losesWrites);
  }

  /**
   * {@return the same options, but in chunks the write that makes a commit due is in no log
   * afterwards, as in the analysis program of CAU's authors}
   */
  ReplayOptions losingWrites() {
    return new ReplayOptions(this, forgets, true);
  }
}
