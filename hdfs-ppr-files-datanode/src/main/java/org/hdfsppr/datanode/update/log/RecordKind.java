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

/** The kinds of records of a log. Their numbers are on disks and never change. */
enum RecordKind {
  /** Bytes of a unit. */
  UPDATE(1),
  /** A term begins, and continues the unit's history. */
  TERM(2),
  /** A term begins, and the unit's earlier records are void. */
  ANEW(3),
  /** The updates of a file up to an epoch are in the file's version. */
  TRIM(4),
  /**
   * All segments before one are dropped. A unit that had records only in these may begin again only
   * in a later term than that of this record.
   */
  FLOOR(5),
  /**
   * The position of a unit whose updates are all dropped. It is written before the segment with the
   * unit's last record is dropped, so that the log still knows the unit's term.
   */
  MARK(6),
  /**
   * An update, as {@link #UPDATE}, whose data are a delta; see {@link
   * org.hdfsppr.update.append.NumberedUpdate}. Versions of hdfs-ppr that do not know this kind
   * refuse the log.
   */
  DELTA(7);

  final int number;

  RecordKind(int number) {
    this.number = number;
  }

  boolean isUpdate() {
    return this == UPDATE || this == DELTA;
  }

  /** Returns the kind of a number, or null. */
  static RecordKind ofNumber(int number) {
    for (RecordKind kind : values()) {
      if (kind.number == number) {
        return kind;
      }
    }
    return null;
  }
}
