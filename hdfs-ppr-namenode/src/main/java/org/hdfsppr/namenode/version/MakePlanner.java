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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.convert.Conversion;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;

/**
 * Plans how the units of a new group come to be, with the fewest bytes over all network links. A
 * unit with the bytes of an old unit is a link, on the node of the old unit. Any other unit is
 * made: on the node of an old parity unit, which is cheap where the new unit differs little from
 * the old one, or on a node that holds no unit of the group, in the rack with the fewest units.
 * Each unit is made by itself by the cheapest equation, or together with others from one reading:
 * one node gets k units, and sends each other node its unit.
 *
 * <p>Stock DataNodes, without the extension, are read from, but neither link nor make: a unit on
 * one of them is copied to another node. A lost unit is made from the others. Pure. Used by one
 * thread.
 */
@InterfaceAudience.Private
public final class MakePlanner {
  /** The codec of a copy: with one data unit, the parity of Reed-Solomon is that unit. */
  private static final String COPY_CODEC = "rs";
  private static final String COPY_TOPOLOGY = "star";

  private final Conversion conversion;
  private final MakeWays ways;

  /** @param conversion the change of code */
  public MakePlanner(Conversion conversion) {
    this.conversion = conversion;
    this.ways = new MakeWays(conversion.combined());
  }

  /**
   * Plans a group.
   *
   * @param group the old group
   * @param spare nodes without a unit of the group that may hold new units, preferred nodes first;
   *     nodes that do hold a unit, or that do not run the extension, are left out
   * @return the plan
   * @throws NoPlanException if the live units do not determine a unit, or if there are too few
   *     nodes; the message says which
   */
  public MakePlan plan(OldGroup group, Collection<NodeRef> spare) throws NoPlanException {
    return plan(group, spare, null, List.of());
  }

  /**
   * Plans some units of a group whose other units have their places.
   *
   * @param group see {@link #plan(OldGroup, Collection)}
   * @param spare see {@link #plan(OldGroup, Collection)}
   * @param wanted the units of the new group that are planned; null for all
   * @param taken the nodes of the other units, on which nothing is placed
   * @return the plan of these units
   * @throws NoPlanException see {@link #plan(OldGroup, Collection)}
   */
  public MakePlan plan(OldGroup group, Collection<NodeRef> spare, Collection<Integer> wanted,
      Collection<NodeRef> taken) throws NoPlanException {
    return new Planning(group, spare, taken).plan(wanted);
  }

  /** The planning of one group. */
  private final class Planning {
    private final OldGroup group;
    /** The node of each live unit of the old group. */
    private final Map<Integer, NodeRef> live = new TreeMap<>();
    private final List<NodeRef> spare = new ArrayList<>();
    private final Map<Integer, UnitPlace> places = new TreeMap<>();
    /** The nodes that hold a unit of the new group. */
    private final Set<NodeRef> taken = new HashSet<>();
    private final List<Make> makes = new ArrayList<>();

    Planning(OldGroup group, Collection<NodeRef> spare, Collection<NodeRef> taken) {
      this.group = group;
      this.taken.addAll(taken);
      Set<NodeRef> holders = new HashSet<>();
      for (Holder holder : group.live) {
        holders.add(holder.node);
        if (holder.unit < 0 || holder.unit >= conversion.from().units()) {
          throw new IllegalArgumentException("unit " + holder.unit + " of "
              + conversion.from());
        }
        live.merge(holder.unit, holder.node,
            (first, other) -> first.runsExtension() || !other.runsExtension() ? first : other);
      }
      spare.stream().filter(node -> node.runsExtension() && !holders.contains(node)).distinct()
          .forEach(this.spare::add);
    }

    MakePlan plan(Collection<Integer> wanted) throws NoPlanException {
      List<Integer> made = new ArrayList<>();
      for (int unit = 0; unit < conversion.to().units(); unit++) {
        if (group.isEmpty(unit, conversion.to().dataUnits())
            || wanted != null && !wanted.contains(unit)) {
          continue;
        }
        NodeRef node = live.get(conversion.linkedFrom(unit));
        if (node != null && node.runsExtension() && taken.add(node)) {
          places.put(unit, new UnitPlace(unit, node, conversion.linkedFrom(unit)));
        } else {
          made.add(unit);
        }
      }
      List<Integer> copied = made.stream()
          .filter(unit -> live.containsKey(conversion.linkedFrom(unit)))
          .collect(Collectors.toList());
      made.removeAll(copied);
      placeAtParities(made);
      for (List<Integer> units : List.of(made, copied)) {
        for (int unit : units) {
          if (!places.containsKey(unit)) {
            places.put(unit, new UnitPlace(unit, spareNode(unit), UnitPlace.NONE));
          }
        }
      }
      copied.forEach(this::copy);
      make(made);
      return new MakePlan(new ArrayList<>(places.values()), makes);
    }

    /**
     * Places units on nodes of old parity units: the cheapest pair of unit and old parity first.
     */
    private void placeAtParities(List<Integer> made) {
      List<int[]> pairs = new ArrayList<>();
      for (int unit : made) {
        for (Map.Entry<Integer, NodeRef> held : live.entrySet()) {
          if (held.getKey() >= conversion.from().dataUnits() && held.getValue().runsExtension()) {
            pairs.add(new int[] {unit, held.getKey()});
          }
        }
      }
      Map<int[], Double> costs = new HashMap<>();
      for (int[] pair : pairs) {
        costs.put(pair, ways.alone(index(pair[0]), local(live.get(pair[1])), readable())
            .map(way -> way.unitsMoved).orElse(Double.MAX_VALUE));
      }
      pairs.sort(Comparator.<int[]>comparingDouble(costs::get)
          .thenComparingInt(pair -> pair[0] == pair[1] ? 0 : 1)
          .thenComparingInt(pair -> pair[0]));
      for (int[] pair : pairs) {
        NodeRef node = live.get(pair[1]);
        if (!places.containsKey(pair[0]) && taken.add(node)) {
          places.put(pair[0], new UnitPlace(pair[0], node, UnitPlace.NONE));
        }
      }
    }

    private NodeRef spareNode(int unit) throws NoPlanException {
      Map<String, Long> inRack = taken.stream()
          .collect(Collectors.groupingBy(ref -> ref.rack, Collectors.counting()));
      NodeRef node = spare.stream().filter(candidate -> !taken.contains(candidate))
          .min(Comparator.comparing(candidate -> inRack.getOrDefault(candidate.rack, 0L)))
          .orElseThrow(() -> new NoPlanException("No node is left for unit " + unit + " of "
              + conversion.to() + ": all DataNodes with the plugin hold a unit of the group"));
      taken.add(node);
      return node;
    }

    /** Copies a unit from a node that cannot link. */
    private void copy(int unit) {
      int from = conversion.linkedFrom(unit);
      makes.add(new Make(COPY_CODEC, 1, List.of(MakeSlot.old(from), MakeSlot.ofNew(unit)),
          List.of(new Holder(1, places.get(unit).node)),
          List.of(new Holder(0, live.get(from))), COPY_TOPOLOGY, true, 1));
    }

    /** Makes some units together, the ones that cost most alone, and each other unit by itself. */
    private void make(List<Integer> made) throws NoPlanException {
      Map<Integer, Make> alone = new LinkedHashMap<>();
      for (int unit : made) {
        alone.put(unit, makeOf(List.of(unit)));
      }
      List<Integer> dearest = new ArrayList<>(made);
      dearest.sort(Comparator.comparingDouble(unit -> -alone.get(unit).unitsMoved));
      List<Make> best = new ArrayList<>(alone.values());
      for (int together = 2; together <= dearest.size(); together++) {
        List<Integer> joint = dearest.subList(0, together);
        List<Make> candidate = new ArrayList<>();
        candidate.add(makeOf(joint));
        alone.forEach((unit, make) -> {
          if (!joint.contains(unit)) {
            candidate.add(make);
          }
        });
        if (sum(candidate) < sum(best)) {
          best = candidate;
        }
      }
      makes.addAll(best);
    }

    private double sum(List<Make> all) {
      return all.stream().mapToDouble(make -> make.unitsMoved).sum();
    }

    /** Returns the cheapest order that makes these units from one reading. */
    private Make makeOf(List<Integer> units) throws NoPlanException {
      Make best = null;
      long bestFar = 0;
      for (int leader : units) {
        NodeRef node = places.get(leader).node;
        int[] local = local(node);
        int[] lost = units.stream().mapToInt(this::index).toArray();
        MakeWays.Way way = (units.size() == 1 ? ways.alone(lost[0], local, readable())
            : ways.together(lost, local, readable())).orElseThrow(() ->
                new NoPlanException("Units " + live.keySet() + " of a group under "
                    + conversion.from() + " do not determine units " + units + " under "
                    + conversion.to() + ". Wait until the group is repaired"));
        double moved = way.unitsMoved + units.size() - 1;
        long far = Arrays.stream(way.order()).limit(way.needed)
            .mapToObj(this::holder).filter(held -> !held.rack.equals(node.rack)).count();
        if (best == null || moved < best.unitsMoved
            || moved == best.unitsMoved && far < bestFar) {
          List<Holder> targets = new ArrayList<>();
          targets.add(new Holder(index(leader), node));
          units.stream().filter(unit -> unit != leader).forEach(unit ->
              targets.add(new Holder(index(unit), places.get(unit).node)));
          best = new Make(conversion.codecName(), conversion.combined().dataUnits(), slots(units),
              targets, helpers(way, node), way.topology, way.byDecoding, moved);
          bestFar = far;
        }
      }
      return best;
    }

    /** Lists the helpers, those that the way uses rack by rack, the leader's rack first. */
    private List<Holder> helpers(MakeWays.Way way, NodeRef leader) {
      List<Holder> used = new ArrayList<>();
      List<Holder> others = new ArrayList<>();
      int[] order = way.order();
      for (int i = 0; i < order.length; i++) {
        (i < way.needed ? used : others).add(new Holder(order[i], holder(order[i])));
      }
      List<String> racks = new ArrayList<>();
      racks.add(leader.rack);
      used.forEach(helper -> racks.add(helper.node.rack));
      if (way.isInAnyOrder()) {
        used.sort(Comparator.comparingInt(helper -> racks.indexOf(helper.node.rack)));
      }
      others.sort(Comparator.comparing(helper -> !helper.node.runsExtension()));
      used.addAll(others);
      return used;
    }

    private List<MakeSlot> slots(List<Integer> units) {
      MakeSlot[] slots = new MakeSlot[conversion.combined().units()];
      for (int unit = 0; unit < conversion.from().units(); unit++) {
        if (conversion.oldUnit(unit) != Conversion.NONE) {
          slots[conversion.oldUnit(unit)] = MakeSlot.old(unit);
        }
      }
      int k = conversion.to().dataUnits();
      IntStream.range(k, conversion.to().units())
          .forEach(unit -> slots[conversion.newUnit(unit)] = MakeSlot.ofNew(unit));
      // A lost data unit gets the slot of the block that takes its place.
      units.stream().filter(unit -> unit < k)
          .forEach(unit -> slots[unit] = MakeSlot.ofNew(unit));
      return Arrays.asList(slots);
    }

    private int index(int unit) {
      return conversion.newUnit(unit);
    }

    private NodeRef holder(int index) {
      return live.get(IntStream.range(0, conversion.from().units())
          .filter(unit -> conversion.oldUnit(unit) == index).findFirst().getAsInt());
    }

    /** Lists the units of the combined code that a node holds. */
    private int[] local(NodeRef node) {
      return live.entrySet().stream().filter(held -> held.getValue().equals(node))
          .mapToInt(held -> conversion.oldUnit(held.getKey()))
          .filter(index -> index != Conversion.NONE).toArray();
    }

    private MakeWays.Readable readable() {
      int[] zeros = IntStream.range(0, conversion.from().dataUnits())
          .filter(unit -> group.isEmpty(unit, conversion.from().dataUnits())).toArray();
      // A stock read returns a whole unit from its beginning to its end, and no sub-chunks.
      return new MakeWays.Readable(zeros, held(true),
          conversion.combined().subChunks() == 1 ? held(false) : new int[0]);
    }

    /** Lists the units of the combined code that nodes with, or without, the extension hold. */
    private int[] held(boolean runsExtension) {
      return live.entrySet().stream()
          .filter(held -> held.getValue().runsExtension() == runsExtension)
          .mapToInt(held -> conversion.oldUnit(held.getKey()))
          .filter(index -> index != Conversion.NONE).toArray();
    }
  }
}
