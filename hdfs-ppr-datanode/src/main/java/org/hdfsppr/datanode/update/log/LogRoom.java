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

/** Says whether a log has room for a record. The log's lock guards it. */
@InterfaceAudience.Private
final class LogRoom {
  private final LogLimits limits;
  private final LogSegments segments;
  private final LogBook book;

  LogRoom(LogLimits limits, LogSegments segments, LogBook book) {
    this.limits = limits;
    this.segments = segments;
    this.book = book;
  }

  /** @throws LogFullException if the log has no room; it names the file to commit */
  void check(RecordHeader record) throws LogFullException {
    boolean isUpdate = record.kind() == RecordKind.UPDATE;
    boolean isOfHistory = isUpdate && record.sequence() <= record.base();
    long bytesMost = isOfHistory ? limits.historyBytesMost()
        : isUpdate ? limits.updateBytesMost() : limits.bytesMost();
    long bytes = segments.bytes();
    if (bytes + LogFormat.recordBytes(record.length()) + LogFormat.SEGMENT_HEADER_BYTES
        > bytesMost) {
      throw full("it has " + bytes + " of " + bytesMost + " bytes");
    }
    int recordsMost = isUpdate ? limits.updateRecordsMost() : limits.recordsMost();
    // A record of an unknown unit of an unknown file counts three times.
    if (book.records() + 3 > recordsMost) {
      throw full("it has " + book.records() + " of " + recordsMost + " records");
    }
  }

  private LogFullException full(String what) {
    return new LogFullException(what, segments.oldestLive());
  }
}
