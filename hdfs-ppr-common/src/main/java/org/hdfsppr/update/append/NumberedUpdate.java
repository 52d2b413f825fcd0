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

/**
 * An update of a unit, without its data. The data are what the update writes, or a <b>delta</b>:
 * what it writes, XOR what the unit had there before the first update of the same epoch, by the
 * unit's history. All updates of earlier epochs come before those of an epoch, so that every node
 * that knows the history means the same bytes, also if a commit fails, or if another version has
 * the earlier updates by now. For a byte of the unit, let the last update of each epoch count that
 * has written it, in the order of the epochs. Then what such an update writes takes the place of
 * the byte, and a delta is added to it; the first one to that of a version with all updates before.
 * Immutable.
 */
@InterfaceAudience.Private
public final class NumberedUpdate {
  private final long sequence;
  private final long epoch;
  private final long offset;
  private final int length;
  private final Origin origin;
  private final boolean isDelta;

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
    this(sequence, epoch, offset, length, origin, false);
  }

  private NumberedUpdate(long sequence, long epoch, long offset, int length, Origin origin,
      boolean isDelta) {
    this.isDelta = isDelta;
    this.origin = Objects.requireNonNull(origin, "origin");
    this.sequence = sequence;
    this.epoch = epoch;
    this.offset = offset;
    this.length = length;
  }

  /** @return the same update, whose data are a delta */
  public NumberedUpdate asDelta() {
    return new NumberedUpdate(sequence, epoch, offset, length, origin, true);
  }

  /** @return whether the data are a delta, and not what the update writes */
  public boolean isDelta() {
    return isDelta;
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
