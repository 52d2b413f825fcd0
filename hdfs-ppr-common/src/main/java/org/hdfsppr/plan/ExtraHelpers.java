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
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.coder.code.SubChunk;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Chooses the sub-chunks that a repair reads in addition, so that the destination can check the
 * result. Together with the sub-chunks that the repair reads anyway, they satisfy a linear
 * relation. If a repair reads k whole units, these units determine every other unit, and one
 * additional unit is enough. If a recipe reads less, its sub-chunks do not determine another unit,
 * so that the relation needs several further sub-chunks, but only in checked slices.
 */
final class ExtraHelpers {
  private static final int FIELD = 256;

  private final GroupSnapshot snapshot;
  private final Codeword codeword;
  private final RepairEquation equation;
  private final Map<Integer, NodeRef> holders;
  private final List<SubChunk> spare = new ArrayList<>();

  /** @param stockMost how many of the additional units may be on nodes without hdfs-ppr */
  private ExtraHelpers(Codeword codeword, RepairEquation equation,
      Map<Integer, NodeRef> holders, int stockMost) {
    this.snapshot = codeword.snapshot();
    this.codeword = codeword;
    this.equation = equation;
    this.holders = holders;
    Set<SubChunk> read = new HashSet<>(equation.helpers());
    int stock = 0;
    for (Map.Entry<Integer, NodeRef> holder : holders.entrySet()) {
      boolean byStockRead = !holder.getValue().runsExtension()
          && !holder.getValue().equals(snapshot.destination);
      List<SubChunk> more = codeword.subChunksOf(holder.getKey());
      more.removeIf(read::contains);
      if (byStockRead && !more.isEmpty() && stock++ >= stockMost) {
        continue;
      }
      spare.addAll(more);
    }
  }

  /**
   * Chooses a relation that covers every sub-chunk that the repair reads, if the code has such a
   * relation. Of several relations that cover the same number of these sub-chunks, the method takes
   * the relation that needs the fewest additional sub-chunks. If several need equally few, it takes
   * the one whose additional sub-chunks come first in the order of the holders.
   *
   * <p>A stock read cannot skip slices: a helper without hdfs-ppr sends all its bytes, although
   * only a few slices are checked. The method therefore first tries to do without such helpers, and
   * then with one, which is still better than no check. It uses several such helpers only if all
   * slices are checked.
   *
   * @param all whether the repair checks all slices, and not only some
   * @param codeword the blocks and their relations
   * @param equation how the repair rebuilds the lost blocks
   * @param holders the node from which each available unit is read
   * @return the relation, or empty if no remaining sub-chunk depends on the sub-chunks that the
   *     repair reads
   */
  static Optional<SpareRelation> choose(Codeword codeword, RepairEquation equation,
      Map<Integer, NodeRef> holders, boolean all) {
    Optional<SpareRelation> best = Optional.empty();
    for (int stockMost : new int[] {0, 1, all ? holders.size() : 1}) {
      Optional<SpareRelation> found =
          new ExtraHelpers(codeword, equation, holders, stockMost).choose();
      if (found.isPresent() && (!best.isPresent() || found.get().complete)) {
        best = found;
      }
      if (best.isPresent() && best.get().complete) {
        return best;
      }
    }
    return best;
  }

  private Optional<SpareRelation> choose() {
    // The search first tries relations between one additional sub-chunk and the sub-chunks that the
    // repair reads. Such a relation suffices if the repair reads k whole units.
    Relation best = null;
    List<Optional<GfMatrix>> expressions = codeword.express(spare, equation.helpers());
    for (int i = 0; i < spare.size(); i++) {
      best = better(best, relation(spare.get(i), equation.helpers(), expressions.get(i)));
    }
    // For each sub-chunk that the repair reads and that this relation does not cover, the search
    // then adds another relation, with further additional sub-chunks. It prefers those of units
    // from which the repair reads anyway.
    for (SubChunk read : equation.helpers()) {
      if (holders.containsKey(read.unit()) && (best == null || !best.has(read))) {
        List<SubChunk> others = othersThan(read);
        Relation another = relation(read, others,
            codeword.express(Collections.singletonList(read), others).get(0));
        if (another != null) {
          best = best == null ? another : best.plus(another);
        }
      }
    }
    if (best == null) {
      return Optional.empty();
    }
    Relation found = best;
    boolean complete = equation.helpers().stream()
        .allMatch(read -> !holders.containsKey(read.unit()) || found.has(read));
    return Optional.of(new SpareRelation(best.extraUnit(), best.coefficients, complete));
  }

  private Relation better(Relation one, Relation other) {
    return one == null || other != null && other.tied() > one.tied() ? other : one;
  }

  private List<SubChunk> othersThan(SubChunk read) {
    List<SubChunk> others = new ArrayList<>(equation.helpers());
    // Units behind the end of the file are known to be zeros, so that a relation with them needs no
    // read.
    for (int unit = 0; unit < snapshot.units(); unit++) {
      if (snapshot.unitBytes(unit) == 0) {
        codeword.subChunksOf(unit).stream().filter(zeros -> !others.contains(zeros))
            .forEach(others::add);
      }
    }
    others.remove(read);
    spare.stream().filter(other -> !equation.helpersOf(other.unit()).isEmpty())
        .forEach(others::add);
    spare.stream().filter(other -> equation.helpersOf(other.unit()).isEmpty())
        .forEach(others::add);
    return others;
  }

  /**
   * Returns the relation that follows from expressing {@code wanted} by {@code others}. Returns
   * null if there is no such relation, or if the relation contains no sub-chunk that the repair
   * reads.
   *
   * @param expression the coefficients of {@code others} that express {@code wanted}; empty if
   *     {@code others} do not determine it
   */
  private Relation relation(SubChunk wanted, List<SubChunk> others,
      Optional<GfMatrix> expression) {
    if (!expression.isPresent()) {
      return null;
    }
    Relation relation = new Relation(new LinkedHashMap<>());
    relation.coefficients.put(wanted, (byte) 1);
    for (int i = 0; i < others.size(); i++) {
      byte coefficient = (byte) expression.get().get(0, i);
      if (coefficient != 0) {
        relation.coefficients.put(others.get(i), coefficient);
      }
    }
    // A relation without any sub-chunk that the repair reads does not check the repair.
    return relation.tied() == 0 ? null : relation;
  }

  /**
   * A linear relation: the sum of its sub-chunks, each times its coefficient, is zero. No
   * coefficient is zero.
   */
  private final class Relation {
    private final Map<SubChunk, Byte> coefficients;

    Relation(Map<SubChunk, Byte> coefficients) {
      this.coefficients = coefficients;
    }

    boolean has(SubChunk subChunk) {
      return coefficients.containsKey(subChunk);
    }

    /** Counts the sub-chunks of the repair that the relation covers. */
    int tied() {
      return (int) equation.helpers().stream().filter(this::has).count();
    }

    /** Returns a unit of which the check reads sub-chunks that the repair does not need. */
    int extraUnit() {
      return coefficients.keySet().stream()
          .filter(subChunk -> !equation.helpers().contains(subChunk))
          .findFirst().orElse(equation.helpers().get(0)).unit();
    }

    /**
     * Returns the sum of this relation and a multiple of the other relation. The method chooses the
     * factor so that the sum contains every sub-chunk of the repair that one of the two relations
     * contains.
     */
    Relation plus(Relation other) {
      for (int factor = 1; factor < FIELD; factor++) {
        Map<SubChunk, Byte> sum = new LinkedHashMap<>(coefficients);
        int by = factor;
        other.coefficients.forEach((subChunk, coefficient) -> sum.merge(subChunk,
            (byte) Gf256.mul(by, coefficient & 0xff), (x, y) -> (byte) (x ^ y)));
        sum.values().removeIf(coefficient -> coefficient == 0);
        Relation both = new Relation(sum);
        if (equation.helpers().stream().allMatch(read ->
            both.has(read) || !has(read) && !other.has(read))) {
          return both;
        }
      }
      // Each sub-chunk of the repair becomes zero in the sum with at most one factor, and there are
      // fewer sub-chunks than factors. The loop therefore always finds a factor.
      throw new IllegalStateException("No factor adds " + other.coefficients + " to "
          + coefficients);
    }
  }
}
