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

/** Decides whether a log has room for a record. Guarded by the log's lock. */
@InterfaceAudience.Private
final class LogRoom {
  /** The first update of a file counts three times: for itself, its unit and its file. */
  private static final int RECORDS_OF_ONE = 3;

  private final LogLimits limits;
  private final LogSegments segments;
  private final LogBook book;

  LogRoom(LogLimits limits, LogSegments segments, LogBook book) {
    this.limits = limits;
    this.segments = segments;
    this.book = book;
  }

  /**
   * @param isFollowed whether another node leads and already has the record
   * @throws LogFullException if the log has no room; it names the file to commit
   */
  void check(RecordHeader record, boolean isFollowed) throws LogFullException {
    boolean isUpdate = record.kind.isUpdate();
    boolean isOfHistory = isUpdate && record.sequence <= record.base;
    long bytesMost = !isUpdate ? limits.bytesMost : isOfHistory ? limits.historyBytesMost()
        : isFollowed ? limits.followBytesMost() : limits.updateBytesMost();
    int recordsMost = !isUpdate ? limits.recordsMost : isOfHistory ? limits.historyRecordsMost()
        : isFollowed ? limits.followRecordsMost() : limits.updateRecordsMost();
    long bytes = segments.bytes();
    if (bytes + LogLimits.need(record.length).bytes > bytesMost) {
      throw full("it has " + bytes + " of " + bytesMost + " bytes");
    }
    if (book.records() + RECORDS_OF_ONE > recordsMost) {
      throw full("it has " + book.records() + " of " + recordsMost + " records");
    }
  }

  /** Returns the room for new updates that no log has yet. */
  LogSpace forUpdates() {
    return new LogSpace(Math.max(0, limits.updateBytesMost() - segments.bytes()),
        Math.max(0, limits.updateRecordsMost() - book.records() - (RECORDS_OF_ONE - 1)));
  }

  private LogFullException full(String what) {
    return new LogFullException(what, segments.oldestLive());
  }
}
