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
package org.hdfsppr.update.view;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A range of a unit whose bytes updates have written. The data of the piece are these bytes, or a
 * delta: these bytes, XOR the bytes that the unit has there in the version that the ticket names.
 * Immutable.
 */
@InterfaceAudience.Private
public final class ViewPiece {
  /** The offset in the unit at which the piece begins */
  public final long offset;
  /** Bytes */
  public final int length;
  /** Whether the data are a delta */
  public final boolean isDelta;

  /**
   * Makes a piece whose data are the bytes.
   *
   * @param offset the offset in the unit at which the piece begins
   * @param length bytes, at least 1
   */
  public ViewPiece(long offset, int length) {
    this(offset, length, false);
  }

  /**
   * @param offset the offset in the unit at which the piece begins
   * @param length bytes, at least 1
   * @param isDelta whether the data are a delta
   */
  public ViewPiece(long offset, int length, boolean isDelta) {
    this.isDelta = isDelta;
    this.offset = offset;
    this.length = length;
  }

  /** @return the offset in the unit of the first byte behind the piece */
  public long end() {
    return offset + length;
  }

  @Override
  public String toString() {
    return (isDelta ? "delta " : "") + "[" + offset + "," + end() + ")";
  }
}
