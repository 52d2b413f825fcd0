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
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.coder.code.SubChunk;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Finds what to read besides what a repair needs, so that its result can be checked: sub-chunks
 * that the others determine. Where the repair reads k whole units, these determine every other, and
 * one more is enough. A cheaper recipe leaves more unknown, and then the relation needs further
 * sub-chunks, of checked slices only.
 */
@InterfaceAudience.Private
final class ExtraHelpers {
  private static final int FIELD = 256;

  private final GroupSnapshot snapshot;
  private final Codeword codeword;
  private final RepairEquation equation;
  private final Map<Integer, NodeRef> holders;
  private final List<SubChunk> spare = new ArrayList<>();

  /** @param stockMost how many units may come by stock reads */
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
          && !holder.getValue().equals(snapshot.destination());
      List<SubChunk> more = codeword.subChunksOf(holder.getKey());
      more.removeIf(read::contains);
      if (byStockRead && !more.isEmpty() && stock++ >= stockMost) {
        continue;
      }
      spare.addAll(more);
    }
  }

  /**
   * A relation that every sub-chunk which the repair reads is part of, as far as there is any; the
   * one that needs least more among equals, and then the preferred one. One that can leave out
   * slices if there is any: a stock read cannot, so a helper without the extension sends all its
   * bytes for the few that are checked. One such is still better than no check, and costs a link
   * that carries least; more of them only where all slices are checked.
   *
   * @param all whether all slices are to be checked
   * @return empty if nothing is left over that says anything about what is read
   */
  static Optional<Extra> choose(Codeword codeword, RepairEquation equation,
      Map<Integer, NodeRef> holders, boolean all) {
    Optional<Extra> best = Optional.empty();
    for (int stockMost : new int[] {0, 1, all ? holders.size() : 1}) {
      Optional<Extra> found =
          new ExtraHelpers(codeword, equation, holders, stockMost).choose();
      if (found.isPresent() && (!best.isPresent() || found.get().isComplete())) {
        best = found;
      }
      if (best.isPresent() && best.get().isComplete()) {
        return best;
      }
    }
    return best;
  }

  private Optional<Extra> choose() {
    // With what is read alone, which is enough where that is k whole units.
    Relation best = null;
    List<Optional<GfMatrix>> expressions = codeword.express(spare, equation.helpers());
    for (int i = 0; i < spare.size(); i++) {
      best = better(best, relation(spare.get(i), equation.helpers(), expressions.get(i)));
    }
    // With more, of the units first that are read from anyway, for what no relation has yet.
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
    return Optional.of(new Extra(best.extraUnit(), best.coefficients, complete));
  }

  private Relation better(Relation one, Relation other) {
    return one == null || other != null && other.tied() > one.tied() ? other : one;
  }

  private List<SubChunk> othersThan(SubChunk read) {
    List<SubChunk> others = new ArrayList<>(equation.helpers());
    // What the file ended before is known, and free.
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

  /** @param expression what expresses the wanted one by the others, if they determine it */
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
    // One that involves nothing that is read says nothing about it.
    return relation.tied() == 0 ? null : relation;
  }

  /** Sub-chunks and coefficients, none of them zero, that add up to zero. */
  private final class Relation {
    private final Map<SubChunk, Byte> coefficients;

    Relation(Map<SubChunk, Byte> coefficients) {
      this.coefficients = coefficients;
    }

    boolean has(SubChunk subChunk) {
      return coefficients.containsKey(subChunk);
    }

    /** How much of what is read is part of it. */
    int tied() {
      return (int) equation.helpers().stream().filter(this::has).count();
    }

    /** A unit that is read for the relation's sake, or more of it. */
    int extraUnit() {
      return coefficients.keySet().stream()
          .filter(subChunk -> !equation.helpers().contains(subChunk))
          .findFirst().orElse(equation.helpers().get(0)).unit();
    }

    /** The sum of both, the other one times whatever makes nothing cancel that is read. */
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
      // Each sub-chunk rules out one factor at most, and there are fewer of them than factors.
      throw new IllegalStateException("No factor adds " + other.coefficients + " to "
          + coefficients);
    }
  }
}
