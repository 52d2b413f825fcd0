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

import java.util.Objects;
import java.util.UUID;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.Origin;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateBounds;

/** The fields of a record other than its data; {@link LogFormat} encodes them. Immutable. */
final class RecordHeader {
  private static final UUID NO_FILE = new UUID(0, 0);

  final RecordKind kind;
  final UnitId unit;
  final long term;
  final long base;
  final long sequence;
  final long epoch;
  final long offset;
  final int length;
  final Origin origin;

  /**
   * Makes a header without checks; {@link #flaw} says whether the fields are valid.
   *
   * @param kind the kind of the record
   * @param unit the unit; a TRIM names unit 0 of group 0 of its file
   * @param term the term in which the record was made, from 1; 0 for a TRIM
   * @param base the number of the last update that the unit's history had when the term began. A
   *     follower that lacks some of this history gets it after the begin of the term, and has all
   *     of it once it has this update
   * @param fields the numbers of the update. Records of other kinds use these fields otherwise. The
   *     sequence of a TERM or an ANEW is the number of the update after which the history goes on,
   *     that of a FLOOR the number of the first segment that is not dropped. The offset of a MARK
   *     is the latest term of which the log has dropped updates
   */
  RecordHeader(RecordKind kind, UnitId unit, long term, long base, NumberedUpdate fields) {
    this.kind = Objects.requireNonNull(kind, "kind");
    this.unit = Objects.requireNonNull(unit, "unit");
    this.term = term;
    this.base = base;
    this.sequence = fields.sequence;
    this.epoch = fields.epoch;
    this.offset = fields.offset;
    this.length = fields.length;
    this.origin = fields.origin;
  }

  static RecordHeader begin(boolean anew, UnitId unit, long term, long base, long after) {
    return new RecordHeader(anew ? RecordKind.ANEW : RecordKind.TERM,
        unit, term, base, new NumberedUpdate(after, 0, 0, 0));
  }

  static RecordHeader trim(UUID file, long epoch) {
    return new RecordHeader(
        RecordKind.TRIM, new UnitId(file, 0, 0), 0, 0, new NumberedUpdate(0, epoch, 0, 0));
  }

  static RecordHeader floor(long term, long firstSegment) {
    return new RecordHeader(RecordKind.FLOOR,
        new UnitId(NO_FILE, 0, 0), term, 0, new NumberedUpdate(firstSegment, 0, 0, 0));
  }

  /** Returns what is wrong with the fields, or null if they are valid for a record of this kind. */
  String flaw() {
    if (!kind.isUpdate() && origin.isNumbered()) {
      return "no update, and yet " + origin;
    }
    switch (kind) {
      case UPDATE:
      case DELTA:
        if (term < 1 || sequence < 1 || epoch < 1 || base < 0) {
          return "an update with term " + term + ", number " + sequence + ", epoch " + epoch
              + " and base " + base;
        }
        if (length < 1 || length > UpdateBounds.UPDATE_BYTES_MAX || offset < 0
            || offset > UpdateBounds.UNIT_BYTES_MAX - length) {
          return "an update of " + length + " bytes at " + offset + ", where 1 to "
              + UpdateBounds.UPDATE_BYTES_MAX + " bytes within the first "
              + UpdateBounds.UNIT_BYTES_MAX + " are allowed";
        }
        return null;
      case TERM:
      case ANEW:
        return term < 1 || sequence < 0 || base < 0 || epoch != 0 || offset != 0 || length != 0
            ? "the begin of term " + term + " after " + sequence + " with base " + base
                + " and other fields" : null;
      case MARK:
        return term < 1 || sequence < 0 || base < 0 || epoch < 0 || offset < 0 || length != 0
            ? "the mark of term " + term + " after " + sequence + " with base " + base
                + ", epoch " + epoch + " and dropped term " + offset : null;
      case TRIM:
        return term != 0 || epoch < 1 || sequence != 0 || base != 0 || offset != 0 || length != 0
            || unit.group != 0 || unit.unit != 0
            ? "a trim to epoch " + epoch + " with other fields" : null;
      case FLOOR:
      default:
        return term < 0 || epoch != 0 || sequence < 1 || base != 0 || offset != 0 || length != 0
            || !unit.equals(new UnitId(NO_FILE, 0, 0))
            ? "a floor of " + term + " with other fields" : null;
    }
  }
}
