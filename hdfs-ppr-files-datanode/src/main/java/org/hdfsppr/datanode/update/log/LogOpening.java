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

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the segments of a log. {@link #read} changes nothing, so that a corrupt log stays as it was
 * found. {@link #repair} then removes the incomplete record at the end of the log, if there is one.
 * Used by one thread.
 */
final class LogOpening implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LogOpening.class);

  private final LogFolder folder;
  private final long boot;
  private final LogBook book;
  private final List<LogFile> files = new ArrayList<>();
  /** The segments, which the caller has to close. */
  final Deque<LogSegment> segments = new ArrayDeque<>();
  /**
   * The last file, if it has no record; its header may be incomplete, too. Null if the last file
   * has records. {@link #repair} deletes it, and the next segment gets its number,
   * {@link #nextNumber}.
   */
  private LogFile empty;
  private long nextNumber = 1;

  /**
   * @param folder the folder
   * @param boot the present {@link SegmentHeader#boot}
   * @param book applies all records
   */
  LogOpening(LogFolder folder, long boot, LogBook book) {
    this.folder = folder;
    this.boot = boot;
    this.book = book;
  }

  /**
   * Reads all segments.
   *
   * @throws CorruptLogException if bytes are not those that were written
   */
  void read() throws IOException {
    TreeMap<Long, String> names = new TreeMap<>();
    for (String name : folder.names()) {
      long number = LogFormat.number(name);
      if (number >= 0) {
        names.put(number, name);
      } else {
        LOG.warn("{} in {} is no file of an update log", name, folder);
      }
    }
    for (long number : names.keySet()) {
      if (number != names.firstKey() && number != nextNumber) {
        throw new CorruptLogException(folder, LogFormat.name(nextNumber), 0, "it is missing");
      }
      boolean isLast = number == names.lastKey();
      LogFile file = folder.open(names.get(number));
      files.add(file);
      read(file, number, isLast);
      nextNumber = isLast && empty != null ? number : number + 1;
    }
    if (!names.isEmpty() && names.firstKey() > book.firstSegment()) {
      throw new CorruptLogException(folder, LogFormat.name(book.firstSegment()), 0,
          "it is missing");
    }
  }

  private void read(LogFile file, long number, boolean isLast) throws IOException {
    long length = file.length();
    byte[] head = new byte[LogFormat.SEGMENT_HEADER_BYTES];
    SegmentHeader header;
    try {
      if (length < head.length) {
        throw new IllegalArgumentException("the file ends within the header of the segment");
      }
      file.read(0, head, 0, head.length);
      header = LogFormat.segment(head);
      if (header.number != number) {
        throw new IllegalArgumentException("the file is that of segment " + header.number);
      }
    } catch (IllegalArgumentException e) {
      if (isLast && length <= head.length) {
        // A record is written only after the header of its segment is on the disk. So this file,
        // without a whole header, never had a record.
        empty = file;
        return;
      }
      throw new CorruptLogException(folder, LogFormat.name(number), 0, e.getMessage());
    }
    book.raiseFloor(header.floor);
    LogSegment segment = new LogSegment(folder, file, header);
    SegmentScan scan = new SegmentScan(folder, file, header, length);
    segment.endsAt(scan.run(isLast, boot, (record, position) -> {
      book.check(record, true);
      book.apply(record, segment, position);
    }));
    if (isLast && segment.isEmpty()) {
      empty = file;
    } else {
      segments.addLast(segment);
    }
  }

  /** Removes an incomplete record at the end of the log, and syncs the rest to the disk. */
  void repair() throws IOException {
    if (empty != null) {
      files.remove(empty);
      empty.close();
      folder.delete(LogFormat.name(nextNumber));
      folder.sync();
    }
    if (!segments.isEmpty()) {
      segments.getLast().settle();
    }
  }

  long nextNumber() {
    return nextNumber;
  }

  @Override
  public void close() throws IOException {
    for (LogFile file : files) {
      file.close();
    }
  }

  /**
   * Reads a segment from its beginning when a log is opened. If a record is not whole, this class
   * decides whether its write was interrupted, or the log is corrupt.
   *
   * <ul>
   *   <li>A segment is synced before the next one is made. So in all segments but the last, a
   *       record that is not whole means that the log is corrupt.
   *   <li>In the last segment, a process that ended during a write leaves the beginning of a record
   *       at the end of the file. This record was never acknowledged, and is cut off.
   *   <li>If the machine has booted since the segment was made, it may have lost power, and all
   *       bytes that were not synced may be wrong. The log then ends at the first record that is
   *       not whole, unless a later record says that this one was synced. The records that are cut
   *       off may have been acknowledged as written, but never as synced.
   *   <li>In all other cases the log is corrupt.
   * </ul>
   */
  static final class SegmentScan {
    /** Receives each whole record. */
    interface Records {
      /**
       * Receives a record.
       *
       * @throws RecordRefusedException if the record breaks a rule of its unit's history after the
       *     records before it
       */
      void take(RecordHeader header, long position) throws RecordRefusedException;
    }

    /** How many bytes are read at a time to look for records after one that is not whole. */
    private static final int WINDOW_BYTES = 64 << 10;

    private final LogFolder folder;
    private final LogFile file;
    private final SegmentHeader header;
    private final long length;

    /**
     * @param folder the folder, for the messages of exceptions
     * @param file the file
     * @param header the header of the segment
     * @param length the length of the file
     */
    SegmentScan(LogFolder folder, LogFile file, SegmentHeader header, long length) {
      this.folder = folder;
      this.file = file;
      this.header = header;
      this.length = length;
    }

    /**
     * Reads all records.
     *
     * @param isLast whether this is the last segment
     * @param boot the present {@link SegmentHeader#boot}
     * @param records receives the records
     * @return where the last whole record ends, bytes; the caller has to cut off the file there
     * @throws CorruptLogException if a record is corrupt
     */
    long run(boolean isLast, long boot, Records records) throws IOException {
      byte[] head = new byte[LogFormat.HEADER_BYTES];
      long at = LogFormat.SEGMENT_HEADER_BYTES;
      while (at < length) {
        String flaw;
        boolean isCutOff = true;
        if (length - at < head.length) {
          flaw = "the file ends within a record";
        } else {
          file.read(at, head, 0, head.length);
          try {
            RecordHeader record = LogFormat.record(head, header.salt, at);
            long end = at + LogFormat.recordBytes(record.length);
            if (end <= length) {
              isCutOff = false;
              flaw = dataFlaw(head, record, at);
              if (flaw == null) {
                take(records, record, at);
                at = end;
                continue;
              }
            } else {
              flaw = "the file ends within a record";
            }
          } catch (IllegalArgumentException e) {
            isCutOff = false;
            flaw = e.getMessage();
          }
        }
        boolean mayBeLost = isLast && (isCutOff || boot != header.boot && !wasSynced(at));
        if (!mayBeLost) {
          throw new CorruptLogException(folder, LogFormat.name(header.number), at, flaw);
        }
        return at;
      }
      return at;
    }

    private void take(Records records, RecordHeader record, long at) throws CorruptLogException {
      try {
        records.take(record, at);
      } catch (RecordRefusedException e) {
        throw new CorruptLogException(folder, LogFormat.name(header.number), at, e.getMessage());
      }
    }

    private String dataFlaw(byte[] head, RecordHeader record, long at) throws IOException {
      byte[] table = new byte[LogFormat.tableBytes(record.length)];
      file.read(at + head.length, table, 0, table.length);
      if (!LogFormat.isTable(head, table)) {
        return "the table does not match its checksum";
      }
      long dataAt = at + head.length + table.length;
      byte[] piece = new byte[Math.min(LogFormat.CHECKED_BYTES, record.length)];
      for (int from = 0; from < record.length; from += LogFormat.CHECKED_BYTES) {
        int bytes = Math.min(LogFormat.CHECKED_BYTES, record.length - from);
        file.read(dataAt + from, piece, 0, bytes);
        if (!LogFormat.isData(table, from / LogFormat.CHECKED_BYTES, piece, 0, bytes)) {
          return "the data do not match their checksum";
        }
      }
      return null;
    }

    /**
     * Returns whether a later record of the segment says that the bytes before and at {@code at}
     * were on the disk when it was written.
     */
    private boolean wasSynced(long at) throws IOException {
      byte[] window = new byte[WINDOW_BYTES];
      // The parts that are read overlap by one byte less than a header, so that each header is
      // whole in one of them.
      for (long from = at + 1; length - from >= LogFormat.HEADER_BYTES;
          from += window.length - LogFormat.HEADER_BYTES + 1) {
        int bytes = (int) Math.min(window.length, length - from);
        file.read(from, window, 0, bytes);
        for (int i = 0; i + LogFormat.HEADER_BYTES <= bytes; i++) {
          if (LogFormat.isHeader(window, i, header.salt, from + i)
              && LogFormat.synced(window, i) > at) {
            return true;
          }
        }
      }
      return false;
    }
  }
}
