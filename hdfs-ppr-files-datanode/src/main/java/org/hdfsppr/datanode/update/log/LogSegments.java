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
 * The segments of an open log in ascending order. Records are appended to the last segment, and the
 * first segments are dropped to free space. Guarded by the log's lock.
 */
final class LogSegments implements Closeable {
  private final LogFolder folder;
  private final long boot;
  private final LongSupplier random;
  private final Deque<LogSegment> segments;
  /** Bytes of all segments. */
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
   * @param floor see {@link RecordKind#FLOOR}
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
   * Returns the number of the last segment up to which no segment has a live update; empty if there
   * is none.
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
      // A sync after each deletion: if the machine stops here, the segments that are left are
      // consecutive.
      folder.sync();
      segments.removeFirst();
      bytes -= first.length();
      first.release();
    }
  }

  /** Returns the file with the oldest live update, or null. */
  UUID oldestLive() {
    for (LogSegment segment : segments) {
      if (segment.hasLive()) {
        return segment.firstLive();
      }
    }
    return null;
  }

  /** Ends the log's use of all segments. */
  @Override
  public void close() throws IOException {
    try {
      release(segments);
    } finally {
      segments.clear();
    }
  }

  /** Ends a use of each segment, even if one of them cannot be closed. */
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
