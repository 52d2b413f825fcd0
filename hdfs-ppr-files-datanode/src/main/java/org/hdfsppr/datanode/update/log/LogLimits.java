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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.LogSpace;

/**
 * The limits of a log: bytes, records, and the reserves for different kinds of records. Immutable.
 */
@InterfaceAudience.Private
public final class LogLimits {
  /** The least and the greatest length at which a segment ends, bytes. */
  private static final long SEGMENT_BYTES_MIN = 1L << 10;
  private static final long SEGMENT_BYTES_MAX = 1L << 30;
  /** The least size of a DataNode's log, bytes: room for several records of the greatest length. */
  public static final long BYTES_MIN = 8L * LogFormat.DATA_BYTES_MAX;
  /**
   * The usual length of a segment, 64 MiB. A segment ends with an fsync under the lock of the log,
   * and only whole segments are freed. Shorter segments make shorter pauses, longer segments make
   * fewer.
   */
  private static final long SEGMENT_BYTES = 64L << 20;
  /**
   * The most segments of the usual length; a larger log has longer ones. Each segment has two open
   * files, and the DataNode needs most of its open files for users.
   */
  private static final int SEGMENTS_MOST = 128;
  /**
   * The divisor for the part of the room that is reserved for records that begin terms. A full log
   * needs a commit, and a commit begins a term. In the smallest log the reserve holds 5000 such
   * records.
   */
  private static final int BEGINS_ONE_IN = 64;
  /**
   * The divisor for the part of the room that is reserved for updates of histories; at least two
   * turns of a leader fit in. A full follower refuses updates that the leader already has. A later
   * term has to begin with these updates before a commit can make room.
   */
  private static final int HISTORY_ONE_IN = 16;
  /** That part of the room in the smallest log. */
  private static final int HISTORY_ONE_IN_LEAST = 4;
  /**
   * The divisor for the part of the room that new updates which this node leads leave free for
   * updates that it follows. A follower reports only the room outside of this reserve, and a leader
   * sends no more. But several leaders may learn of the same room, and each may send a turn of
   * updates.
   */
  private static final int FOLLOW_ONE_IN = 16;
  /** That part of the room in the smallest log. */
  private static final int FOLLOW_ONE_IN_LEAST = 8;
  /**
   * The most records of a log. On the heap, a record takes 88 bytes, up to two overlay pieces of 96
   * bytes, and 80 bytes if it is the only one of its writer: 45 MiB for this number, which is
   * enough for 440 MiB of updates of 4 KiB.
   */
  private static final int RECORDS_MOST = 1 << 17;

  /** The most bytes of a log */
  public final long bytesMost;
  final long segmentBytes;
  final int recordsMost;
  private final long historyBytes;
  private final long followBytes;

  /**
   * @param bytesMost the most bytes of all segments, without trim records; at least two segments
   * @param segmentBytes the length that a segment does not exceed, bytes; a longer record has a
   *     segment of its own
   * @param recordsMost the most updates and units
   * @throws IllegalArgumentException if a number is too small or too large
   */
  LogLimits(long bytesMost, long segmentBytes, int recordsMost) {
    this(bytesMost, segmentBytes, recordsMost, 0, 0);
  }

  /**
   * As the other constructor, with reserves.
   *
   * @param historyBytes the reserve for updates of histories, bytes
   * @param followBytes the reserve for updates that leaders on other nodes already have, bytes
   */
  LogLimits(long bytesMost, long segmentBytes, int recordsMost, long historyBytes,
      long followBytes) {
    this.historyBytes = historyBytes;
    this.followBytes = followBytes;
    if (segmentBytes < SEGMENT_BYTES_MIN || segmentBytes > SEGMENT_BYTES_MAX
        || bytesMost < 2 * segmentBytes || recordsMost < 1) {
      throw new IllegalArgumentException("A log of " + bytesMost + " bytes in segments of "
          + segmentBytes + " bytes (" + SEGMENT_BYTES_MIN + " to " + SEGMENT_BYTES_MAX
          + ", two at least), " + recordsMost + " records");
    }
    this.bytesMost = bytesMost;
    this.segmentBytes = segmentBytes;
    this.recordsMost = recordsMost;
  }

  /**
   * @param bytesMost the most bytes of a log on its disk, at least {@link #BYTES_MIN}
   * @return limits with segments of the usual length, or shorter ones if the log is small
   */
  public static LogLimits of(long bytesMost) {
    if (bytesMost < BYTES_MIN) {
      throw new IllegalArgumentException("A log has " + BYTES_MIN + " bytes at least, not "
          + bytesMost);
    }
    long segmentBytes = Math.min(SEGMENT_BYTES_MAX,
        Math.max(Math.min(SEGMENT_BYTES, bytesMost / 4), bytesMost / SEGMENTS_MOST));
    long historyBytes = Math.min(bytesMost / HISTORY_ONE_IN_LEAST,
        Math.max(2L * LogFormat.DATA_BYTES_MAX, bytesMost / HISTORY_ONE_IN));
    long followBytes = Math.min(bytesMost / FOLLOW_ONE_IN_LEAST,
        Math.max(2L * LogFormat.DATA_BYTES_MAX, bytesMost / FOLLOW_ONE_IN));
    return new LogLimits(bytesMost, segmentBytes, RECORDS_MOST, historyBytes, followBytes);
  }

  /**
   * @param length the bytes of an update
   * @return the most room that it takes in a log
   */
  public static LogSpace need(int length) {
    return new LogSpace(LogFormat.recordBytes(length) + LogFormat.SEGMENT_HEADER_BYTES, 1);
  }

  /**
   * Returns the most bytes that the log may reach with a new update that this node leads; no log
   * has this update yet, so that it can be refused.
   */
  long updateBytesMost() {
    return followBytesMost() - followBytes;
  }

  /**
   * Returns the most bytes that the log may reach with a new update that its leader already has.
   */
  long followBytesMost() {
    return historyBytesMost() - historyBytes;
  }

  /**
   * Returns the most bytes that the log may reach with an update of the history with which a term
   * begins.
   */
  long historyBytesMost() {
    return bytesMost - bytesMost / BEGINS_ONE_IN;
  }

  /**
   * Returns the most units of which the log keeps marks. All marks fit into half a segment, so that
   * the marks that are written when segments are dropped do not fill further segments.
   */
  int marksMost() {
    return (int) (segmentBytes / 2 / LogFormat.HEADER_BYTES);
  }

  /** As {@link #updateBytesMost}, in updates and units. */
  int updateRecordsMost() {
    return followRecordsMost() - recordsMost / FOLLOW_ONE_IN;
  }

  /** As {@link #followBytesMost}, in updates and units. */
  int followRecordsMost() {
    return historyRecordsMost() - recordsMost / HISTORY_ONE_IN;
  }

  /** As {@link #historyBytesMost}, in updates and units. */
  int historyRecordsMost() {
    return recordsMost - recordsMost / BEGINS_ONE_IN;
  }
}
