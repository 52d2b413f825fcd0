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

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** An update of a unit, without its data. Immutable. */
@InterfaceAudience.Private
public final class NumberedUpdate {
  private final long sequence;
  private final long epoch;
  private final long offset;
  private final int length;
  private final Origin origin;

  /**
   * Makes an update without an origin.
   *
   * @param sequence the number in the history of the unit, from 1
   * @param epoch the commit to which the update belongs, from 1
   * @param offset where in the unit the update begins, bytes
   * @param length bytes of data, at least 1
   */
  public NumberedUpdate(long sequence, long epoch, long offset, int length) {
    this(sequence, epoch, offset, length, Origin.NONE);
  }

  /**
   * @param sequence the number in the history of the unit, from 1
   * @param epoch the commit to which the update belongs, from 1
   * @param offset where in the unit the update begins, bytes
   * @param length bytes of data, at least 1
   * @param origin the writer, and its number of the update
   */
  public NumberedUpdate(long sequence, long epoch, long offset, int length, Origin origin) {
    this.origin = Objects.requireNonNull(origin, "origin");
    this.sequence = sequence;
    this.epoch = epoch;
    this.offset = offset;
    this.length = length;
  }

  /** @return the number in the history of the unit */
  public long sequence() {
    return sequence;
  }

  /** @return the commit to which the update belongs */
  public long epoch() {
    return epoch;
  }

  /** @return where in the unit the update begins, bytes */
  public long offset() {
    return offset;
  }

  /** @return bytes of data */
  public int length() {
    return length;
  }

  /** @return the writer, and its number of the update */
  public Origin origin() {
    return origin;
  }
}
