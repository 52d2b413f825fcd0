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
package org.hdfsppr.datanode.update;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.update.LatestUpdates;

/**
 * The change that a commit makes to a data unit, calculated from deltas in the log of this node. A
 * change is the new version of the unit XOR the old one. For each byte, it is the XOR of the last
 * deltas of all epochs that have written the byte. The first of these deltas is relative to the old
 * version, and each later one to the state at the end of the epoch before. Bytes that no update has
 * written do not change. Used by one thread.
 */
@InterfaceAudience.Private
final class DeltaChange implements UnitSource {
  private final UpdateLog log;
  private final Runnable whenUnreadable;
  private final List<LogEntry> entries;
  private final long length;
  /** The last update of each byte, by epoch. */
  private final NavigableMap<Long, LatestUpdates> latest = new TreeMap<>();

  private DeltaChange(UpdateLog log, Runnable whenUnreadable, List<LogEntry> entries,
      long length) {
    this.log = log;
    this.whenUnreadable = whenUnreadable;
    this.entries = new ArrayList<>(entries);
    this.length = length;
  }

  /**
   * Finds the change.
   *
   * @param log the log of this node
   * @param entries the updates of the log that the new version has and the old one has not
   * @param ranges the ranges that the updates may write
   * @param committed the commit of the old version
   * @param length bytes of the unit
   * @param whenUnreadable runs if the change cannot be read, so that the next try asks other nodes
   *     for the change
   * @return the change; empty if, for any byte, the last update of an epoch is no delta
   */
  static Optional<UnitSource> of(UpdateLog log, List<LogEntry> entries,
      NavigableMap<Long, Long> ranges, long committed, long length, Runnable whenUnreadable) {
    DeltaChange change = new DeltaChange(log, whenUnreadable, entries, length);
    for (int i = 0; i < entries.size(); i++) {
      LogEntry entry = entries.get(i);
      long end = entry.offset + entry.length;
      Map.Entry<Long, Long> range = ranges.floorEntry(entry.offset);
      if (range == null || range.getValue() < end || end > length || entry.epoch <= committed) {
        return Optional.empty();
      }
      change.latest.computeIfAbsent(entry.epoch, none -> new LatestUpdates())
          .add(entry.offset, end, i);
    }
    boolean isWhole = change.latest.values().stream().flatMap(layer ->
        layer.within(0, length).stream()).allMatch(piece ->
        entries.get(piece.update).isDelta);
    return isWhole ? Optional.of(change) : Optional.empty();
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    byte[] change = new byte[into.remaining()];
    try {
      for (LatestUpdates layer : latest.values()) {
        for (LatestUpdates.Piece piece : layer.within(offset, offset + change.length)) {
          add(piece, offset, change);
        }
      }
    } catch (IOException e) {
      whenUnreadable.run();
      throw new IOException("The change of " + entries.get(0).unit + " was known here, and"
          + " cannot be read: " + e.getMessage(), e);
    }
    into.put(change);
  }

  private void add(LatestUpdates.Piece piece, long offset, byte[] change) throws IOException {
    LogEntry entry = entries.get(piece.update);
    byte[] delta = new byte[(int) (piece.to - piece.from)];
    log.read(entry, (int) (piece.from - entry.offset), ByteBuffer.wrap(delta));
    int at = (int) (piece.from - offset);
    for (int i = 0; i < delta.length; i++) {
      change[at + i] ^= delta[i];
    }
  }

  @Override
  public void close() {
    // The log stays open.
  }
}
