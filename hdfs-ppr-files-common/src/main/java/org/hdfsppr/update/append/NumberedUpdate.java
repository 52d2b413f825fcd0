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
 * An update of a unit, without its data. The data are one of two things:
 *
 * <ul>
 * <li>the bytes that the update writes;</li>
 * <li>a <b>delta</b>: these bytes, XOR the bytes that the unit had in their place before the first
 * update of the same epoch.</li>
 * </ul>
 *
 * <p>The epoch of an update is the number of the commit to which it belongs. In the history of a
 * unit, all updates of earlier epochs come before those of an epoch. The history alone therefore
 * says what the unit had before an epoch. It does not matter for that whether commits have failed,
 * or whether a version has the earlier updates by now.
 *
 * <p>The value of a byte is found from a version of the file and from the updates of those epochs
 * that the version lacks. In each of these epochs, in their order, the last update counts that has
 * written the byte. Bytes that it writes take the place of the byte. A delta is added to the byte
 * by XOR, which is right only if the byte has the updates of all earlier epochs. Immutable.
 */
@InterfaceAudience.Private
public final class NumberedUpdate {
  /** The number in the history of the unit */
  public final long sequence;
  /** The commit to which the update belongs */
  public final long epoch;
  /** Where in the unit the update begins, bytes */
  public final long offset;
  /** Bytes of data */
  public final int length;
  /** The writer, and its number of the update */
  public final Origin origin;
  /** Whether the data are a delta, and not what the update writes */
  public final boolean isDelta;

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
}
