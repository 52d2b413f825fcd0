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

import org.apache.hadoop.classification.InterfaceAudience;

/** An amount of space in a log, free or needed, as bytes and as a number of records. Immutable. */
@InterfaceAudience.Private
public final class LogSpace {
  /** Nothing. */
  public static final LogSpace NONE = new LogSpace(0, 0);

  /** Bytes of records */
  public final long bytes;
  /** The number of records */
  public final int records;

  /**
   * @param bytes how many bytes the records have, at least 0
   * @param records how many records, at least 0
   */
  public LogSpace(long bytes, int records) {
    if (bytes < 0 || records < 0) {
      throw new IllegalArgumentException("Space of " + bytes + " bytes, " + records + " records");
    }
    this.bytes = bytes;
    this.records = records;
  }

  /**
   * @param other more space
   * @return both together
   */
  public LogSpace plus(LogSpace other) {
    return new LogSpace(bytes + other.bytes, records + other.records);
  }

  /**
   * @param other what is taken of this space
   * @return what is left of this space; for bytes and records each, 0 if {@code other} has more
   */
  public LogSpace minus(LogSpace other) {
    return new LogSpace(Math.max(0, bytes - other.bytes), Math.max(0, records - other.records));
  }

  /**
   * @param other another amount of space
   * @return whether this space has at least as many bytes and at least as many records
   */
  public boolean holds(LogSpace other) {
    return bytes >= other.bytes && records >= other.records;
  }

  @Override
  public String toString() {
    return bytes + " bytes, " + records + " records";
  }
}
