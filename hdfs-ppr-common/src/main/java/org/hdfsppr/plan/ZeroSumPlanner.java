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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.ZeroSums;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Plans the checks of a group's units. All helpers form one chain, so that each link carries only
 * sums, and no units. Pure: the same input gives the same plan.
 */
@InterfaceAudience.Private
public final class ZeroSumPlanner {
  private final BlockLayout layout;
  private final LinearCode code;
  /** The node that receives the sums */
  public final NodeRef reader;
  private final int sliceBytes;

  /**
   * @param layout the units
   * @param code their code
   * @param reader the node that receives the sums; it holds no unit
   * @param sliceBytes length of each run of a slice, bytes
   */
  public ZeroSumPlanner(BlockLayout layout, LinearCode code, NodeRef reader, int sliceBytes) {
    this.layout = layout;
    this.code = code;
    this.reader = reader;
    this.sliceBytes = sliceBytes;
  }

  private int unitsOfCode() {
    return layout.dataUnits() + layout.parityUnits();
  }

  /**
   * @return how the units are cut into slices; no slice has a check row, because all sums have to
   *     be zero
   */
  public SliceGeometry geometry() {
    long longest = 0;
    for (int unit = 0; unit < unitsOfCode(); unit++) {
      longest = Math.max(longest, layout.length(unit));
    }
    // The stream has the length of the longest unit, which reaches to the end of the last stripe.
    return new SliceGeometry(longest, sliceBytes, code.subChunks(),
        code.subChunks() == 1 ? 0 : layout.cellBytes(), 0, 0);
  }

  /**
   * Lists the units that have bytes.
   *
   * @return indices, ascending
   */
  public Set<Integer> units() {
    Set<Integer> units = new TreeSet<>();
    for (int unit = 0; unit < unitsOfCode(); unit++) {
      if (layout.length(unit) > 0) {
        units.add(unit);
      }
    }
    return units;
  }

  /**
   * Plans a tree with the sums of relations of the code over all units that can be read.
   *
   * @param live one holder for each unit that can be read, in the order of the chain: the first
   *     helper sends to the reader
   * @param all true to compute all independent relations; false to compute only s rows that
   *     together contain each unit, so that each link carries only as many bytes as one unit has
   * @return the plan
   * @throws NoPlanException if the units that can be read satisfy no relation, or if no holder
   *     serves partial sums, or if a code with sub-chunks has holders that do not
   */
  public ZeroSumPlan plan(List<UnitHolder> live, boolean all) throws NoPlanException {
    SliceGeometry geometry = geometry();
    Set<Integer> missing = units();
    live.forEach(holder -> missing.remove(holder.unit));
    int[] lost = missing.stream().mapToInt(Integer::intValue).toArray();
    ZeroSums sums = ZeroSums.of(code, lost);
    GfMatrix relations = all ? sums.relations() : sums.combined();
    Set<Integer> uncovered = new TreeSet<>(sums.uncovered());
    if (relations.rows() == 0) {
      throw new NoPlanException("Without its units " + missing + ", block group " + layout.id()
          + " has nothing left to check the other units with");
    }
    int s = code.subChunks();
    // A request needs a multiple of s rows, so that the number of relations is rounded up. The
    // further rows have only zeros.
    int rows = (relations.rows() + s - 1) / s * s;
    GfMatrix tail = null;
    if (geometry.hasTail()) {
      ZeroSums tailSums = ZeroSums.of(tailCode(), lost);
      tail = all ? tailSums.relations() : tailSums.combined();
      uncovered.addAll(tailSums.uncovered());
    }
    uncovered.retainAll(units());
    List<RepairSource> sources = new ArrayList<>();
    for (UnitHolder holder : live) {
      sources.add(new RepairSource(holder.unit, layout.block(holder.unit), holder.node,
          columns(relations, holder.unit, rows, s), s, rows,
          tail == null ? new byte[0] : columns(tail, holder.unit, rows / s, 1)));
    }
    return new ZeroSumPlan(geometry, rows, chain(sources), missing, uncovered);
  }

  private LinearCode tailCode() throws NoPlanException {
    return code.remainderCode().orElseThrow(() -> new NoPlanException(code.name()
        + " does not say how to code units whose length its sub-chunks do not divide"));
  }

  /**
   * Returns the coefficients of one unit, row after row. If {@code rows} is greater than the number
   * of relations, the further rows have zeros.
   */
  private static byte[] columns(GfMatrix relations, int unit, int rows, int s) {
    byte[] all = new byte[rows * s];
    for (int row = 0; row < Math.min(rows, relations.rows()); row++) {
      for (int sub = 0; sub < s; sub++) {
        all[row * s + sub] = (byte) relations.get(row, unit * s + sub);
      }
    }
    return all;
  }

  /**
   * Plans a tree that sends the bytes of one unit to the reader as they are.
   *
   * @param unit the unit and its holder
   * @param live holders of all units; if the unit's own holder serves no partial sums, another
   *     holder reads the unit from it
   * @return the plan, in which the rows of a slice are the runs of the unit
   * @throws NoPlanException if no holder serves partial sums
   */
  public ZeroSumPlan unit(UnitHolder unit, List<UnitHolder> live) throws NoPlanException {
    int s = code.subChunks();
    byte[] ones = new byte[s * s];
    for (int sub = 0; sub < s; sub++) {
      ones[sub * s + sub] = 1;
    }
    byte[] tailOne = geometry().hasTail() ? new byte[] {1} : new byte[0];
    List<RepairSource> sources = new ArrayList<>();
    sources.add(new RepairSource(unit.unit, layout.block(unit.unit), unit.node, ones, s, s,
        tailOne));
    if (!unit.node.runsExtension()) {
      for (UnitHolder other : live) {
        if (other.node.runsExtension() && other.unit != unit.unit) {
          sources.add(new RepairSource(other.unit, layout.block(other.unit), other.node,
              new byte[s * s], s, s, new byte[tailOne.length]));
          break;
        }
      }
    }
    return new ZeroSumPlan(geometry(), s, chain(sources), Collections.emptySet(),
        Collections.emptySet());
  }

  /** Puts helpers into one chain, in the order of their first sources. */
  private PlanNode chain(List<RepairSource> sources) throws NoPlanException {
    Map<NodeRef, List<RepairSource>> helpers = new LinkedHashMap<>();
    List<RepairSource> stock = new ArrayList<>();
    for (RepairSource source : sources) {
      if (source.holder.runsExtension()) {
        helpers.computeIfAbsent(source.holder, node -> new ArrayList<>()).add(source);
      } else {
        stock.add(source);
      }
    }
    if (helpers.isEmpty() || !stock.isEmpty() && code.subChunks() > 1) {
      throw new NoPlanException("DataNodes of block group " + layout.id() + " do not serve sums: "
          + stock);
    }
    List<NodeRef> order = new ArrayList<>(helpers.keySet());
    Collections.reverse(order);
    // A unit on a node that serves no sums goes to a helper that reads it from there. The helper
    // farthest from the reader gets the first such unit, because it receives no sums. The other
    // helpers get further units in turn.
    for (int i = 0; i < stock.size(); i++) {
      helpers.get(order.get(i % order.size())).add(stock.get(i));
    }
    List<PlanNode> below = Collections.emptyList();
    for (NodeRef node : order) {
      below = Collections.singletonList(new PlanNode(node, helpers.get(node), below));
    }
    return new PlanNode(reader, Collections.emptyList(), below);
  }

  /**
   * Finds the relations by which a caller can attribute wrong bytes to units.
   *
   * @param read the units that were read
   * @param tail whether the bytes are those of a tail
   * @return all relations between units that were read or have no bytes
   * @throws NoPlanException if the code does not define how tails are coded
   */
  public ZeroSums relations(Set<Integer> read, boolean tail) throws NoPlanException {
    Set<Integer> missing = units();
    missing.removeAll(read);
    return ZeroSums.of(tail ? tailCode() : code,
        missing.stream().mapToInt(Integer::intValue).toArray());
  }
}
