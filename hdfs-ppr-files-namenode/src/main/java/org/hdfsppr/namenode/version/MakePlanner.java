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
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.coder.code.RepairOption;
import org.hdfsppr.coder.convert.Conversion;
import org.hdfsppr.coder.gf.GfMatrix;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/**
 * Plans how the units of a new group are linked or made, with as few bytes as possible over the
 * network. A unit with the bytes of an old unit is a link, on the node of the old unit. Any other
 * unit is made. It may be made on the node of an old parity unit, which moves few bytes if the new
 * unit differs little from the old one. Otherwise it is made on a node that holds no unit of the
 * group, in the rack with the fewest units. A unit is made by itself, by the equation that moves
 * the fewest bytes, or together with other units: then one node reads k units once, and sends each
 * other node its unit.
 *
 * <p>DataNodes without this extension can be read from, but neither link nor make units. A unit on
 * one of them is copied to another node. A lost unit is made from the others. Depends on nothing
 * but its parameters. Used by one thread.
 */
@InterfaceAudience.Private
public final class MakePlanner {
  /**
   * Codec by which a unit is copied: in Reed-Solomon with one data unit, the parity unit equals the
   * data unit.
   */
  private static final String COPY_CODEC = "rs";
  private static final String COPY_TOPOLOGY = "star";

  private final Conversion conversion;
  private final MakeWays ways;

  /** @param conversion how units of the new code come from units of the old one */
  public MakePlanner(Conversion conversion) {
    this.conversion = conversion;
    this.ways = new MakeWays(conversion.combined());
  }

  /**
   * Plans a group.
   *
   * @param group the old group
   * @param spare nodes that may hold new units, preferred nodes first; the planner leaves out nodes
   *     that hold a unit of the group, and nodes that do not run the extension
   * @return the plan
   * @throws NoPlanException if the live units do not determine a unit, or if there are too few
   *     nodes; the message says which
   */
  public MakePlan plan(OldGroup group, Collection<NodeRef> spare) throws NoPlanException {
    return plan(group, spare, null, List.of());
  }

  /**
   * Plans some units of a group whose other units are on their nodes already.
   *
   * @param group see {@link #plan(OldGroup, Collection)}
   * @param spare see {@link #plan(OldGroup, Collection)}
   * @param wanted the units of the new group that are planned; null for all
   * @param taken the nodes of the other units, on which no further unit is placed
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
      for (UnitHolder holder : group.live) {
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
     * Places new units on nodes of old parity units. The pair of a new unit and an old parity unit
     * that moves the fewest bytes comes first.
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

    /** Plans a copy of a unit from a node that cannot link. */
    private void copy(int unit) {
      int from = conversion.linkedFrom(unit);
      makes.add(new Make(COPY_CODEC, 1, List.of(MakeSlot.old(from), MakeSlot.ofNew(unit)),
          List.of(new UnitHolder(1, places.get(unit).node)),
          List.of(new UnitHolder(0, live.get(from))), new Make.Route(COPY_TOPOLOGY, true, 1)));
    }

    /**
     * Plans to make some units together, namely those that move the most bytes alone, and each of
     * the others by itself.
     */
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

    /**
     * Returns the order that makes these units together from one reading, and that moves the fewest
     * bytes.
     */
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
          List<UnitHolder> targets = new ArrayList<>();
          targets.add(new UnitHolder(index(leader), node));
          units.stream().filter(unit -> unit != leader).forEach(unit ->
              targets.add(new UnitHolder(index(unit), places.get(unit).node)));
          best = new Make(conversion.codecName(), conversion.combined().dataUnits(), slots(units),
              targets, helpers(way, node),
              new Make.Route(way.topology, way.byDecoding, moved));
          bestFar = far;
        }
      }
      return best;
    }

    /**
     * Lists the helpers. First come those that the way uses, rack by rack, beginning with the
     * leader's rack; then the others.
     */
    private List<UnitHolder> helpers(MakeWays.Way way, NodeRef leader) {
      List<UnitHolder> used = new ArrayList<>();
      List<UnitHolder> others = new ArrayList<>();
      int[] order = way.order();
      for (int i = 0; i < order.length; i++) {
        (i < way.needed ? used : others).add(new UnitHolder(order[i], holder(order[i])));
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
      // If a lost data unit is made, its slot names the new block.
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

    /** Returns the units of the combined code that a node holds. */
    private int[] local(NodeRef node) {
      return live.entrySet().stream().filter(held -> held.getValue().equals(node))
          .mapToInt(held -> conversion.oldUnit(held.getKey()))
          .filter(index -> index != Conversion.NONE).toArray();
    }

    private MakeWays.Readable readable() {
      int[] zeros = IntStream.range(0, conversion.from().dataUnits())
          .filter(unit -> group.isEmpty(unit, conversion.from().dataUnits())).toArray();
      // A stock DataNode can send whole units, but not single sub-chunks of them.
      return new MakeWays.Readable(zeros, held(true),
          conversion.combined().subChunks() == 1 ? held(false) : new int[0]);
    }

    /**
     * Returns the units of the combined code that are on nodes with the extension, or on nodes
     * without it.
     */
    private int[] held(boolean runsExtension) {
      return live.entrySet().stream()
          .filter(held -> held.getValue().runsExtension() == runsExtension)
          .mapToInt(held -> conversion.oldUnit(held.getKey()))
          .filter(index -> index != Conversion.NONE).toArray();
    }
  }

  /**
   * Finds the ways to make units of a combined code, and how many units each way moves. A way is
   * either the first recipe of the code for which all units can be read, or a sequence of the units
   * that can be read: then the making node decodes from the first ones that suffice. The node
   * always takes units that are zeros, and units on its own disks, before all others, and those of
   * nodes without the extension last.
   *
   * <p>The ways depend only on which units can be read, and which of them are on the making node.
   * That is the same for nearly all groups of a file, so that this class remembers the ways that it
   * has found. Used by one thread.
   */
  static final class MakeWays {
    /**
     * Name of a tree that is a chain: each node adds its share to the sum that it receives, and
     * sends the sum on.
     */
    private static final String CHAIN = "rack";
    private static final String STAR = "star";
    /**
     * How many ways are remembered at most. The groups of healthy files need some dozens. A way
     * takes some hundred bytes.
     */
    private static final int REMEMBERED_MOST = 4096;

    private final LinearCode code;
    private final Map<String, Optional<Way>> remembered = new HashMap<>();

    MakeWays(LinearCode code) {
      this.code = code;
    }

    /**
     * Returns the way to make one unit that moves the fewest units; empty if the units that can be
     * read do not determine it.
     */
    Optional<Way> alone(int unit, int[] local, Readable readable) {
      int[] lost = {unit};
      return remember("alone", lost, local, readable, () -> {
        int[] plain = order(lost, local, readable);
        List<RepairOption> options = code.repairOptions(lost, withZeros(readable, plain));
        Way best = null;
        for (int i = 0; i < options.size(); i++) {
          RepairEquation equation = options.get(i).equation();
          boolean isRecipe = !options.get(i).name().equals(RepairOption.DECODE);
          int[] preferred = preferring(equation.helperUnits(), plain, local, readable);
          Way way = i == 0 && isRecipe && isSent(equation, preferred)
              ? way(equation, false, local, readable, preferred)
              : decoding(lost, local, readable, preferred);
          if (best == null || way.unitsMoved < best.unitsMoved) {
            best = way;
          }
        }
        return Optional.ofNullable(best);
      });
    }

    /**
     * Puts the units that an equation reads before the others, as far as the making node can follow
     * that sequence.
     */
    private static int[] preferring(int[] read, int[] plain, int[] local, Readable readable) {
      List<Integer> order = Arrays.stream(plain).boxed().collect(Collectors.toList());
      order.sort(Comparator.<Integer>comparingInt(unit -> contains(local, unit) ? 0
              : contains(readable.stock, unit) ? 2 : 1)
          .thenComparing(unit -> !contains(read, unit)));
      return order.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Returns the way to make several units at one node, which reads once and sends the units on;
     * empty if the units that can be read do not determine them.
     */
    Optional<Way> together(int[] lost, int[] local, Readable readable) {
      return remember("together", lost, local, readable, () -> {
        int[] order = order(lost, local, readable);
        return code.decodable(lost, withZeros(readable, order))
            ? Optional.of(decoding(lost, local, readable, order)) : Optional.empty();
      });
    }

    private Optional<Way> remember(String kind, int[] lost, int[] local, Readable readable,
        Search search) {
      String key = kind + Arrays.toString(lost) + Arrays.toString(local)
          + Arrays.toString(readable.zeros) + Arrays.toString(readable.held)
          + Arrays.toString(readable.stock);
      Optional<Way> known = remembered.get(key);
      if (known == null) {
        known = search.search();
        if (remembered.size() >= REMEMBERED_MOST) {
          remembered.clear();
        }
        remembered.put(key, known);
      }
      return known;
    }

    /** Returns the units that can be read, those on the making node first. */
    private static int[] order(int[] lost, int[] local, Readable readable) {
      int[] held = IntStream.concat(Arrays.stream(readable.held), Arrays.stream(readable.stock))
          .filter(unit -> !contains(lost, unit)).toArray();
      return IntStream.concat(Arrays.stream(held).filter(unit -> contains(local, unit)),
          Arrays.stream(held).filter(unit -> !contains(local, unit))).toArray();
    }

    private static int[] withZeros(Readable readable, int[] order) {
      return IntStream.concat(Arrays.stream(readable.zeros), Arrays.stream(order)).toArray();
    }

    private static boolean contains(int[] units, int unit) {
      return Arrays.stream(units).anyMatch(other -> other == unit);
    }

    /**
     * Returns the way in which a node decodes from the first units of a sequence that suffice, with
     * the number of units that it moves.
     */
    private Way decoding(int[] lost, int[] local, Readable readable, int[] order) {
      RepairEquation zerosFirst = solve(lost, withZeros(readable, order));
      // If units of zeros alone suffice, the node needs another unit all the same. Then units that
      // can be read come first.
      RepairEquation equation = isSent(zerosFirst, order) ? zerosFirst
          : solve(lost, IntStream.concat(Arrays.stream(order), Arrays.stream(readable.zeros))
              .toArray());
      return way(equation, true, local, readable, order);
    }

    private RepairEquation solve(int[] lost, int[] units) {
      return code.solve(lost, code.subChunksOf(units)).orElseThrow(() -> new IllegalStateException(
          code + ": " + Arrays.toString(units) + " do not determine " + Arrays.toString(lost)));
    }

    private static boolean isSent(RepairEquation equation, int[] order) {
      return Arrays.stream(equation.helperUnits()).anyMatch(unit -> contains(order, unit));
    }

    private Way way(RepairEquation equation, boolean byDecoding, int[] local, Readable readable,
        int[] order) {
      int[] remote = Arrays.stream(equation.helperUnits())
          .filter(unit -> contains(order, unit) && !contains(local, unit)).toArray();
      int[] own = Arrays.stream(order).filter(unit -> contains(local, unit)).toArray();
      double moved = Conversion.rowsMoved(equation, IntStream.concat(
          Arrays.stream(local), Arrays.stream(readable.zeros)).toArray())
          / (double) code.subChunks();
      if (equation.lostUnits().length > 1) {
        // Another node has to read the unit from the stock DataNode and pass it on, which moves the
        // unit once more.
        moved += Arrays.stream(remote).filter(unit -> contains(readable.stock, unit)).count();
      }
      int[] used = IntStream.concat(Arrays.stream(own), Arrays.stream(remote)).toArray();
      return new Way(
          IntStream.concat(Arrays.stream(used), Arrays.stream(order)).distinct().toArray(),
          used.length, byDecoding, moved, addsUp(equation, remote) ? CHAIN : STAR,
          !byDecoding || isIndependent(withZeros(readable, used)));
    }

    /**
     * Returns whether the sum of the shares of all remote nodes has no more rows than each single
     * share.
     */
    private static boolean addsUp(RepairEquation equation, int[] remote) {
      if (remote.length == 0) {
        return true;
      }
      int[] columns = IntStream.range(0, equation.helpers().size())
          .filter(h -> contains(remote, equation.helpers().get(h).unit())).toArray();
      int all = equation.coefficients().columns(columns).rank();
      return Arrays.stream(remote)
          .allMatch(unit -> equation.coefficientsOf(unit).rank() == all);
    }

    /** Returns whether no unit depends on the others, so that their sequence does not matter. */
    private boolean isIndependent(int[] units) {
      int s = code.subChunks();
      GfMatrix rows = code.generator().rows(Arrays.stream(units).flatMap(unit ->
          IntStream.range(unit * s, (unit + 1) * s)).toArray());
      return rows.rows() <= rows.columns() && rows.rank() == rows.rows();
    }

    /** A search for a way. */
    @FunctionalInterface
    private interface Search {
      Optional<Way> search();
    }

    /** The units of the combined code whose bytes a making node can get. Immutable. */
    static final class Readable {
      private final int[] zeros;
      private final int[] held;
      private final int[] stock;

      /**
       * @param zeros units that have only zeros, so that they need not be read
       * @param held units on nodes with the extension, preferred units first
       * @param stock units on nodes without the extension
       */
      Readable(int[] zeros, int[] held, int[] stock) {
        this.zeros = zeros.clone();
        this.held = held.clone();
        this.stock = stock.clone();
      }
    }

    /** A way to make units. Immutable. */
    static final class Way {
      private final int[] order;
      final int needed;
      /**
       * Whether the node decodes from the first units of {@link #order} that suffice. If false, it
       * uses the first recipe of the code for which all units can be read.
       */
      final boolean byDecoding;
      /** How many units cross network links in all. */
      final double unitsMoved;
      final String topology;
      private final boolean anyOrder;

      Way(int[] order, int needed, boolean byDecoding, double unitsMoved, String topology,
          boolean anyOrder) {
        this.order = order;
        this.needed = needed;
        this.byDecoding = byDecoding;
        this.unitsMoved = unitsMoved;
        this.topology = topology;
        this.anyOrder = anyOrder;
      }

      /** Returns the units that can be read; the first {@link #needed} ones suffice. */
      int[] order() {
        return order.clone();
      }

      /** Returns whether the needed units may be put into another sequence. */
      boolean isInAnyOrder() {
        return anyOrder;
      }
    }
  }
}
