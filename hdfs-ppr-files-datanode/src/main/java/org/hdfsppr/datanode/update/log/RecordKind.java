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
  /** An update: bytes that a client has written into a unit. */
  UPDATE(1),
  /**
   * A term of a unit begins. The log keeps its records of the unit, and the history goes on after
   * them.
   */
  TERM(2),
  /**
   * A term of a unit begins. The log drops its earlier updates of the unit, because the leader
   * sends its own history.
   */
  ANEW(3),
  /** A version of the file has the updates up to a commit, so that the log drops them. */
  TRIM(4),
  /**
   * All segments before the one that this record names are dropped. If a unit had records only in
   * these, its next term must be later than the term of this record.
   */
  FLOOR(5),
  /**
   * The term and the last number of a unit whose updates are all dropped. The log writes it before
   * it drops the segment with the unit's last record, so that it still knows the unit's term
   * afterwards.
   */
  MARK(6),
  /**
   * An update like {@link #UPDATE}, but its data are a delta; see
   * {@link org.hdfsppr.update.append.NumberedUpdate}. A version of hdfs-ppr that does not know this
   * kind refuses to open the log.
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
