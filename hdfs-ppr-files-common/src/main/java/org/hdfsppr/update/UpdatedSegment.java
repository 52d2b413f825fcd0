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
package org.hdfsppr.update;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A range of offsets within the units of a stripe, in which at every offset the same units have
 * changed. Immutable.
 */
@InterfaceAudience.Private
public final class UpdatedSegment {
  /** The first byte within each unit */
  public final long offset;
  /** The number of bytes */
  public final long length;
  /** The changed data units; bit i stands for unit i */
  public final long units;

  /**
   * @param offset the first byte within each unit
   * @param length the number of bytes
   * @param units the changed data units; bit i stands for unit i
   */
  UpdatedSegment(long offset, long length, long units) {
    this.offset = offset;
    this.length = length;
    this.units = units;
  }
}
