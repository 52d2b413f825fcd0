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
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the segments of a log. {@link #read} changes nothing, so that a corrupt log stays as it was
 * found. {@link #repair} then removes a torn write at the end. Used by one thread.
 */
@InterfaceAudience.Private
final class LogOpening implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LogOpening.class);

  private final LogFolder folder;
  private final long boot;
  private final LogBook book;
  private final List<LogFile> files = new ArrayList<>();
  /** The segments, which the caller has to close. */
  final Deque<LogSegment> segments = new ArrayDeque<>();
  /**
   * The last file, if it has no record, and perhaps no whole header; null otherwise. Its number is
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
        // A record is written only after the header is on the disk, so that this file has none.
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

  /** Removes a torn write at the end, and syncs the rest to the disk. */
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
}
