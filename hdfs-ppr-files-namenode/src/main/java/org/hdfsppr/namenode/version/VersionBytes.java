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

/** What a version has cost, or would cost. Immutable. */
@InterfaceAudience.Private
public final class VersionBytes {
  /** The cost of no work. */
  public static final VersionBytes NONE = new VersionBytes(0, 0, 0, 0, 0);

  /** How many block groups were made */
  public final int groups;
  /**
   * Bytes of units that are hard links to units of the old version, so that both use the disk once
   */
  public final long linked;
  /** Bytes of units that were copied on their node, because it could not link them */
  public final long copied;
  /** Bytes of units that were calculated from other units */
  public final long made;
  /** Bytes that went from one node to another, by the plans of the makings */
  public final long moved;

  public VersionBytes(int groups, long linked, long copied, long made, long moved) {
    this.groups = groups;
    this.linked = linked;
    this.copied = copied;
    this.made = made;
    this.moved = moved;
  }

  /**
   * @param other another cost
   * @return the cost of both
   */
  public VersionBytes plus(VersionBytes other) {
    return new VersionBytes(groups + other.groups, linked + other.linked, copied + other.copied,
        made + other.made, moved + other.moved);
  }

  @Override
  public String toString() {
    return groups + " groups, " + linked + " bytes linked, " + copied + " copied, " + made
        + " made, " + moved + " moved";
  }
}
