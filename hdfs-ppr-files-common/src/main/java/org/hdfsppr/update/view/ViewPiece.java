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
 * A range of a unit whose bytes updates have written. The data are these bytes, or a delta: these
 * bytes, XOR those that the unit has there in the version of the ticket. Immutable.
 */
@InterfaceAudience.Private
public final class ViewPiece {
  /** Where in the unit the piece begins */
  public final long offset;
  /** Bytes */
  public final int length;
  /** Whether the data are a delta */
  public final boolean isDelta;

  /**
   * Makes a piece whose data are the bytes.
   *
   * @param offset where in the unit the piece begins
   * @param length bytes, at least 1
   */
  public ViewPiece(long offset, int length) {
    this(offset, length, false);
  }

  /**
   * @param offset where in the unit the piece begins
   * @param length bytes, at least 1
   * @param isDelta whether the data are a delta
   */
  public ViewPiece(long offset, int length, boolean isDelta) {
    this.isDelta = isDelta;
    this.offset = offset;
    this.length = length;
  }

  /** @return where in the unit the first byte behind the piece is */
  public long end() {
    return offset + length;
  }

  @Override
  public String toString() {
    return (isDelta ? "delta " : "") + "[" + offset + "," + end() + ")";
  }
}
