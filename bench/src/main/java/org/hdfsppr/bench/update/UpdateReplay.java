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

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.hdfsppr.bench.update.strategy.CrossRackTransfer;
import org.hdfsppr.bench.update.strategy.DirtyStripes;
import org.hdfsppr.bench.update.strategy.UpdateStrategy;
import org.hdfsppr.bench.update.strategy.WrittenRange;
import org.hdfsppr.update.ByteRanges;
import org.hdfsppr.update.DataGrouping;
import org.hdfsppr.update.StripeRacks;
import org.hdfsppr.update.StripeUpdates;
import org.hdfsppr.update.UnitExchanges;

/**
 * Replays writes under one strategy and counts what crosses racks, in one measure: either bytes, or
 * chunks. The papers count chunks: a write of some bytes counts as the whole chunk.
 */
final class UpdateReplay {
  private final UpdateStrategy strategy;
  private final Placements placements;
  private final long chunkBytes;
  private final boolean inBytes;
  private final boolean forgets;
  private final boolean losesWrites;
  private final DirtyStripes dirty;
  /** Empty if data stay where they are. */
  private final Optional<DataGrouping> grouping;
  private final Map<Long, StripeRacks> moved = new HashMap<>();
  /** Maps the address of a chunk to what was written of it, ever or since the last commit. */
  private final Map<Long, ByteRanges> written = new HashMap<>();
  final CrossRackCounts counts = new CrossRackCounts();
  private int commits;
  private int lostWrites;

  /**
   * @param strategy what is replayed
   * @param options the layout and the rules of the replay
   * @param inBytes whether bytes are counted, and not chunks
   */
  UpdateReplay(UpdateStrategy strategy, ReplayOptions options, boolean inBytes) {
    this.strategy = strategy;
    this.placements = options.placements;
    this.chunkBytes = options.chunkBytes;
    this.inBytes = inBytes;
    this.forgets = options.forgets;
    this.dirty = new DirtyStripes(options.stripesPerCommit);
    // Under strategies that do not group, that program has no log that could lose a write.
    this.losesWrites = options.losesWrites && !inBytes && strategy.groups();
    this.grouping = options.grouping.filter(rule -> strategy.groups())
        .map(rule -> new DataGrouping(rule,
            (racks, updates) -> CrossRackTransfer.bytes(strategy.commit(racks, updates)),
            inBytes ? chunkBytes : 1));
  }

  /** Replays a write of a range within one chunk. */
  void write(long stripe, int unit, long from, long to) {
    long begin = inBytes ? from : 0;
    long end = inBytes ? to : 1;
    boolean isLogged = strategy.logs();
    if (isLogged && dirty.commitsBefore(stripe)) {
      commit();
      group();
      dirty.committed();
      if (losesWrites) {
        isLogged = false;
        lostWrites++;
      }
    }
    StripeRacks racks = racks(stripe);
    long fresh = written.computeIfAbsent(stripe * racks.dataUnits + unit,
        none -> new ByteRanges()).add(begin, end);
    counts.add(strategy.append(racks, new WrittenRange(unit, end - begin, fresh)));
    if (isLogged) {
      dirty.add(stripe, unit, begin, end);
    }
  }

  /** Commits what is left. Data are not grouped then, because no update follows. */
  void end() {
    if (!dirty.stripes().isEmpty()) {
      commit();
      dirty.committed();
    }
  }

  private StripeRacks racks(long stripe) {
    StripeRacks now = moved.get(stripe);
    return now != null ? now : placements.of(stripe);
  }

  private void commit() {
    commits++;
    for (Map.Entry<Long, StripeUpdates> stripe : dirty.stripes().entrySet()) {
      counts.add(strategy.commit(racks(stripe.getKey()), stripe.getValue()));
    }
    if (forgets) {
      written.clear();
    }
  }

  private void group() {
    if (grouping.isEmpty()) {
      return;
    }
    for (Map.Entry<Long, StripeUpdates> stripe : dirty.stripes().entrySet()) {
      Optional<UnitExchanges> exchanges =
          grouping.get().after(racks(stripe.getKey()), stripe.getValue());
      if (exchanges.isPresent()) {
        moved.put(stripe.getKey(), exchanges.get().racks);
        counts.addGrouping(exchanges.get().unitsMoved() * (inBytes ? chunkBytes : 1));
      }
    }
  }

  /** {@return how often all dirty stripes were committed} */
  int commits() {
    return commits;
  }

  /** {@return how many writes made a commit due, and are in no log after it} */
  int lostWrites() {
    return lostWrites;
  }
}
