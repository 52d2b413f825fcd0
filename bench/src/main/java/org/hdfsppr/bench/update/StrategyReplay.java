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

import org.hdfsppr.bench.update.strategy.UpdateStrategy;

/**
 * Replays a trace under one strategy, once in whole chunks and once in bytes. The two have books of
 * their own, because data grouping may decide otherwise in bytes.
 */
final class StrategyReplay {
  final UpdateStrategy strategy;
  final ReplayOptions options;
  private final UpdateReplay chunks;
  private final UpdateReplay bytes;
  private long writes;
  private long chunkWrites;
  private long endMarkerChunks;

  StrategyReplay(UpdateStrategy strategy, ReplayOptions options) {
    this.strategy = strategy;
    this.options = options;
    this.chunks = new UpdateReplay(strategy, options, false);
    this.bytes = new UpdateReplay(strategy, options, true);
  }

  /** Replays a request. Reads change nothing. */
  void replay(TraceRequest request) {
    if (!request.isWrite) {
      return;
    }
    writes++;
    long chunkBytes = options.chunkBytes;
    for (long chunk = request.offset / chunkBytes; chunk * chunkBytes < request.end(); chunk++) {
      long begin = chunk * chunkBytes;
      long stripe = chunk / options.dataUnits;
      int unit = (int) (chunk % options.dataUnits);
      long from = Math.max(request.offset - begin, 0);
      long to = Math.min(request.end() - begin, chunkBytes);
      chunks.write(stripe, unit, from, to);
      bytes.write(stripe, unit, from, to);
      chunkWrites++;
    }
  }

  /**
   * Ends the trace. The analysis program of CAU's authors (trace_analysis.c of their
   * cross-rack-aware-updates) ends it with an update of chunk -1, which commits what is left, and
   * counts the interim replicas of this chunk like those of a write. The replay does the same in
   * chunks, if the options say so. No byte is written, so that bytes are as they are.
   */
  void end() {
    chunks.end();
    bytes.end();
    if (options.endMarker) {
      endMarkerChunks = strategy.replicas();
      chunks.counts.addReplica(endMarkerChunks);
    }
  }

  /** {@return the number of write requests} */
  long writes() {
    return writes;
  }

  /** {@return how often requests wrote a chunk; a second write of the same chunk counts, too} */
  long chunkWrites() {
    return chunkWrites;
  }

  /** {@return how many of the replica chunks belong to the end of the trace} */
  long endMarkerChunks() {
    return endMarkerChunks;
  }

  CrossRackCounts chunks() {
    return chunks.counts;
  }

  CrossRackCounts bytes() {
    return bytes.counts;
  }

  /** {@return how many chunk writes are in no log, because they made a commit due} */
  int lostWrites() {
    return chunks.lostWrites();
  }

  int commits() {
    return chunks.commits();
  }
}
