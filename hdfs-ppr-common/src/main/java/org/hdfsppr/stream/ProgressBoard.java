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
package org.hdfsppr.stream;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.proto.PprProtos.NodeProgressProto;
import org.hdfsppr.wire.proto.PprProtos.ProgressProto;

/**
 * Holds the last progress note of each node below this node, and the time at which the note
 * arrived. Whenever a node sends its own note, it also sends the notes of all nodes below it. A
 * parent therefore receives the same note several times. The board keeps a note's time of arrival
 * until a different note of that node arrives. Used by one thread.
 */
@InterfaceAudience.Private
public final class ProgressBoard {
  /**
   * The longest note that the board keeps, bytes. A usual note has about 60 bytes. The bound keeps
   * a peer from making the message to the parent too long, which has the notes of all nodes below.
   */
  private static final int NOTE_BYTES_MAX = 1 << 10;

  /** A note and the time of its arrival. */
  static final class Entry {
    final NodeProgressProto progress;
    final long atNanos;
    /**
     * The estimated time at which the sender began, by this node's clock. The estimate is too late
     * by the shortest delay of any note so far.
     */
    private final long beganNanos;

    private final boolean isDated;

    /**
     * @param progress the note
     * @param atNanos time of its arrival, nanoseconds
     * @param before the last entry of the same node, or null
     * @param openNanos time of the board's creation, before any node below began, nanoseconds
     */
    Entry(NodeProgressProto progress, long atNanos, Entry before, long openNanos) {
      this.progress = progress;
      this.atNanos = atNanos;
      long age = TimeUnit.MILLISECONDS.toNanos(progress.getAgeMs());
      // The board is older than any request to a node below. A note that claims an earlier
      // beginning is therefore wrong, and counts as not dated.
      this.isDated = progress.hasAgeMs() && age >= 0 && age <= atNanos - openNanos;
      long began = isDated ? atNanos - age : atNanos;
      this.beganNanos =
          before == null || !before.isDated ? began : Math.min(began, before.beganNanos);
    }

    /**
     * Estimates the time at which the sender made the note, by this node's clock. The estimate
     * assumes that the fastest note so far had no delay. Nodes of old versions do not date their
     * notes. For such a note the method returns the time of arrival.
     */
    long madeNanos() {
      return isDated
          ? beganNanos + TimeUnit.MILLISECONDS.toNanos(progress.getAgeMs()) : atNanos;
    }
  }

  private final LongSupplier nanoClock;
  private final long openNanos;
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /** @param nanoClock a monotonic clock, nanoseconds */
  public ProgressBoard(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.openNanos = nanoClock.getAsLong();
  }

  /**
   * Takes the notes of a child and of the nodes below it. A tree has at most 16 nodes. The board
   * ignores notes of further nodes, and notes that are too long.
   *
   * @param progress the child's message
   */
  public void note(ProgressProto progress) {
    long now = nanoClock.getAsLong();
    for (NodeProgressProto node : progress.getNodesList()) {
      boolean fits = node.getSerializedSize() <= NOTE_BYTES_MAX;
      Entry before = entries.get(node.getUuid());
      boolean isNew = before == null ? entries.size() < RequestBounds.UNITS_MAX
          : !before.progress.equals(node);
      if (fits && isNew) {
        entries.put(node.getUuid(), new Entry(node, now, before, openNanos));
      }
    }
  }

  /** Returns the last note of a node, or null. */
  Entry of(String uuid) {
    return entries.get(uuid);
  }

  /**
   * Makes the message to the parent, which contains this node's own note and all notes of the
   * board.
   */
  ProgressProto with(NodeProgressProto own) {
    ProgressProto.Builder builder = ProgressProto.newBuilder().addNodes(own);
    entries.values().forEach(entry -> builder.addNodes(entry.progress));
    return builder.build();
  }
}
