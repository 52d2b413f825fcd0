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
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Reads a segment from its beginning when a log is opened, and decides whether a record that is not
 * whole is a torn write or corruption.
 *
 * <ul>
 *   <li>A segment is synced before the next one is made. In all segments but the last, a record
 *       that is not whole is corrupt.
 *   <li>In the last segment, a process that ended during a write leaves the beginning of a record
 *       at the end of the file. This record was never acknowledged, and is cut off.
 *   <li>If the machine has booted since, it may have lost power, and all bytes that were not synced
 *       may be wrong. The log then ends at the first record that is not whole, unless a later
 *       record says that this one was synced. The records that are cut off may have been
 *       acknowledged as written, but never as synced.
 *   <li>Anything else is corrupt.
 * </ul>
 */
@InterfaceAudience.Private
final class SegmentScan {
  /** Receives each whole record. */
  interface Records {
    /**
     * Receives a record.
     *
     * @throws RecordRefusedException if the record cannot follow those before it
     */
    void take(RecordHeader header, long position) throws RecordRefusedException;
  }

  /** The bytes that are read at a time when the scan looks for later records. */
  private static final int WINDOW_BYTES = 64 << 10;

  private final LogFolder folder;
  private final LogFile file;
  private final SegmentHeader header;
  private final long length;

  /**
   * @param folder the folder, for errors
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
   * @return the end of the last whole record; the caller has to cut off all bytes behind it
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

  /** Returns whether a later record says that the byte at {@code at} was on the disk. */
  private boolean wasSynced(long at) throws IOException {
    byte[] window = new byte[WINDOW_BYTES];
    // Windows overlap by one byte less than a header, so that each header is whole in one window.
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
