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
package org.hdfsppr.namenode.schedule;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Assigns numbers to the resources that repairs share, so that a load is stored as two arrays. A
 * place is a node or a rack; each place has {@value #KINDS} numbers:
 *
 * <pre>
 *   place   node n: n >= 0          rack r: -1 - r
 *   number  place * KINDS + kind, so that a place's numbers follow each other
 * </pre>
 */
@InterfaceAudience.Private
public final class LinkOrDisk {
  static final int KINDS = 6;

  private static final Kind[] BY_ORDINAL = Kind.values();

  /** The kinds of resources of a place. A rack has only the links to and from the other racks. */
  public enum Kind {
    /** The link towards other nodes. */
    UP,
    /** The link from other nodes. */
    DOWN,
    /** The disks when they read. */
    READ,
    /** The disks when they write. */
    WRITE,
    /**
     * An operator's limit for the rate at which a node reads for repairs, from its disks and from
     * other nodes.
     */
    READ_LIMIT,
    /**
     * An operator's limit for the rate at which a destination writes, to its disks and to other
     * targets.
     */
    WRITE_LIMIT
  }

  private LinkOrDisk() {
  }

  /**
   * @param rack number of the rack, from 0
   * @return the place of that rack; the place of a node is its index
   */
  public static int placeOfRack(int rack) {
    return -1 - rack;
  }

  static int rackOf(int place) {
    return -1 - place;
  }

  /**
   * @param place index of a node, or a rack's place, see {@link #placeOfRack}
   * @param kind which link, disk or limit
   * @return number of that resource in a {@link RepairLoad}
   */
  public static int of(int place, Kind kind) {
    return place * KINDS + kind.ordinal();
  }

  /**
   * @param resource number of the resource
   * @return index of a node, or a rack's place
   */
  public static int place(int resource) {
    return Math.floorDiv(resource, KINDS);
  }

  /**
   * @param resource number of the resource
   * @return which link, disk or limit it is
   */
  public static Kind kind(int resource) {
    return BY_ORDINAL[Math.floorMod(resource, KINDS)];
  }
}
