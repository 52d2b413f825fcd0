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
import java.util.Collection;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The segments of an open log, by ascending number. The log appends records to the last one, and
 * drops the first ones to free space. Guarded by the log's lock.
 */
final class LogSegments implements Closeable {
  private final LogFolder folder;
  private final long boot;
  private final LongSupplier random;
  private final Deque<LogSegment> segments;
  /** How many bytes all segments have together. */
  private long bytes;

  /**
   * @param folder the folder, which the caller closes
   * @param boot see {@link SegmentHeader#boot}
   * @param random makes salts
   * @param segments the segments that were read when the log was opened
   */
  LogSegments(LogFolder folder, long boot, LongSupplier random, Deque<LogSegment> segments) {
    this.folder = folder;
    this.boot = boot;
    this.random = random;
    this.segments = segments;
    for (LogSegment segment : segments) {
      bytes += segment.length();
    }
  }

  /**
   * Makes the next segment, and syncs it to the disk.
   *
   * @param number the number after that of the last segment
   * @param floor the greatest term of all units that the log has forgotten, see {@link LogBook}
   */
  void start(long number, long floor) throws IOException {
    SegmentHeader header = new SegmentHeader(number, boot, random.getAsLong(), floor);
    LogFile file = folder.create(LogFormat.name(number));
    boolean done = false;
    try {
      file.write(0, LogFormat.encode(header));
      file.sync();
      folder.sync();
      segments.addLast(new LogSegment(folder, file, header));
      bytes += LogFormat.SEGMENT_HEADER_BYTES;
      done = true;
    } finally {
      if (!done) {
        file.close();
      }
    }
  }

  LogSegment last() {
    return segments.getLast();
  }

  /** Counts a record of {@code length} bytes that was written. */
  void wrote(long length) {
    bytes += length;
  }

  long bytes() {
    return bytes;
  }

  int count() {
    return segments.size();
  }

  /**
   * Returns up to which number the segments can be dropped, because they have no live update; the
   * last segment always stays. Empty if the first segment has to stay.
   */
  OptionalLong droppable() {
    OptionalLong until = OptionalLong.empty();
    for (LogSegment segment : segments) {
      if (segment.hasLive() || segment == segments.getLast()) {
        break;
      }
      until = OptionalLong.of(segment.number());
    }
    return until;
  }

  /** Removes the segments up to a number. */
  void drop(long until) throws IOException {
    while (segments.getFirst().number() <= until) {
      LogSegment first = segments.getFirst();
      folder.delete(first.name());
      // Without a sync after each deletion, a loss of power could undo an earlier deletion but not
      // a later one, and the numbers of the segments would have a gap.
      folder.sync();
      segments.removeFirst();
      bytes -= first.length();
      first.release();
    }
  }

  /** Returns the HDFS file with the oldest live update of the log, or null if no update is live. */
  UUID oldestLive() {
    for (LogSegment segment : segments) {
      if (segment.hasLive()) {
        return segment.firstLive();
      }
    }
    return null;
  }

  /**
   * Ends the log's use of all segments. A segment's file is closed as soon as no read or sync uses
   * it.
   */
  @Override
  public void close() throws IOException {
    try {
      release(segments);
    } finally {
      segments.clear();
    }
  }

  /** Ends one use of each of these segments, even if closing one of them fails. */
  static void release(Collection<LogSegment> used) throws IOException {
    IOException failure = null;
    for (LogSegment segment : used) {
      try {
        segment.release();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
