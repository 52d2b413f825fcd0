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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Waits for the bytes from which a range is decoded. It stops waiting for a slow DataNode, because
 * the range can also be decoded from other units. Thread-safe.
 */
@InterfaceAudience.Private
final class FetchWait {
  /**
   * The client waits for each unit three times as long as all units that it fetches together are
   * expected to take. The delays before hedges may make this wait longer or shorter.
   */
  private static final int SOURCES_FACTOR = 3;

  private final ReadContext context;
  private final UnitReader units;

  FetchWait(ReadContext context, UnitReader units) {
    this.context = context;
    this.units = units;
  }

  /**
   * Waits for all fetches, and notes the DataNodes that have failed or were late.
   *
   * @param begun all fetches of the read; this method removes fetches that have failed
   * @param read receives all bytes that have arrived
   * @param nodes receives the DataNodes that have failed or were late
   * @throws IOException if the current thread is interrupted
   */
  FetchOutcome await(LocatedGroup group, List<UnitFetch> fetches, SharedFetches begun,
      Segments read, LeftOut nodes, ReadAttempt attempt) throws IOException {
    IOException failure = null;
    long start = context.nanoClock.getAsLong();
    List<Watch> watches = fetches.stream()
        .map(fetch -> new Watch(context, fetch.part.length(), fetch.flow))
        .collect(Collectors.toList());
    // The units share the client's link, so each of them may take as long as all together.
    long together = fetches.stream().mapToLong(fetch -> fetch.part.length()).sum();
    long togetherNanos = (long) Math.min(context.delay.maxNanos,
        SOURCES_FACTOR * context.costs.nanos(together));
    for (int i = 0; i < fetches.size(); i++) {
      UnitFetch fetch = fetches.get(i);
      Watch watch = watches.get(i);
      long blockId = group.id().blockId(fetch.part.unit);
      String uuid = group.holder(fetch.part.unit).getDatanodeUuid();
      try {
        long patience = !context.delay.isOn() || nodes.isLate(uuid) ? context.waitNanosMost
            : Math.max(context.delay.nanos(fetch.part.length()), togetherNanos);
        ByteBuffer bytes = await(fetch, watch, start, patience);
        read.add(blockId, fetch.offset, bytes.duplicate());
      } catch (TimeoutException e) {
        boolean isFirst = fetch.late();
        nodes.late(uuid);
        // Another range, or the other piece itself, notes that this one read was late.
        if (isFirst && !fetch.isOfAnotherPiece() && watch.othersWereFaster()) {
          context.health.noteSlow(uuid);
        }
        if (failure == null) {
          failure = new IOException("DataNode " + uuid + " is slow", e);
        }
      } catch (IOException e) {
        if (IoFailures.isOwnInterrupt(e)) {
          throw e;
        }
        if (failure == null || !units.isTokenExpired(failure)) {
          failure = e;
        }
        nodes.failed(uuid);
        begun.remove(fetch);
        if (!attempt.isCancelled() && !units.isTokenExpired(e)) {
          context.health.noteFailed(uuid, blockId, e);
        }
      }
    }
    return failure == null ? FetchOutcome.complete() : FetchOutcome.failed(failure);
  }

  /**
   * @throws TimeoutException if the DataNode is slow, or the caller has waited for the longest
   *     permitted time
   */
  private ByteBuffer await(UnitFetch fetch, Watch watch, long start, long patience)
      throws IOException, TimeoutException {
    long deadline = start + patience;
    while (true) {
      try {
        return BoundedWait.get(fetch.bytes, deadline - context.nanoClock.getAsLong());
      } catch (TimeoutException e) {
        if (patience >= context.waitNanosMost || watch.isOver()) {
          throw e;
        }
        if (!fetch.flow.isOpen()) {
          // No thread has begun this fetch, so this thread runs it. If the fetch belongs to another
          // piece of the read, run() does nothing.
          fetch.run();
        } else if (watch.isSlow(false)) {
          throw e;
        }
        deadline = context.nanoClock.getAsLong() + patience;
      }
    }
  }
}
