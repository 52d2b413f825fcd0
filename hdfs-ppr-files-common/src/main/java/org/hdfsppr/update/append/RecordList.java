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
package org.hdfsppr.update.append;

import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.update.append.proto.UpdateProtos.RecordProto;

/** Converts the updates of a message from and to its fields, and checks them. */
final class RecordList {
  private RecordList() {
  }

  /**
   * Checks that the updates' numbers are consecutive, that the updates lie within the unit, and
   * that the payload is as long as their data and the other bytes together.
   *
   * @param more how many bytes of the payload follow the data of the updates
   * @throws IllegalArgumentException whose message says what is wrong
   */
  static void check(List<NumberedUpdate> records, long unitBytes, Payload payload, long more) {
    long bytes = bytes(records, unitBytes);
    if (payload.length != bytes + more) {
      throw new IllegalArgumentException("updates of " + bytes + " bytes and " + more + " others,"
          + " with " + payload.length + " bytes of data");
    }
  }

  /**
   * Like {@link #check(List, long, Payload, long)}, but for updates that may come without their
   * data.
   *
   * @param haveData true if the payload is the data of all updates, false if there must be no
   *     payload
   */
  static void check(List<NumberedUpdate> records, long unitBytes, Payload payload,
      boolean haveData) {
    if (haveData) {
      check(records, unitBytes, payload, 0);
    } else if (bytes(records, unitBytes) >= 0 && payload.length > 0) {
      throw new IllegalArgumentException("updates without data, with " + payload.length
          + " bytes of data");
    }
  }

  /** Checks updates, and returns how many bytes of data they have together. */
  private static long bytes(List<NumberedUpdate> records, long unitBytes) {
    if (records.size() > UpdateBounds.RECORDS_MAX) {
      throw new IllegalArgumentException(records.size() + " updates, at most "
          + UpdateBounds.RECORDS_MAX + " are allowed");
    }
    long bytes = 0;
    NumberedUpdate before = null;
    for (NumberedUpdate record : records) {
      if (record.sequence < 1 || record.epoch < 1 || record.length < 1
          || record.length > UpdateBounds.UPDATE_BYTES_MAX || record.offset < 0
          || record.offset > unitBytes - record.length) {
        throw new IllegalArgumentException("update " + record.sequence + " of epoch "
            + record.epoch + " has " + record.length + " bytes at " + record.offset
            + " of a unit of " + unitBytes + " bytes");
      }
      if (before != null && (record.sequence - 1 != before.sequence
          || record.epoch < before.epoch)) {
        throw new IllegalArgumentException("update " + record.sequence + " of epoch "
            + record.epoch + " comes after update " + before.sequence + " of epoch "
            + before.epoch);
      }
      bytes += record.length;
      before = record;
    }
    return bytes;
  }

  static List<RecordProto> toProtos(List<NumberedUpdate> records) {
    List<RecordProto> protos = new ArrayList<>();
    for (NumberedUpdate record : records) {
      RecordProto.Builder proto = RecordProto.newBuilder()
          .setSequence(record.sequence)
          .setEpoch(record.epoch)
          .setOffset(record.offset)
          .setLength(record.length);
      if (record.origin.isNumbered()) {
        proto.setWriter(record.origin.writer).setNumber(record.origin.number);
      }
      if (record.isDelta) {
        proto.setDelta(true);
      }
      protos.add(proto.build());
    }
    return protos;
  }

  static List<NumberedUpdate> convert(List<RecordProto> protos) {
    List<NumberedUpdate> records = new ArrayList<>();
    for (RecordProto proto : protos) {
      NumberedUpdate record = new NumberedUpdate(proto.getSequence(), proto.getEpoch(),
          proto.getOffset(), proto.getLength(), Origin.of(proto.getWriter(), proto.getNumber()));
      records.add(proto.getDelta() ? record.asDelta() : record);
    }
    return records;
  }
}
