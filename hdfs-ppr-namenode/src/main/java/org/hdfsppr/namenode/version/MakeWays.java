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

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.coder.code.RepairOption;
import org.hdfsppr.coder.convert.Conversion;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * The ways to make units of a combined code, with what they move. A way is the code's first recipe
 * that works, or an order of the units that can be read: the making node decodes from the first
 * ones that suffice. It always takes the units that are zeros and those of its own before all
 * others, and those of nodes without the extension last.
 *
 * <p>The ways depend only on which units are readable and which are local. Nearly all groups of a
 * file have the same ones, so that the search remembers them. Used by one thread.
 */
@InterfaceAudience.Private
final class MakeWays {
  /** A chain, in which each link carries the sum of all shares beyond it. */
  private static final String CHAIN = "rack";
  private static final String STAR = "star";
  /**
   * The most ways in memory. The groups of healthy files need some dozens. A way has some hundred
   * bytes.
   */
  private static final int REMEMBERED_MOST = 4096;

  private final LinearCode code;
  private final Map<String, Optional<Way>> remembered = new HashMap<>();

  MakeWays(LinearCode code) {
    this.code = code;
  }

  /** Returns the way to make one unit that moves least; empty if the others do not determine it. */
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

  /** Puts the units that an equation reads before others, as far as the making node lets it. */
  private static int[] preferring(int[] read, int[] plain, int[] local, Readable readable) {
    List<Integer> order = Arrays.stream(plain).boxed().collect(Collectors.toList());
    order.sort(Comparator.<Integer>comparingInt(unit -> contains(local, unit) ? 0
            : contains(readable.stock, unit) ? 2 : 1)
        .thenComparing(unit -> !contains(read, unit)));
    return order.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns the way to make several units from one reading, at a node that sends them on. */
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

  /** Lists the units that can be read, local ones first. */
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

  /** Prices the decoding from the first units of an order that suffice. */
  private Way decoding(int[] lost, int[] local, Readable readable, int[] order) {
    RepairEquation zerosFirst = solve(lost, withZeros(readable, order));
    // If zeros alone suffice, a unit has to be sent all the same: then readable units come first.
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
      // Another node reads the unit from the stock node and passes it on, which moves it once more.
      moved += Arrays.stream(remote).filter(unit -> contains(readable.stock, unit)).count();
    }
    int[] used = IntStream.concat(Arrays.stream(own), Arrays.stream(remote)).toArray();
    return new Way(
        IntStream.concat(Arrays.stream(used), Arrays.stream(order)).distinct().toArray(),
        used.length, byDecoding, moved, addsUp(equation, remote) ? CHAIN : STAR,
        !byDecoding || isIndependent(withZeros(readable, used)));
  }

  /** Says whether the sum of all remote shares has no more rows than each of them. */
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

  /** Says whether no unit depends on the others, so that their order does not matter. */
  private boolean isIndependent(int[] units) {
    int s = code.subChunks();
    GfMatrix rows = code.generator().rows(Arrays.stream(units).flatMap(unit ->
        IntStream.range(unit * s, (unit + 1) * s)).toArray());
    return rows.rows() <= rows.columns() && rows.rank() == rows.rows();
  }

  /** Looks for a way. */
  @FunctionalInterface
  private interface Search {
    Optional<Way> search();
  }

  /** The units of the combined code whose bytes a making node can have. Immutable. */
  static final class Readable {
    private final int[] zeros;
    private final int[] held;
    private final int[] stock;

    /**
     * @param zeros units that are known to be zeros
     * @param held units of nodes with the extension, preferred units first
     * @param stock units of nodes without the extension
     */
    Readable(int[] zeros, int[] held, int[] stock) {
      this.zeros = zeros.clone();
      this.held = held.clone();
      this.stock = stock.clone();
    }
  }

  /** One way. Immutable. */
  static final class Way {
    private final int[] order;
    final int needed;
    /** Says whether to decode from the order, and not by the code's first recipe that works. */
    final boolean byDecoding;
    /** How many units cross the links of the tree in all. */
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

    /** Says whether the needed units may change places. */
    boolean isInAnyOrder() {
      return anyOrder;
    }
  }
}
