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
import org.hdfsppr.wire.RequestCodec;
import org.hdfsppr.wire.proto.PprProtos.NodeProgressProto;
import org.hdfsppr.wire.proto.PprProtos.ProgressProto;

/**
 * What the nodes below said last of how they fare, and when. A node passes on what it has heard
 * last as often as it speaks itself; only what is new counts as heard. Used by one thread.
 */
@InterfaceAudience.Private
public final class ProgressBoard {
  /** A note has some 60 bytes. All notes of a tree have to fit into the message to the parent. */
  private static final int NOTE_BYTES_MAX = 1 << 10;

  /** A note and the time it came. */
  static final class Entry {
    private final NodeProgressProto progress;
    private final long atNanos;
    /** When the node began by this node's clock, if its words take no time; they take some. */
    private final long beganNanos;

    private final boolean isDated;

    /** @param openNanos when the board began to listen, before any of the nodes began */
    Entry(NodeProgressProto progress, long atNanos, Entry before, long openNanos) {
      this.progress = progress;
      this.atNanos = atNanos;
      long age = TimeUnit.MILLISECONDS.toNanos(progress.getAgeMs());
      // Nobody can have begun before it was asked to.
      this.isDated = progress.hasAgeMs() && age >= 0 && age <= atNanos - openNanos;
      long began = isDated ? atNanos - age : atNanos;
      this.beganNanos =
          before == null || !before.isDated ? began : Math.min(began, before.beganNanos);
    }

    NodeProgressProto progress() {
      return progress;
    }

    long atNanos() {
      return atNanos;
    }

    /**
     * When the note was made by this node's clock, as far as that can be told: by how much longer
     * it was under way than the one that was fastest. A node of a version that does not date its
     * notes is believed to have made them when they came.
     */
    long madeNanos() {
      return isDated
          ? beganNanos + TimeUnit.MILLISECONDS.toNanos(progress.getAgeMs()) : atNanos;
    }
  }

  private final LongSupplier nanoClock;
  private final long openNanos;
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  public ProgressBoard(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.openNanos = nanoClock.getAsLong();
  }

  /**
   * Takes note of what a child says. A tree has at most 16 nodes; further ones are not kept, and
   * none that is longer than a note can be.
   */
  public void note(ProgressProto progress) {
    long now = nanoClock.getAsLong();
    for (NodeProgressProto node : progress.getNodesList()) {
      boolean fits = node.getSerializedSize() <= NOTE_BYTES_MAX;
      Entry before = entries.get(node.getUuid());
      boolean isNew = before == null ? entries.size() < RequestCodec.UNITS_MAX
          : !before.progress.equals(node);
      if (fits && isNew) {
        entries.put(node.getUuid(), new Entry(node, now, before, openNanos));
      }
    }
  }

  /** The last note of a node, or null. */
  Entry of(String uuid) {
    return entries.get(uuid);
  }

  /** All notes and that of this node itself, for the parent. */
  ProgressProto with(NodeProgressProto own) {
    ProgressProto.Builder builder = ProgressProto.newBuilder().addNodes(own);
    entries.values().forEach(entry -> builder.addNodes(entry.progress()));
    return builder.build();
  }
}
