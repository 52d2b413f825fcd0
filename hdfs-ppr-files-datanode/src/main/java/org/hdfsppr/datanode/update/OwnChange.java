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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.datanode.update.old.OldBytesStore;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.update.ByteRanges;
import org.hdfsppr.update.LatestUpdates;

/**
 * The change that a commit's updates make to a data unit, calculated from this node's own log and
 * the overwritten bytes that this node has kept: for each byte, the value that the last update has
 * written, XOR the value that the first update has overwritten. The overwritten value is that of
 * the old version, because this version has exactly the updates before the first one. Bytes without
 * updates do not change. Used by one thread.
 */
final class OwnChange implements UnitSource {
  /** How many bytes of updates and old bytes stay in memory between two reads at most. */
  private static final int MEMORY_BYTES_MAX = 8 << 20;

  private interface Reading {
    byte[] read() throws IOException;
  }

  /** The bytes that a range held before the first of the commit's updates wrote it. Immutable. */
  private static final class Part {
    private final long to;
    private final OldBytesStore.Found found;

    Part(long to, OldBytesStore.Found found) {
      this.to = to;
      this.found = found;
    }
  }

  private final UpdateLog log;
  private final Runnable whenUnreadable;
  private final long length;
  private final List<LogEntry> entries;
  private final LatestUpdates latest = new LatestUpdates();
  /** The ranges with their overwritten bytes, by the offset of their first byte in the unit. */
  private final NavigableMap<Long, Part> overwritten = new TreeMap<>();
  /**
   * The bytes of the updates and of the old bytes that were read last, by the {@link LogEntry} or
   * {@link OldBytesStore.Found} from which they come.
   */
  private final Map<Object, byte[]> memory = new LinkedHashMap<>(16, 0.75f, true);
  private int memoryBytes;

  private OwnChange(UpdateLog log, List<LogEntry> entries, long length,
      Runnable whenUnreadable) {
    this.log = log;
    this.whenUnreadable = whenUnreadable;
    this.entries = new ArrayList<>(entries);
    this.length = length;
  }

  /**
   * Finds the change.
   *
   * @param log the log of this node
   * @param old the overwritten bytes that this node has kept
   * @param entries the updates of the log that the new version has and the old one has not
   * @param ranges the ranges of the unit that the updates may write: the first byte of each, and
   *     the byte after its last one
   * @param isOfFile says whether a block is that of the old version, or an earlier one from which
   *     that was made
   * @param length bytes of the unit
   * @param whenUnreadable runs if the change cannot be read, so that the next try asks other nodes
   *     for the change
   * @return the change; empty if, for any byte, the old bytes of the first update that writes it
   *     are missing or were read from a block that {@code isOfFile} refuses
   */
  static Optional<UnitSource> of(UpdateLog log, OldBytesStore old, List<LogEntry> entries,
      NavigableMap<Long, Long> ranges, Predicate<BlockRef> isOfFile, long length,
      Runnable whenUnreadable) {
    OwnChange change = new OwnChange(log, entries, length, whenUnreadable);
    ByteRanges written = new ByteRanges();
    for (int i = 0; i < entries.size(); i++) {
      LogEntry entry = entries.get(i);
      long end = entry.offset + entry.length;
      Map.Entry<Long, Long> range = ranges.floorEntry(entry.offset);
      if (range == null || range.getValue() < end || end > length) {
        return Optional.empty();
      }
      for (Map.Entry<Long, Long> first : written.missing(entry.offset, end).entrySet()) {
        for (long at = first.getKey(); at < first.getValue();) {
          OldBytesStore.Found found =
              old.find(entry.unit, entry.term, entry.sequence, at).orElse(null);
          if (found == null || !isOfFile.test(found.block)) {
            return Optional.empty();
          }
          long to = Math.min(first.getValue(), found.end());
          change.overwritten.put(at, new Part(to, found));
          at = to;
        }
      }
      written.add(entry.offset, end);
      change.latest.add(entry.offset, end, i);
    }
    return Optional.of(change);
  }

  @Override
  public long length() {
    return length;
  }

  /**
   * Reads the change.
   *
   * @throws IOException if that fails
   */
  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    byte[] change = new byte[into.remaining()];
    try {
      read(offset, change);
    } catch (IOException e) {
      whenUnreadable.run();
      throw new IOException("The change of " + entries.get(0).unit + " was known here, and"
          + " cannot be read: " + e.getMessage(), e);
    }
    into.put(change);
  }

  private void read(long offset, byte[] change) throws IOException {
    long end = offset + change.length;
    for (LatestUpdates.Piece piece : latest.within(offset, end)) {
      LogEntry entry = entries.get(piece.update);
      add(read(entry, () -> log.read(entry)), entry.offset, piece.from, piece.to, change,
          offset);
    }
    Long first = overwritten.floorKey(offset);
    for (Map.Entry<Long, Part> part
        : overwritten.subMap(first == null ? offset : first, end).entrySet()) {
      OldBytesStore.Found found = part.getValue().found;
      long from = Math.max(offset, part.getKey());
      long to = Math.min(end, part.getValue().to);
      if (from < to) {
        add(read(found, found::read), found.offset, from, to, change, offset);
      }
    }
  }

  /**
   * Adds to a change the bytes of the unit from {@code from} to {@code to}. The array {@code bytes}
   * begins at the offset {@code bytesFrom} of the unit, and {@code change} at {@code changeFrom}.
   */
  private static void add(byte[] bytes, long bytesFrom, long from, long to, byte[] change,
      long changeFrom) {
    for (long at = from; at < to; at++) {
      change[(int) (at - changeFrom)] ^= bytes[(int) (at - bytesFrom)];
    }
  }

  private byte[] read(Object of, Reading reading) throws IOException {
    byte[] known = memory.get(of);
    if (known != null) {
      return known;
    }
    byte[] bytes = reading.read();
    memory.put(of, bytes);
    memoryBytes += bytes.length;
    Iterator<byte[]> oldest = memory.values().iterator();
    while (memoryBytes > MEMORY_BYTES_MAX && memory.size() > 1) {
      memoryBytes -= oldest.next().length;
      oldest.remove();
    }
    return bytes;
  }

  @Override
  public void close() {
    memory.clear();
  }
}
