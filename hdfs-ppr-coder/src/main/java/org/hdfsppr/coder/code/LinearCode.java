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
package org.hdfsppr.coder.code;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * A systematic linear code over GF(2^8), with k data units, m parity units, s sub-chunks in each
 * unit, and a generator matrix.
 *
 * <pre>
 *                      k * s columns: the data sub-chunks
 *                    +------------------------------------+
 *   k * s rows       |              identity              |   row u * s + b is sub-chunk b of unit
 *                    u +------------------------------------+
 *   m * s rows       |        parity coefficients         |
 *                    +------------------------------------+
 * </pre>
 *
 * <p>One solver derives the coefficients for decoding, repairs and updates from the generator. It
 * tests whether units determine others by the ranks of matrices, and not by the number of units. So
 * it also works for codes that are not MDS. Immutable and thread-safe.
 */
@InterfaceAudience.Public
public final class LinearCode {
  /**
   * How many units a code of a policy has at most. HDFS stores the index of a unit in the low four
   * bits of a block id.
   */
  public static final int MAX_UNITS = 16;
  /**
   * How many units a code may have that no policy can have, see {@link #ofManyUnits}. This is
   * enough for two codes of {@link #MAX_UNITS} units over the same data units, if these are four or
   * more. It is less than 32, so that the bits of an int can stand for units.
   */
  public static final int MANY_UNITS_MAX = 28;
  /**
   * How many sub-chunks a unit has at most. {@link #MAX_UNITS} and this constant bound the size of
   * every matrix.
   */
  public static final int MAX_SUB_CHUNKS = 8;

  private final String name;
  private final int dataUnits;
  private final int parityUnits;
  private final int subChunks;
  private final GfMatrix generator;
  private final RecipeBook recipes;
  private final List<EncodingStep> encodingSteps;
  /**
   * The code of the remainder of a {@link CodingWindow}. It is null if the code has several
   * sub-chunks, and encodes only windows whose length is divisible by their number s.
   */
  private final LinearCode remainder;

  /**
   * Makes a code without a remainder code. If the code has several sub-chunks, the length of a
   * {@link CodingWindow} has to be divisible by their number s.
   *
   * @param name what logs and operators call the code
   * @param size the numbers k, m and s of units and sub-chunks
   * @param generator (k + m) * s rows, k * s columns, the first k * s rows the identity
   * @param recipes recipes for cheap repairs; of several recipes for the same unit, the recipe that
   *     reads least comes first
   * @throws IllegalArgumentException if the generator does not fit {@code size}, or if a recipe
   *     does not repair its unit
   */
  public LinearCode(String name, CodeDimensions size, GfMatrix generator, List<Recipe> recipes) {
    this(name, size, generator, recipes, null);
  }

  /**
   * Makes a code with a remainder code. The remainder code encodes the bytes of a {@link
   * CodingWindow} that follow its s sub-chunks.
   *
   * @param name what logs and operators call the code
   * @param size the numbers k, m and s of units and sub-chunks
   * @param generator the whole generator, identity included
   * @param recipes recipes for cheap repairs; of several recipes for the same unit, the recipe that
   *     reads least comes first
   * @param remainder the {@link #remainderCode}, with k data units and m parity units that are not
   *     divided into sub-chunks
   * @throws IllegalArgumentException if the generator does not fit {@code size}, if a recipe does
   *     not repair its unit, or if the remainder code has other numbers of units
   */
  public LinearCode(String name, CodeDimensions size, GfMatrix generator, List<Recipe> recipes,
      LinearCode remainder) {
    this(name, size, generator, recipes, remainder, List.of());
  }

  /**
   * Makes a code that also says how to encode in several steps.
   *
   * @param name what logs and operators call the code
   * @param size the numbers k, m and s of units and sub-chunks
   * @param generator the whole generator, identity included
   * @param recipes recipes for cheap repairs
   * @param remainder the {@link #remainderCode}; null if there is none
   * @param encodingSteps the {@link #encodingSteps}
   * @throws IllegalArgumentException as for the public constructors
   */
  LinearCode(String name, CodeDimensions size, GfMatrix generator, List<Recipe> recipes,
      LinearCode remainder, List<EncodingStep> encodingSteps) {
    this(MAX_UNITS, name, size, generator, recipes, remainder, encodingSteps);
  }

  private LinearCode(int unitsMost, String name, CodeDimensions size, GfMatrix generator,
      List<Recipe> recipes, LinearCode remainder, List<EncodingStep> encodingSteps) {
    size.check(name, unitsMost, MAX_SUB_CHUNKS, generator);
    this.name = name;
    this.dataUnits = size.dataUnits;
    this.parityUnits = size.parityUnits;
    this.subChunks = size.subChunks;
    this.generator = generator;
    this.encodingSteps = List.copyOf(encodingSteps);
    if (remainder != null && (remainder.subChunks != 1 || remainder.dataUnits != dataUnits
        || remainder.parityUnits != parityUnits)) {
      throw new IllegalArgumentException(name + ": the code of the remainder must have "
          + dataUnits + " + " + parityUnits + " undivided units, but is " + remainder);
    }
    this.remainder = subChunks == 1 ? this : remainder;
    this.recipes = new RecipeBook(name, recipes, this::solve);
  }

  /**
   * Makes a code that may have more units than a block group can have. Its units are blocks of
   * several block groups, so that no policy can have this code.
   *
   * @param name what logs and operators call the code
   * @param size the numbers k, m and s of units and sub-chunks
   * @param generator the whole generator, identity included
   * @param recipes recipes for cheap repairs
   * @param remainder the {@link #remainderCode}; null if there is none, or if s = 1
   * @return the code, with at most {@link #MANY_UNITS_MAX} units
   * @throws IllegalArgumentException as for the public constructors
   */
  static LinearCode ofManyUnits(String name, CodeDimensions size, GfMatrix generator,
      List<Recipe> recipes, LinearCode remainder) {
    return new LinearCode(MANY_UNITS_MAX, name, size, generator, recipes, remainder, List.of());
  }

  /** {@return the name of the code in logs and tables, such as {@code rs-6-3}} */
  public String name() {
    return name;
  }

  /** {@return k, the number of data units} */
  public int dataUnits() {
    return dataUnits;
  }

  /** {@return m, the number of parity units} */
  public int parityUnits() {
    return parityUnits;
  }

  /** {@return k + m} */
  public int units() {
    return dataUnits + parityUnits;
  }

  /**
   * {@return s, the number of sub-chunks of a unit; 1 for a code that works on each byte on its
   * own}
   */
  public int subChunks() {
    return subChunks;
  }

  /** {@return the whole generator, identity included} */
  public GfMatrix generator() {
    return generator;
  }

  /**
   * {@return recipes for cheap repairs; of several recipes for the same unit, the recipe that reads
   * least comes first}
   */
  public List<Recipe> recipes() {
    return recipes.recipes;
  }

  /**
   * {@return steps that together compute every parity sub-chunk once, in such an order that the
   * inputs of each step are known; empty if it is best to encode with the rows of the generator}
   */
  public List<EncodingStep> encodingSteps() {
    return encodingSteps;
  }

  /**
   * Returns the code of the last {@code length mod s} bytes of every unit of a window. These bytes
   * are too few for s sub-chunks, so the remainder code works on each byte position on its own, see
   * {@link CodingWindow}. With s = 1 the method returns this code itself, and no window has a
   * remainder.
   *
   * @return the code, or empty if the length of a window has to be divisible by s
   */
  public Optional<LinearCode> remainderCode() {
    return Optional.ofNullable(remainder);
  }

  /**
   * {@return whether the unit is <i>position-wise</i>: each of its bytes depends only on the bytes
   * at the same position of the data units} Such a byte is computed with the coefficients of the
   * {@link #remainderCode}, for windows of any length and at any position. All data units are
   * position-wise. If s = 1, all parity units are, too. If s is more than 1, the parity units that
   * the papers call clean are. From position-wise units, the remainder code decodes any range of
   * bytes of other position-wise units.
   *
   * @param unit index of the unit
   * @throws IllegalArgumentException if there is no such unit
   */
  public boolean isPositionWise(int unit) {
    checked(SubChunk.of(unit, 0));
    if (unit < dataUnits || subChunks == 1) {
      return true;
    }
    if (remainder == null) {
      return false;
    }
    for (int sub = 0; sub < subChunks; sub++) {
      for (int column = 0; column < generator.columns(); column++) {
        int expected =
            column % subChunks == sub ? remainder.generator.get(unit, column / subChunks) : 0;
        if (generator.get(unit * subChunks + sub, column) != expected) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * {@return all sub-chunks of the given units, unit after unit in the given order}
   *
   * @param units indices of the units
   */
  public List<SubChunk> subChunksOf(int... units) {
    List<SubChunk> all = new ArrayList<>(units.length * subChunks);
    for (int unit : units) {
      for (int sub = 0; sub < subChunks; sub++) {
        all.add(checked(SubChunk.of(unit, sub)));
      }
    }
    return all;
  }

  /**
   * {@return the order in which {@link #solve} should try the sub-chunks of the available units}
   * First come the sub-chunks of the cheapest recipe that repairs the lost units from available
   * units alone, then all others. If there is no such recipe, the method keeps the given order.
   *
   * @param lost the lost units
   * @param available the units that can be read, the preferred ones first
   */
  public List<SubChunk> helperOrder(int[] lost, int... available) {
    List<SubChunk> all = subChunksOf(available);
    return recipes.first(lost, available).map(helpers -> {
      List<SubChunk> order = new ArrayList<>(helpers);
      Set<SubChunk> taken = new HashSet<>(helpers);
      all.stream().filter(helper -> !taken.contains(helper)).forEach(order::add);
      return order;
    }).orElse(all);
  }

  /**
   * Lists several ways to repair lost units, which read different sub-chunks. First come the
   * recipes that repair the lost units from available units alone, the cheapest one first. The last
   * way, {@link RepairOption#DECODE}, takes the available sub-chunks in the given order until they
   * determine the lost units. It is left out if a recipe reads the same sub-chunks. The caller has
   * to compare the costs of the ways, because a code does not know on which nodes the units are.
   *
   * @param lost the lost units
   * @param available the units that can be read, the preferred ones first
   * @return the ways; empty if the available units do not determine all lost units
   * @throws IllegalArgumentException as {@link #solve}
   */
  public List<RepairOption> repairOptions(int[] lost, int... available) {
    List<RepairOption> options = recipes.options(lost, available);
    Optional<RepairEquation> decoded = solve(lost, subChunksOf(available));
    if (decoded.isPresent() && options.stream().noneMatch(option ->
        decoded.get().readsTheSameAs(option.equation()))) {
      options.add(new RepairOption(RepairOption.DECODE, decoded.get()));
    }
    return options;
  }

  /**
   * Finds an equation that computes lost units from sub-chunks that can be read. The method takes
   * the sub-chunks in the order of preference, leaves out those that depend linearly on earlier
   * ones, and stops as soon as all lost units are determined. Finally it drops the sub-chunks that
   * no lost unit needs.
   *
   * @param lost indices of the lost units, in any order
   * @param preferred the sub-chunks that can be read, the preferred ones first
   * @return the equation, or empty if these sub-chunks do not determine all lost units
   * @throws IllegalArgumentException if a unit or sub-chunk does not exist or is given twice, if no
   *     unit is lost, or if a sub-chunk in {@code preferred} belongs to a lost unit
   */
  public Optional<RepairEquation> solve(int[] lost, List<SubChunk> preferred) {
    int[] sorted = distinctUnits(lost);
    List<SubChunk> targets = subChunksOf(sorted);
    Set<SubChunk> seen = new HashSet<>(targets);
    SpanSolver solver = solverFor(targets);
    List<SubChunk> accepted = new ArrayList<>();
    boolean solved = false;
    for (SubChunk helper : preferred) {
      if (!seen.add(checked(helper))) {
        throw new IllegalArgumentException(name + ": helper " + helper + " is lost or given twice;"
            + " lost " + Arrays.toString(sorted) + ", helpers " + preferred);
      }
      if (!solved && solver.add(generator.row(row(helper)))) {
        accepted.add(helper);
        solved = solver.solved();
      }
    }
    if (!solved) {
      return Optional.empty();
    }
    return Optional.of(equation(sorted, targets, accepted, solver));
  }

  private static RepairEquation equation(int[] lost, List<SubChunk> targets,
      List<SubChunk> accepted, SpanSolver solver) {
    List<SubChunk> helpers = new ArrayList<>();
    int[] columns = new int[accepted.size()];
    for (int h = 0; h < accepted.size(); h++) {
      for (int t = 0; t < targets.size(); t++) {
        if (solver.coefficient(t, h) != 0) {
          columns[helpers.size()] = h;
          helpers.add(accepted.get(h));
          break;
        }
      }
    }
    GfMatrix coefficients = GfMatrix.generate(targets.size(), helpers.size(),
        (t, h) -> solver.coefficient(t, columns[h]));
    return new RepairEquation(lost, targets, helpers, coefficients);
  }

  /**
   * Expresses one sub-chunk as a linear combination of other sub-chunks. Units with the right bytes
   * satisfy this equation, so that a destination can check with it the bytes that it has read.
   *
   * @param wanted the sub-chunk to express
   * @param helpers sub-chunks that may appear in the expression
   * @return a matrix with one row, and one column for each helper in the given order; the
   *     coefficient of a helper that is not needed is zero. The result is empty if the helpers do
   *     not determine the sub-chunk
   * @throws IllegalArgumentException if a sub-chunk does not exist
   */
  public Optional<GfMatrix> express(SubChunk wanted, List<SubChunk> helpers) {
    return express(List.of(wanted), helpers).get(0);
  }

  /**
   * Expresses several sub-chunks as linear combinations of other sub-chunks. This takes little more
   * time than for one sub-chunk.
   *
   * @param wanted the sub-chunks to express
   * @param helpers sub-chunks that may appear in the expressions
   * @return for each wanted sub-chunk, in the same order, the result that {@link #express(SubChunk,
   *     List)} gives for it
   * @throws IllegalArgumentException if a sub-chunk does not exist
   */
  public List<Optional<GfMatrix>> express(List<SubChunk> wanted, List<SubChunk> helpers) {
    wanted.forEach(this::checked);
    SpanSolver solver = solverFor(wanted);
    int[] acceptedAs = new int[helpers.size()];
    Arrays.fill(acceptedAs, -1);
    int accepted = 0;
    for (int h = 0; h < acceptedAs.length; h++) {
      if (!solver.solved() && solver.add(generator.row(row(checked(helpers.get(h)))))) {
        acceptedAs[h] = accepted++;
      }
    }
    List<Optional<GfMatrix>> rows = new ArrayList<>(wanted.size());
    for (int w = 0; w < wanted.size(); w++) {
      int target = w;
      rows.add(!solver.solved(w) ? Optional.empty()
          : Optional.of(GfMatrix.generate(1, acceptedAs.length, (r, h) ->
              acceptedAs[h] < 0 ? 0 : solver.coefficient(target, acceptedAs[h]))));
    }
    return rows;
  }

  /**
   * {@return whether the available units determine the lost units}
   *
   * @param lost indices of the lost units
   * @param available indices of the units that can be read
   * @throws IllegalArgumentException as {@link #solve}
   */
  public boolean decodable(int[] lost, int... available) {
    return solve(lost, subChunksOf(available)).isPresent();
  }

  /**
   * {@return the coefficients of the parity sub-chunks over the data sub-chunks: the generator
   * without its identity}
   */
  public GfMatrix parityCoefficients() {
    return generator.rows(IntStream
        .range(dataUnits * subChunks, units() * subChunks).toArray());
  }

  private SpanSolver solverFor(List<SubChunk> targets) {
    byte[][] vectors = new byte[targets.size()][];
    for (int t = 0; t < vectors.length; t++) {
      vectors[t] = generator.row(row(targets.get(t)));
    }
    return new SpanSolver(vectors, generator.columns());
  }

  private int row(SubChunk subChunk) {
    return subChunk.unit() * subChunks + subChunk.sub();
  }

  private SubChunk checked(SubChunk subChunk) {
    if (subChunk.unit() >= units() || subChunk.sub() >= subChunks) {
      throw new IllegalArgumentException(name + " has no sub-chunk " + subChunk + ": it has "
          + units() + " units of " + subChunks + " sub-chunks");
    }
    return subChunk;
  }

  private int[] distinctUnits(int[] lost) {
    int[] sorted = lost.clone();
    Arrays.sort(sorted);
    if (sorted.length == 0) {
      throw new IllegalArgumentException(name + ": nothing is lost");
    }
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        throw new IllegalArgumentException(name + ": unit " + sorted[i] + " is lost twice in "
            + Arrays.toString(lost));
      }
    }
    return sorted;
  }

  @Override
  public String toString() {
    return name;
  }
}
