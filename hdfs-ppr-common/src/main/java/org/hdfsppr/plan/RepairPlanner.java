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
package org.hdfsppr.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.coder.code.RepairOption;
import org.hdfsppr.coder.code.SubChunk;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Makes a plan for a codeword with lost blocks. The planner puts helpers in order, and asks the
 * codeword for the ways to repair the lost blocks from these helpers. It lets the topology arrange
 * a tree for each way, and chooses the plan with the lowest {@link Price}. Pure: the same input
 * gives the same plan.
 */
@InterfaceAudience.Private
public final class RepairPlanner {
  private RepairPlanner() {
  }

  /**
   * Plans a repair of the blocks of a code.
   *
   * @param snapshot the blocks; holders that must not be used have been left out
   * @param code the code of the blocks, with the snapshot's k and m
   * @param options the operator's choices
   * @return the plan
   * @throws NoPlanException if the live units do not determine the lost units
   */
  public static RepairPlan plan(GroupSnapshot snapshot, LinearCode code, PlanOptions options)
      throws NoPlanException {
    return plan(new CodedBlocks(snapshot, code), options);
  }

  /**
   * Plans a repair.
   *
   * @param codeword the blocks and their relations
   * @param options the operator's choices
   * @return the plan
   * @throws NoPlanException if the live blocks do not determine the lost blocks
   */
  public static RepairPlan plan(Codeword codeword, PlanOptions options) throws NoPlanException {
    GroupSnapshot snapshot = codeword.snapshot();
    int rows = snapshot.targets.size() * codeword.subChunks() + 1;
    if (rows > SliceGeometry.ROWS_MAX) {
      throw new NoPlanException(snapshot.targets.size() + " lost units of " + codeword.name()
          + " have " + rows + " rows, at most " + SliceGeometry.ROWS_MAX + " can be streamed");
    }
    Map<Integer, NodeRef> holders = choose(codeword, options);
    List<RepairOption> recipes = recipes(codeword, holders);
    if (recipes.size() == 1 || options.inGivenOrder) {
      // There is nothing to compare if there is one recipe, or if a scheduler has given the order:
      // it has already compared the helpers and the recipes.
      return plan(codeword, options, holders,
          options.byDecoding ? decoding(codeword, holders, recipes) : recipes.get(0));
    }
    boolean wantsChecks = options.checkOneIn != 0;
    RepairPlan best = null;
    Price bestPrice = null;
    for (RepairOption recipe : recipes) {
      // The search for a check relation takes longer than all other steps. The loop therefore skips
      // a recipe whose least possible price is not lower than the best price.
      if (best != null && bestPrice.isChecked() && Price.atLeast(snapshot,
          recipe.equation(), codeword.subChunks(), holders).compareTo(bestPrice) >= 0) {
        continue;
      }
      RepairPlan plan = plan(codeword, options, holders, recipe);
      Price price = Price.of(plan, wantsChecks, options.topology.movesLeast());
      // Among plans with the same price, the loop keeps the first, because the code prefers its
      // recipe.
      if (best == null || price.compareTo(bestPrice) < 0) {
        best = plan;
        bestPrice = price;
      }
    }
    return best;
  }

  /**
   * Returns the recipe that reads from the first holders that suffice. A code lists this recipe
   * last, under the name DECODE. It omits that entry if another recipe reads the same.
   */
  private static RepairOption decoding(Codeword codeword, Map<Integer, NodeRef> holders,
      List<RepairOption> recipes) {
    RepairOption last = recipes.get(recipes.size() - 1);
    if (last.name().equals(RepairOption.DECODE)) {
      return last;
    }
    Optional<RepairEquation> first = codeword.solve(
        codeword.subChunksOf(available(codeword.snapshot(), holders)));
    return recipes.stream().filter(recipe -> first.isPresent()
        && recipe.equation().readsTheSameAs(first.get())).findFirst().orElse(last);
  }

  /**
   * Returns one plan for each recipe. Tests compare these plans with the plan that the planner
   * chooses, which has to be the cheapest of them.
   */
  static List<RepairPlan> candidates(GroupSnapshot snapshot, LinearCode code,
      PlanOptions options) throws NoPlanException {
    Codeword codeword = new CodedBlocks(snapshot, code);
    Map<Integer, NodeRef> holders = choose(codeword, options);
    List<RepairPlan> plans = new ArrayList<>();
    for (RepairOption recipe : recipes(codeword, holders)) {
      plans.add(plan(codeword, options, holders, recipe));
    }
    return plans;
  }

  /** Returns the plan that repairs by one recipe. */
  private static RepairPlan plan(Codeword codeword, PlanOptions options,
      Map<Integer, NodeRef> holders, RepairOption recipe) throws NoPlanException {
    GroupSnapshot snapshot = codeword.snapshot();
    RepairEquation equation = recipe.equation();
    StreamShape shape = new StreamShape(snapshot, codeword.subChunks());
    // A tail consists of the bytes that remain when a cell is divided into equal sub-chunks. The
    // repair rebuilds it from the units that it reads anyway, and from other units only if these do
    // not suffice.
    RepairEquation tailEquation =
        shape.hasTail() ? tailEquation(snapshot, tail(codeword), holders, equation) : null;
    Optional<SpareRelation> extra = Optional.empty();
    Optional<SpareRelation> tailExtra = Optional.empty();
    if (options.checkOneIn != 0) {
      extra = ExtraHelpers.choose(codeword, equation, holders,
          options.checkOneIn == 1);
      if (extra.isPresent() && shape.hasTail()) {
        tailExtra = ExtraHelpers.choose(tail(codeword), tailEquation, holders,
            options.checkOneIn == 1);
      }
    }
    int checkOneIn = extra.isPresent() ? options.checkOneIn : 0;
    SliceGeometry geometry = shape.of(options.sliceBytes, checkOneIn,
        checkOneIn == 0 ? 0 : (int) Math.floorMod(options.seed, (long) checkOneIn));
    boolean tailChecked = !shape.hasTail()
        || tailExtra.map(found -> found.complete).orElse(false);
    Forest forest =
        new Forest(codeword, holders, options, equation, tailEquation, extra, tailExtra);
    PlanNode root = forest.tree(VerificationWeights.USUAL, true);
    int exponent = VerificationWeights.USUAL;
    if (extra.isPresent() && NarrowLinks.isNarrow(root)) {
      // On narrow links, weights that do not suit them would let the check miss some errors. If
      // other weights suit the links, the tree uses these. If no weights do, the tree gets wide
      // links.
      OptionalInt suits = VerificationWeights.exponentFor(root);
      exponent = suits.orElse(VerificationWeights.USUAL);
      if (exponent != VerificationWeights.USUAL || !suits.isPresent()) {
        root = forest.tree(exponent, suits.isPresent());
      }
    }
    int lost = snapshot.targets.size();
    byte[] weights = VerificationWeights.of(lost * codeword.subChunks(), exponent);
    byte[] tailWeights = VerificationWeights.of(shape.hasTail() ? lost : 0, exponent);
    VerificationRelation check = extra.map(e -> new VerificationRelation(e.unit, weights,
        tailWeights,
        e.complete && tailChecked)).orElse(null);
    return new RepairPlan(snapshot.id(), options.topology.name(), recipe.name(), geometry,
        targets(snapshot), check, root);
  }

  /**
   * Makes the trees of one recipe. They differ in the weights of the check, and in whether their
   * links are narrow.
   */
  private static final class Forest {
    private final Codeword codeword;
    private final Map<Integer, NodeRef> holders;
    private final PlanOptions options;
    private final RepairEquation equation;
    /** Null if the stream has no tail. */
    private final RepairEquation tailEquation;
    private final Optional<SpareRelation> extra;
    private final Optional<SpareRelation> tailExtra;

    Forest(Codeword codeword, Map<Integer, NodeRef> holders, PlanOptions options,
        RepairEquation equation, RepairEquation tailEquation, Optional<SpareRelation> extra,
        Optional<SpareRelation> tailExtra) {
      this.codeword = codeword;
      this.holders = holders;
      this.options = options;
      this.equation = equation;
      this.tailEquation = tailEquation;
      this.extra = extra;
      this.tailExtra = tailExtra;
    }

    /** @param exponent chooses the weights of the check, see {@link VerificationWeights#of} */
    PlanNode tree(int exponent, boolean narrow) {
      GroupSnapshot snapshot = codeword.snapshot();
      int subChunks = codeword.subChunks();
      boolean checks = extra.isPresent();
      Columns columns = new Columns(snapshot, subChunks, equation, extra, exponent);
      Columns tailColumns = tailEquation == null ? null
          : new Columns(snapshot, 1, tailEquation, tailExtra, exponent);
      List<RepairSource> sources = new ArrayList<>();
      holders.forEach((unit, node) -> {
        byte[] tail = tailColumns == null ? new byte[0] : tailColumns.of(unit, checks);
        RepairSource source = new RepairSource(unit, snapshot.block(unit), node,
            columns.of(unit, checks),
            subChunks, columns.lostRows, tail);
        if (source.contributes(SliceKind.CHECKED) || source.contributes(SliceKind.CHECKED_TAIL)) {
          sources.add(source);
        }
      });
      if (subChunks > 1 && !options.inGivenOrder) {
        // The helper that reads least comes last, and stands at the end of a chain that is farthest
        // from the destination. There it sends only what it reads itself, over a narrow link.
        sources.sort(Comparator.comparingInt(source -> -source.runsRead()));
      }
      // All links can be narrow only if all nodes know narrow links. A node that does not know them
      // would leave them out of the requests that it passes on.
      boolean allNarrow = narrow && sources.stream().map(source -> source.holder)
          .allMatch(node -> node.equals(snapshot.destination)
              || options.narrowLinks.test(node));
      PlanNode root = Arrangement.arrange(snapshot.destination, sources,
          allNarrow ? options.topology : options.topology.overWideLinks());
      // One lost row cannot be narrowed. Requests for one lost unit without sub-chunks therefore
      // stay byte for byte as in earlier versions.
      return !narrow || columns.lostRows == 1 ? root
          : NarrowLinks.narrow(root, columns.lostRows, options.narrowLinks);
    }
  }

  private static List<PlanTarget> targets(GroupSnapshot snapshot) {
    return snapshot.targets.stream().map(target -> new PlanTarget(target.unit,
        snapshot.block(target.unit), target.node)).collect(Collectors.toList());
  }

  private static Codeword tail(Codeword codeword) throws NoPlanException {
    return codeword.remainder().orElseThrow(() -> new NoPlanException(codeword.name()
        + " does not say how to code units whose length its sub-chunks do not divide"));
  }

  /**
   * The length of the stream, which is the range of bytes that a repair sums in each unit, and its
   * division into slices.
   */
  private static final class StreamShape {
    private final long streamBytes;
    private final int subChunks;
    private final int cellBytes;

    StreamShape(GroupSnapshot snapshot, int subChunks) {
      this.subChunks = subChunks;
      this.cellBytes = subChunks == 1 ? 0 : snapshot.cellBytes();
      long lost = snapshot.streamBytes();
      // If the last stripe is short, the length of its longest cell determines how its cells are
      // divided into sub-chunks. The stream therefore goes to the end of that cell.
      streamBytes = subChunks == 1 || lost % cellBytes == 0 ? lost
          : Math.min((lost / cellBytes + 1) * cellBytes, snapshot.longestUnitBytes());
    }

    boolean hasTail() {
      return subChunks > 1 && (streamBytes % cellBytes % subChunks != 0
          || streamBytes >= cellBytes && cellBytes % subChunks != 0);
    }

    SliceGeometry of(int sliceBytes, int checkOneIn, int checkPhase) {
      return new SliceGeometry(streamBytes, sliceBytes, subChunks, cellBytes, checkOneIn,
          checkPhase);
    }
  }

  /**
   * Chooses one holder for each unit that has bytes and can be read. Returns the holders by unit,
   * in the order in which they should become helpers.
   */
  private static Map<Integer, NodeRef> choose(Codeword codeword, PlanOptions options) {
    GroupSnapshot snapshot = codeword.snapshot();
    NodeRef destination = snapshot.destination;
    List<UnitHolder> order = options.inGivenOrder ? new ArrayList<>(snapshot.live)
        : options.topology.prefer(destination, snapshot.live);
    // The destination's own units come first, because they need no transfer. Nodes without hdfs-ppr
    // come last: they cannot multiply, so that another node has to receive the whole unit.
    order.sort(Comparator.comparingInt((UnitHolder holder) ->
        holder.node.equals(destination) ? 0 : holder.node.runsExtension() ? 1 : 2));
    Map<Integer, NodeRef> holders = new LinkedHashMap<>();
    for (UnitHolder holder : order) {
      // A code with sub-chunks needs bytes from several parts of a cell at the same time. A stock
      // read returns a unit only from its beginning to its end.
      boolean readable = codeword.subChunks() == 1 || holder.node.runsExtension()
          || holder.node.equals(destination);
      if (readable && snapshot.unitBytes(holder.unit) > 0) {
        holders.putIfAbsent(holder.unit, holder.node);
      }
    }
    return holders;
  }

  /**
   * Returns the units that are known to be zeros, followed by the units that can be read, in the
   * order of {@code holders}.
   */
  private static int[] available(GroupSnapshot snapshot, Map<Integer, NodeRef> holders) {
    // Units behind the end of the file are zeros. A repair knows their bytes without a read.
    return IntStream.concat(
        IntStream.range(0, snapshot.units()).filter(unit -> snapshot.unitBytes(unit) == 0),
        holders.keySet().stream().mapToInt(Integer::intValue)).toArray();
  }

  private static RepairEquation tailEquation(GroupSnapshot snapshot, Codeword tail,
      Map<Integer, NodeRef> holders, RepairEquation equation) throws NoPlanException {
    List<SubChunk> order = tailOrder(snapshot, holders, equation);
    RepairEquation found = solve(tail, order);
    if (isSent(found, holders)) {
      return found;
    }
    // The equation reads no unit, because the tails of the lost units consist of zeros. A helper
    // still has to send these zeros, so that the second attempt prefers units that can be read.
    order.sort(Comparator.comparing(helper -> !holders.containsKey(helper.unit())));
    RepairEquation other = solve(tail, order);
    if (!isSent(other, holders)) {
      throw noSenderOfZeros(tail);
    }
    return other;
  }

  private static NoPlanException noSenderOfZeros(Codeword codeword) {
    return new NoPlanException("No node is left to send the zeros of the lost units of block group "
        + codeword.snapshot().id());
  }

  private static List<SubChunk> tailOrder(GroupSnapshot snapshot, Map<Integer, NodeRef> holders,
      RepairEquation equation) {
    LinkedHashSet<Integer> order = new LinkedHashSet<>();
    int[] available = available(snapshot, holders);
    Arrays.stream(available).filter(unit -> !holders.containsKey(unit)).forEach(order::add);
    Arrays.stream(equation.helperUnits()).forEach(order::add);
    Arrays.stream(available).forEach(order::add);
    return order.stream().map(unit -> SubChunk.of(unit, 0)).collect(Collectors.toList());
  }

  /**
   * Returns at least one way to repair the lost units in which some node has to send bytes. The
   * ways that the code prefers come first.
   */
  private static List<RepairOption> recipes(Codeword codeword, Map<Integer, NodeRef> holders)
      throws NoPlanException {
    int[] available = available(codeword.snapshot(), holders);
    List<RepairOption> all = codeword.recipes(available);
    if (all.isEmpty()) {
      throw undetermined(codeword, available);
    }
    List<RepairOption> sent = new ArrayList<>();
    for (RepairOption option : all) {
      if (isSent(option.equation(), holders)) {
        sent.add(option);
      }
    }
    if (!sent.isEmpty()) {
      return sent;
    }
    // No recipe reads any unit: a lost parity that depends only on units behind the end of the file
    // consists of zeros. A helper still has to send these zeros, and to report the checksum type of
    // the replicas.
    Set<Integer> order = new LinkedHashSet<>(holders.keySet());
    Arrays.stream(available).forEach(order::add);
    RepairEquation other = solve(codeword,
        codeword.subChunksOf(order.stream().mapToInt(Integer::intValue).toArray()));
    if (!isSent(other, holders)) {
      throw noSenderOfZeros(codeword);
    }
    return Collections.singletonList(new RepairOption(RepairOption.DECODE, other));
  }

  private static boolean isSent(RepairEquation equation, Map<Integer, NodeRef> holders) {
    for (SubChunk helper : equation.helpers()) {
      if (holders.containsKey(helper.unit())) {
        return true;
      }
    }
    return false;
  }

  private static RepairEquation solve(Codeword codeword, List<SubChunk> helpers)
      throws NoPlanException {
    Optional<RepairEquation> equation = codeword.solve(helpers);
    if (!equation.isPresent()) {
      throw undetermined(codeword,
          helpers.stream().mapToInt(SubChunk::unit).distinct().toArray());
    }
    return equation.get();
  }

  private static NoPlanException undetermined(Codeword codeword, int[] units) {
    return new NoPlanException("Units " + Arrays.toString(units) + " of block group "
        + codeword.snapshot().id() + " do not determine the lost units under "
        + codeword.name());
  }

  /** Computes the coefficients of each unit, either for tails or for all other slices. */
  private static final class Columns {
    private final int subChunks;
    private final RepairEquation equation;
    private final Optional<SpareRelation> extra;
    final int lostRows;
    private final byte[] weights;

    Columns(GroupSnapshot snapshot, int subChunks, RepairEquation equation,
        Optional<SpareRelation> extra, int exponent) {
      this.subChunks = subChunks;
      this.equation = equation;
      this.extra = extra;
      lostRows = snapshot.targets.size() * subChunks;
      weights = VerificationWeights.of(lostRows, exponent);
    }

    /**
     * Returns the coefficients of a unit: for each lost row one coefficient for each sub-chunk, row
     * after row. With {@code checks}, the coefficients of the check row follow.
     */
    byte[] of(int unit, boolean checks) {
      byte[] all = new byte[(lostRows + (checks ? 1 : 0)) * subChunks];
      for (int h = 0; h < equation.helpers().size(); h++) {
        SubChunk helper = equation.helpers().get(h);
        if (helper.unit() != unit) {
          continue;
        }
        int check = 0;
        for (int row = 0; row < lostRows; row++) {
          int coefficient = equation.coefficients().get(row, h);
          all[row * subChunks + helper.sub()] = (byte) coefficient;
          check ^= Gf256.mul(weights[row] & 0xff, coefficient);
        }
        if (checks) {
          all[lostRows * subChunks + helper.sub()] = (byte) check;
        }
      }
      if (checks && extra.isPresent()) {
        for (int sub = 0; sub < subChunks; sub++) {
          all[lostRows * subChunks + sub] ^= extra.get().coefficient(SubChunk.of(unit, sub));
        }
      }
      return all;
    }
  }

  /**
   * Chooses the weights w by which the lost rows enter a {@link VerificationRelation}. No weight is
   * zero; otherwise the check would not see a wrong row. No two weights are equal; otherwise equal
   * errors in two rows would cancel.
   *
   * <p>On a narrow link, an error in row i of the link adds a multiple of column i of the link's
   * matrix E to the lost rows, see {@link NarrowLinks}. In effect, the check therefore weighs the
   * rows of the link with w * E. These weights, too, have to be nonzero and different; otherwise
   * the check would find fewer errors than on a link that carries all rows. Pure.
   */
  static final class VerificationWeights {
    /** The exponent, as in {@link #of}, of the weights for trees without narrow links. */
    static final int USUAL = 1;
    /** The number of nonzero elements of GF(256). */
    private static final int ORDER = 255;

    private VerificationWeights() {
    }

    /**
     * Returns the weights of rows: the weight of row r is 2 to the power of r times {@code
     * exponent}, in GF(256).
     *
     * @param rows number of rows, at most {@link SliceGeometry#ROWS_MAX}
     * @param exponent a number that has no common divisor with 255 but 1, so that all weights
     *     differ
     */
    static byte[] of(int rows, int exponent) {
      byte[] weights = new byte[rows];
      for (int row = 0; row < rows; row++) {
        weights[row] = (byte) Gf256.pow(2, row * exponent % ORDER);
      }
      return weights;
    }

    /**
     * Finds weights that suit all narrow links of a tree.
     *
     * @param tree a tree with narrow links
     * @return the least exponent with which, on each link, the weights w * E are nonzero and
     *     different; empty if there is none
     */
    static OptionalInt exponentFor(PlanNode tree) {
      List<GfMatrix> links = new ArrayList<>();
      tree.forEach(node -> node.sentRows().ifPresent(sent -> {
        links.add(NarrowLinks.derivation(node, false));
        links.add(NarrowLinks.derivation(node, true));
      }));
      for (int exponent = USUAL; exponent < ORDER; exponent++) {
        int tried = exponent;
        boolean permutes = exponent % 3 != 0 && exponent % 5 != 0 && exponent % 17 != 0;
        if (permutes && links.stream().allMatch(link -> suits(link, tried))) {
          return OptionalInt.of(exponent);
        }
      }
      return OptionalInt.empty();
    }

    private static boolean suits(GfMatrix derivation, int exponent) {
      byte[] weights = of(derivation.rows(), exponent);
      Set<Integer> seen = new HashSet<>();
      seen.add(0);
      for (int column = 0; column < derivation.columns(); column++) {
        int sum = 0;
        for (int row = 0; row < derivation.rows(); row++) {
          sum ^= Gf256.mul(weights[row] & 0xff, derivation.get(row, column));
        }
        if (!seen.add(sum)) {
          return false;
        }
      }
      return true;
    }
  }
}
