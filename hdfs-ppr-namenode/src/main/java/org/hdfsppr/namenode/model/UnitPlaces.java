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
package org.hdfsppr.namenode.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.UnitHolder;

/**
 * A set of places: which node has which unit of a group. It is small enough to be kept for many
 * groups, because a place is one number with the unit in its upper half and a hash of the node in
 * its lower half. Two nodes rarely have the same hash. Immutable.
 */
@InterfaceAudience.Private
public final class UnitPlaces {
  /** The set with no places. */
  public static final UnitPlaces NONE = new UnitPlaces(LongStream.empty());

  private final long[] places;

  private UnitPlaces(LongStream places) {
    this.places = places.sorted().distinct().toArray();
  }

  static UnitPlaces of(Collection<UnitHolder> holders) {
    return new UnitPlaces(holders.stream()
        .mapToLong(holder -> (long) holder.unit << 32 | node(holder.node.uuid)));
  }

  private static long node(String uuid) {
    return uuid.hashCode() & 0xffffffffL;
  }

  private static long node(long place) {
    return place & 0xffffffffL;
  }

  private static int unit(long place) {
    return (int) (place >> 32);
  }

  private UnitPlaces only(LongPredicate wanted) {
    return new UnitPlaces(Arrays.stream(places).filter(wanted));
  }

  private boolean has(long place) {
    return Arrays.binarySearch(places, place) >= 0;
  }

  /**
   * @param uuids UUIDs of DataNodes
   * @return the places on these nodes
   */
  public UnitPlaces at(Collection<String> uuids) {
    return only(place -> uuids.stream().anyMatch(uuid -> node(uuid) == node(place)));
  }

  /**
   * Returns the places of some units. Leaves out units that several nodes have, because it is not
   * known from which of these nodes the unit was read.
   *
   * @param units indices of the units
   * @return the places
   */
  public UnitPlaces ofUnits(Collection<Integer> units) {
    return only(place -> units.contains(unit(place))
        && Arrays.stream(places).filter(other -> unit(other) == unit(place)).count() == 1);
  }

  /** Returns the places of the units that have at least one place in {@code others}. */
  UnitPlaces ofUnitsIn(UnitPlaces others) {
    return only(place ->
        Arrays.stream(others.places).anyMatch(other -> unit(other) == unit(place)));
  }

  /** Returns the places on nodes that have no place in {@code others}. */
  UnitPlaces notOnNodesOf(UnitPlaces others) {
    return only(place ->
        Arrays.stream(others.places).noneMatch(other -> node(other) == node(place)));
  }

  /**
   * @param others the places to add
   * @return the places of both sets
   */
  public UnitPlaces plus(UnitPlaces others) {
    return new UnitPlaces(LongStream.concat(Arrays.stream(places), Arrays.stream(others.places)));
  }

  /**
   * @param others the places to leave out
   * @return the places of this set that are not in {@code others}
   */
  public UnitPlaces without(UnitPlaces others) {
    return only(place -> !others.has(place));
  }

  /** @return whether the set has no places */
  public boolean isEmpty() {
    return places.length == 0;
  }

  /**
   * @param uuid the DataNode's UUID
   * @return whether the node has any unit
   */
  public boolean hasNode(String uuid) {
    return Arrays.stream(places).anyMatch(place -> node(place) == node(uuid));
  }

  /**
   * Returns the nodes of this set that {@code byHash} contains.
   *
   * @param <T> what describes a node
   * @param byHash descriptions of nodes, each by the hash code of the node's UUID
   * @return the nodes that have a place in this set, each once, in the order of the units
   */
  public <T> List<T> lookUp(Map<Integer, T> byHash) {
    List<T> found = new ArrayList<>();
    for (long place : places) {
      T node = byHash.get((int) place);
      if (node != null && !found.contains(node)) {
        found.add(node);
      }
    }
    return found;
  }

  /**
   * Visits all places, in the order of the units.
   *
   * @param visitor takes the unit's index and the hash code of the UUID of the unit's node
   */
  public void forEach(BiConsumer<Integer, Integer> visitor) {
    for (long place : places) {
      visitor.accept(unit(place), (int) place);
    }
  }

  /**
   * @param others the places to look for
   * @return whether this set has every place of the other set
   */
  public boolean hasAllOf(UnitPlaces others) {
    return Arrays.stream(others.places).allMatch(this::has);
  }
}
