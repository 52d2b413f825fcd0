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
package org.hdfsppr.namenode.version;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The block that is a unit of the code of a {@link Make}: a unit of the old group, or a unit of the
 * new one. Immutable.
 */
@InterfaceAudience.Private
public final class MakeSlot {
  /** Whether the block belongs to the new group */
  public final boolean isNew;
  /** Index of the unit in its group, the old or the new one */
  public final int unit;

  private MakeSlot(boolean isNew, int unit) {
    this.isNew = isNew;
    this.unit = unit;
  }

  static MakeSlot old(int unit) {
    return new MakeSlot(false, unit);
  }

  static MakeSlot ofNew(int unit) {
    return new MakeSlot(true, unit);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MakeSlot && isNew == ((MakeSlot) other).isNew
        && unit == ((MakeSlot) other).unit;
  }

  @Override
  public int hashCode() {
    return 2 * unit + (isNew ? 1 : 0);
  }

  @Override
  public String toString() {
    return (isNew ? "new " : "old ") + unit;
  }
}
