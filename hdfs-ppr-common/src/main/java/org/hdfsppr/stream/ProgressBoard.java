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
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.wire.RequestCodec;
import org.hdfsppr.wire.proto.PprProtos.NodeProgressProto;
import org.hdfsppr.wire.proto.PprProtos.ProgressProto;

/**
 * What the nodes below said last of how they fare, and when. Used by one thread.
 */
@InterfaceAudience.Private
public final class ProgressBoard {
  /** A note has some 60 bytes. All notes of a tree have to fit into the message to the parent. */
  private static final int NOTE_BYTES_MAX = 1 << 10;

  /** A note and the time it came. */
  static final class Entry {
    private final NodeProgressProto progress;
    private final long atNanos;

    Entry(NodeProgressProto progress, long atNanos) {
      this.progress = progress;
      this.atNanos = atNanos;
    }

    NodeProgressProto progress() {
      return progress;
    }

    long atNanos() {
      return atNanos;
    }
  }

  private final LongSupplier nanoClock;
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  public ProgressBoard(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Takes note of what a child says. A tree has at most 16 nodes; further ones are not kept, and
   * none that is longer than a note can be.
   */
  public void note(ProgressProto progress) {
    long now = nanoClock.getAsLong();
    for (NodeProgressProto node : progress.getNodesList()) {
      boolean fits = node.getSerializedSize() <= NOTE_BYTES_MAX;
      if (fits && (entries.containsKey(node.getUuid())
          || entries.size() < RequestCodec.UNITS_MAX)) {
        entries.put(node.getUuid(), new Entry(node, now));
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
