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
 * An update of a unit, with its place in the unit's history, but without its data. The data, which
 * stand elsewhere, are one of two things:
 *
 * <ul>
 * <li>the bytes that the update writes;</li>
 * <li>a <b>delta</b>: the bytes that the update writes, XOR the bytes that the unit had in the same
 * place before the first update of the same epoch.</li>
 * </ul>
 *
 * <p>The epoch of an update is the number of the commit that puts the update into a version. The
 * history of a unit is sorted by epochs: an update of a later epoch never comes before one of an
 * earlier epoch. So the history alone says which bytes the unit had before an epoch, no matter
 * whether commits have failed, or which updates a version already has.
 *
 * <p>To find the current value of a byte, a reader takes the byte of a version of the file, and
 * goes through the epochs that the version lacks, in their order. In each epoch only the last
 * update that covers the byte counts. If its data are the bytes that it writes, its byte replaces
 * the value. If its data are a delta, its byte is added to the value by XOR. The XOR is right only
 * if the value already has the updates of all earlier epochs. Immutable.
 */
@InterfaceAudience.Private
public final class NumberedUpdate {
  /** The number of the update in the history of the unit, from 1 */
  public final long sequence;
  /** The number of the commit that puts the update into a version */
  public final long epoch;
  /** The offset in the unit at which the update begins, bytes */
  public final long offset;
  /** Bytes of data */
  public final int length;
  /** The client that wrote the update, and the number that it gave the update */
  public final Origin origin;
  /** Whether the data are a delta, and not the bytes that the update writes */
  public final boolean isDelta;

  /**
   * Makes an update whose writer gave it no number ({@link Origin#NONE}).
   *
   * @param sequence the number of the update in the history of the unit, from 1
   * @param epoch the number of the commit that puts the update into a version, from 1
   * @param offset the offset in the unit at which the update begins, bytes
   * @param length bytes of data, at least 1
   */
  public NumberedUpdate(long sequence, long epoch, long offset, int length) {
    this(sequence, epoch, offset, length, Origin.NONE);
  }

  /**
   * @param sequence the number of the update in the history of the unit, from 1
   * @param epoch the number of the commit that puts the update into a version, from 1
   * @param offset the offset in the unit at which the update begins, bytes
   * @param length bytes of data, at least 1
   * @param origin the client that wrote the update, and the number that it gave the update
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

  /** @return the same update, marked as one whose data are a delta */
  public NumberedUpdate asDelta() {
    return new NumberedUpdate(sequence, epoch, offset, length, origin, true);
  }
}
