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
  /**
   * How many bytes a DataNode's log must be allowed to have at least: room for several records of
   * the greatest length.
   */
  public static final long BYTES_MIN = 8L * LogFormat.DATA_BYTES_MAX;
  /**
   * The usual length of a segment, 64 MiB. When a segment ends, the log syncs it under its lock, so
   * that all requests pause. Shorter segments make shorter pauses, longer segments make fewer.
   * Space becomes free only by whole segments.
   */
  private static final long SEGMENT_BYTES = 64L << 20;
  /**
   * How many segments a log has at most; a larger log has longer ones. Each segment takes two open
   * files, and the DataNode needs most of its open files for its users' reads and writes.
   */
  private static final int SEGMENTS_MOST = 128;
  /**
   * The log's size divided by this number is reserved for records that begin terms. A full log
   * needs a commit, and a commit begins a term. In the smallest log the reserve holds 5000 such
   * records.
   */
  private static final int BEGINS_ONE_IN = 64;
  /**
   * The log's size divided by this number is reserved for copies of updates from before the current
   * term; the reserve holds at least two of a leader's messages with updates. If a follower's log
   * is full, it refuses updates that the leader already has. A later term has to begin with these
   * updates before a commit can make room.
   */
  private static final int HISTORY_ONE_IN = 16;
  /** Like {@link #HISTORY_ONE_IN}, in the smallest log: its reserve is a quarter of the log. */
  private static final int HISTORY_ONE_IN_LEAST = 4;
  /**
   * The log's size divided by this number is reserved for updates that leaders on other nodes send;
   * new updates of units that this node leads do not get it. A follower reports only the room
   * outside of this reserve, and a leader sends no more than fits. But several leaders may learn of
   * the same room, and each may send a message that fills it.
   */
  private static final int FOLLOW_ONE_IN = 16;
  /** Like {@link #FOLLOW_ONE_IN}, in the smallest log: its reserve is an eighth of the log. */
  private static final int FOLLOW_ONE_IN_LEAST = 8;
  /**
   * How many records a log has at most. On the heap, a record takes 88 bytes, up to two pieces of
   * {@link RangeOverlay} of 96 bytes each, and 80 bytes more if it is the only one of its writer.
   * That is 45 MiB for this number of records, which is enough for 440 MiB of updates of 4 KiB.
   */
  private static final int RECORDS_MOST = 1 << 17;

  /** How many bytes the log has at most, without trim records */
  public final long bytesMost;
  final long segmentBytes;
  final int recordsMost;
  private final long historyBytes;
  private final long followBytes;

  /**
   * @param bytesMost how many bytes all segments have together at most, without trim records; at
   *     least twice {@code segmentBytes}
   * @param segmentBytes how many bytes a segment has at most; only a segment with a single longer
   *     record has more
   * @param recordsMost how many updates, units and files the log has in memory at most
   * @throws IllegalArgumentException if a number is too small or too large
   */
  LogLimits(long bytesMost, long segmentBytes, int recordsMost) {
    this(bytesMost, segmentBytes, recordsMost, 0, 0);
  }

  /**
   * Like {@link #LogLimits(long, long, int)}, with reserves.
   *
   * @param historyBytes how many bytes are reserved for copies of updates from before the current
   *     term
   * @param followBytes how many bytes are reserved for updates that leaders on other nodes send
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
   * @param bytesMost how many bytes the log has on its disk at most; not less than
   *     {@link #BYTES_MIN}
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
   * @return how much room the update takes in a log at most
   */
  public static LogSpace need(int length) {
    return new LogSpace(LogFormat.recordBytes(length) + LogFormat.SEGMENT_HEADER_BYTES, 1);
  }

  /**
   * Returns how many bytes the log may have after a new update of a unit that this node leads. The
   * log can refuse such an update without harm, because no other log has it yet.
   */
  long updateBytesMost() {
    return followBytesMost() - followBytes;
  }

  /**
   * Returns how many bytes the log may have after a new update of a unit that another node leads.
   * That leader's log has the update already.
   */
  long followBytesMost() {
    return historyBytesMost() - historyBytes;
  }

  /**
   * Returns how many bytes the log may have after a copy of an update from before the current term.
   */
  long historyBytesMost() {
    return bytesMost - bytesMost / BEGINS_ONE_IN;
  }

  /**
   * Returns for how many units the log keeps a mark at most, see {@link RecordKind#MARK}. The log
   * writes marks before it drops segments. All of them fit into half a segment, so that they do not
   * fill further segments.
   */
  int marksMost() {
    return (int) (segmentBytes / 2 / LogFormat.HEADER_BYTES);
  }

  /** Like {@link #updateBytesMost}, but counts updates, units and files instead of bytes. */
  int updateRecordsMost() {
    return followRecordsMost() - recordsMost / FOLLOW_ONE_IN;
  }

  /** Like {@link #followBytesMost}, but counts updates, units and files instead of bytes. */
  int followRecordsMost() {
    return historyRecordsMost() - recordsMost / HISTORY_ONE_IN;
  }

  /** Like {@link #historyBytesMost}, but counts updates, units and files instead of bytes. */
  int historyRecordsMost() {
    return recordsMost - recordsMost / BEGINS_ONE_IN;
  }
}
