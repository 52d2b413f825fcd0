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
package org.hdfsppr.datanode.update.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.hdfsppr.update.append.UnitId;

/**
 * One file of a log. The log's lock guards the length and the counts. Reads, syncs, {@link #use}
 * and {@link #release} may be called without this lock.
 */
final class LogSegment {
  /** How many bytes {@link #settle} writes again at a time. */
  private static final int PIECE_BYTES = 64 << 10;

  private final LogFolder folder;
  private final LogFile file;
  private final SegmentHeader header;
  private long length;
  private long synced;
  /**
   * For each HDFS file, how many live updates the segment has, which are those that no trim has
   * dropped. The file that came first into the segment is first.
   */
  private final Map<UUID, Integer> live = new LinkedHashMap<>();
  /**
   * How many uses keep the file open: one by the log itself, and one for each read and sync under
   * way. Guarded by this object's monitor.
   */
  private int uses = 1;
  /** Held by the thread that syncs. */
  private final Object syncing = new Object();
  /** The first failure of a sync, or null. Guarded by {@link #syncing}. */
  private IOException syncFailure;

  /**
   * @param folder the folder, for the messages of exceptions
   * @param file the open file; {@link #release} closes it when the last use ends
   * @param header the header at the beginning of the file
   */
  LogSegment(LogFolder folder, LogFile file, SegmentHeader header) {
    this.folder = folder;
    this.file = file;
    this.header = header;
    this.length = LogFormat.SEGMENT_HEADER_BYTES;
    this.synced = length;
  }

  long number() {
    return header.number;
  }

  String name() {
    return LogFormat.name(header.number);
  }

  long length() {
    return length;
  }

  boolean isEmpty() {
    return length == LogFormat.SEGMENT_HEADER_BYTES;
  }

  /**
   * Writes a record behind the last one.
   *
   * @throws IOException if the write fails; {@link #cutOff} then removes what was written
   */
  void append(RecordHeader record, ByteBuffer data) throws IOException {
    byte[] bytes = LogFormat.encode(record, data, header.salt, length, synced);
    file.write(length, bytes);
    length += bytes.length;
  }

  /** Removes what a failed {@link #append} has written. */
  void cutOff() throws IOException {
    file.truncate(length);
  }

  /**
   * Sets where the last whole record ends, when the log is opened.
   *
   * @param end how many bytes the segment's header and all whole records have
   */
  void endsAt(long end) {
    length = end;
    synced = end;
  }

  /**
   * Removes all bytes behind the last whole record, and syncs the rest to the disk. If a sync
   * failed before the log was closed, the operating system may have the bytes in memory only, but
   * take them for written. So this method writes them again.
   */
  void settle() throws IOException {
    if (file.length() > length) {
      file.truncate(length);
    }
    for (long at = 0; at < length; at += PIECE_BYTES) {
      byte[] piece = new byte[(int) Math.min(PIECE_BYTES, length - at)];
      file.read(at, piece, 0, piece.length);
      file.write(at, piece);
    }
    file.sync();
  }

  /**
   * Syncs the file to the disk. The caller reads {@link #length} before, and passes it to
   * {@link #synced} afterwards. The operating system reports a failed write only to one sync. So
   * this method lets syncs run one after the other, and lets none succeed after a failed one.
   */
  void sync() throws IOException {
    synchronized (syncing) {
      if (syncFailure != null) {
        throw new IOException("A sync of " + name() + " has failed before", syncFailure);
      }
      try {
        file.sync();
      } catch (IOException e) {
        syncFailure = e;
        throw e;
      }
    }
  }

  /** Records that the first {@code bytes} bytes are on the disk. */
  void synced(long bytes) {
    synced = Math.max(synced, bytes);
  }

  void addLive(UUID of) {
    live.merge(of, 1, Integer::sum);
  }

  void removeLive(UUID of) {
    live.computeIfPresent(of, (any, count) -> count == 1 ? null : count - 1);
  }

  boolean hasLive() {
    return !live.isEmpty();
  }

  /**
   * Returns the HDFS file with the oldest live update in this segment, or null if no update is
   * live.
   */
  UUID firstLive() {
    return live.isEmpty() ? null : live.keySet().iterator().next();
  }

  /**
   * Keeps the file open until {@link #release}.
   *
   * @return false if the log has dropped the segment; its file may be closed, and the caller must
   *     not read it
   */
  synchronized boolean use() {
    if (uses == 0) {
      return false;
    }
    uses++;
    return true;
  }

  /** Ends a use. If it was the last one, this method closes the file. */
  void release() throws IOException {
    synchronized (this) {
      uses--;
      if (uses > 0) {
        return;
      }
    }
    file.close();
  }

  /**
   * Reads a part of the data of a record, and verifies it. The caller has called {@link #use}, so
   * that the file stays open.
   *
   * @param at where in the file the record begins, bytes
   * @param unit the unit of the record
   * @param sequence the number of the update
   * @param from where to begin within the record's data, bytes
   * @param into takes the bytes from its position to its limit
   * @throws CorruptLogException if the bytes are not those that were written
   */
  void read(long at, UnitId unit, long sequence, int from, ByteBuffer into) throws IOException {
    byte[] head = new byte[LogFormat.HEADER_BYTES];
    file.read(at, head, 0, head.length);
    RecordHeader record;
    try {
      record = LogFormat.record(head, header.salt, at);
    } catch (IllegalArgumentException e) {
      throw new CorruptLogException(folder, name(), at, e.getMessage());
    }
    if (record.sequence != sequence || !record.unit.equals(unit)
        || record.length - from < into.remaining()) {
      throw new CorruptLogException(folder, name(), at, "another record than was written there");
    }
    byte[] table = new byte[LogFormat.tableBytes(record.length)];
    file.read(at + head.length, table, 0, table.length);
    if (!LogFormat.isTable(head, table)) {
      throw new CorruptLogException(folder, name(), at, "the table does not match its checksum");
    }
    long dataAt = at + head.length + table.length;
    byte[] piece = new byte[Math.min(LogFormat.CHECKED_BYTES, record.length)];
    for (int done = from; into.hasRemaining();) {
      int number = done / LogFormat.CHECKED_BYTES;
      int pieceFrom = number * LogFormat.CHECKED_BYTES;
      int pieceBytes = Math.min(LogFormat.CHECKED_BYTES, record.length - pieceFrom);
      file.read(dataAt + pieceFrom, piece, 0, pieceBytes);
      if (!LogFormat.isData(table, number, piece, 0, pieceBytes)) {
        throw new CorruptLogException(folder, name(), at, "the data from byte " + pieceFrom
            + " of the record do not match their checksum");
      }
      int wanted = Math.min(into.remaining(), pieceFrom + pieceBytes - done);
      into.put(piece, done - pieceFrom, wanted);
      done += wanted;
    }
  }
}
