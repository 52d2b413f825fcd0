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
package org.hdfsppr.datanode.update;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.datanode.update.log.LogEntry;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.update.append.NumberedUpdate;

/**
 * Updates of a log that go to another node in one message: the first updates of a list, as many as
 * fit into a limit on bytes, but at least one. Immutable.
 */
final class EntryData {
  private final List<LogEntry> entries;
  private final int length;

  private EntryData(List<LogEntry> entries, int length) {
    this.entries = entries;
    this.length = length;
  }

  /**
   * Chooses the first updates of a list.
   *
   * @param row the list, in the order of the updates' numbers
   * @param bytesMost how many bytes the chosen updates have together at most; the first one is
   *     chosen even if it has more
   */
  static EntryData first(List<LogEntry> row, int bytesMost) {
    List<LogEntry> entries = new ArrayList<>();
    int length = 0;
    for (LogEntry entry : row) {
      if (!entries.isEmpty() && entry.length > bytesMost - length) {
        break;
      }
      entries.add(entry);
      length += entry.length;
    }
    return new EntryData(entries, length);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Returns whether the data of any update are a delta. */
  boolean hasDeltas() {
    return entries.stream().anyMatch(entry -> entry.isDelta);
  }

  /** Returns the number of the last update. */
  long last() {
    return entries.get(entries.size() - 1).sequence;
  }

  List<NumberedUpdate> records() {
    List<NumberedUpdate> records = new ArrayList<>();
    for (LogEntry entry : entries) {
      records.add(record(entry));
    }
    return records;
  }

  static NumberedUpdate record(LogEntry entry) {
    NumberedUpdate record = new NumberedUpdate(entry.sequence, entry.epoch, entry.offset,
        entry.length, entry.origin());
    return entry.isDelta ? record.asDelta() : record;
  }

  /** Reads the data of all updates, one after the other. */
  byte[] read(UpdateLog log) throws IOException {
    byte[] data = new byte[length];
    int at = 0;
    for (LogEntry entry : entries) {
      log.read(entry, 0, ByteBuffer.wrap(data, at, entry.length));
      at += entry.length;
    }
    return data;
  }
}
