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

import java.util.List;
import org.hdfsppr.namenode.schedule.LinkLoads;

/**
 * An order that was given for units of the new group, with the index that its result uses for each
 * of them. Immutable.
 */
final class GivenOrder {
  final List<Integer> units;
  final List<Integer> names;
  /** The links that the order makes; null if the order makes units. */
  final NodeLinks links;
  /** The units that the order makes; null if it makes links. */
  final Make make;
  private final LinkLoads.Booking booking;

  private GivenOrder(List<Integer> units, List<Integer> names, NodeLinks links, Make make,
      LinkLoads.Booking booking) {
    this.units = units;
    this.names = names;
    this.links = links;
    this.make = make;
    this.booking = booking;
  }

  static GivenOrder ofLinks(List<Integer> units, List<Integer> names, NodeLinks links) {
    return new GivenOrder(units, names, links, null, null);
  }

  /**
   * @param booking what the making takes of the network links; null if the order only confirms
   *     units that were made before
   */
  static GivenOrder ofMake(List<Integer> units, List<Integer> names, Make make,
      LinkLoads.Booking booking) {
    return new GivenOrder(units, names, null, make, booking);
  }

  /**
   * Returns whether the order makes blocks, and not only links or confirmations. It may send these
   * blocks to other nodes.
   */
  boolean isMaking() {
    return make != null && booking != null;
  }

  void end() {
    if (booking != null) {
      booking.end();
    }
  }
}
