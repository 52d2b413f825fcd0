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
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.coder.code.SubChunk;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * From a snapshot of a block group to a plan: chooses helpers, asks the code for the coefficients,
 * and lets the topology arrange the tree. Pure: the same input gives the same plan.
 */
@InterfaceAudience.Private
public final class Planner {
  private Planner() {
  }

  /**
   * Plans a repair.
   *
   * @param snapshot the group; holders that must not be used have been left out
   * @param code its code, with the snapshot's k and m
   * @param options the operator's choices
   * @throws NoPlanException if the live units do not determine the lost ones
   */
  public static RepairPlan plan(GroupSnapshot snapshot, LinearCode code, PlanOptions options)
      throws NoPlanException {
    if (code.dataUnits() != snapshot.dataUnits() || code.parityUnits() != snapshot.parityUnits()) {
      throw new IllegalArgumentException("Block group " + snapshot.id() + " has k="
          + snapshot.dataUnits() + ", m=" + snapshot.parityUnits() + ", its code " + code.name()
          + " has k=" + code.dataUnits() + ", m=" + code.parityUnits());
    }
    if (code.subChunks() != 1) {
      throw new NoPlanException("Code " + code.name() + " splits units into " + code.subChunks()
          + " sub-chunks; only codes that do not can be planned");
    }
    Map<Integer, NodeRef> holders = choose(snapshot, options.topology());
    RepairEquation equation = solve(snapshot, code, holders);
    Optional<Extra> extra = Optional.empty();
    if (options.checkOneIn() != 0) {
      extra = chooseExtra(snapshot, code, equation, holders, true);
      if (!extra.isPresent()) {
        extra = chooseExtra(snapshot, code, equation, holders, false);
      }
    }
    List<Share> shares = shares(snapshot, equation, extra, holders);
    SliceGeometry geometry = new SliceGeometry(snapshot.streamBytes(), options.sliceBytes(),
        extra.isPresent() ? options.checkOneIn() : 0,
        extra.isPresent() ? (int) Math.floorMod(options.seed(), (long) options.checkOneIn()) : 0);
    CheckRelation check = extra.map(e -> new CheckRelation(e.unit, e.weights)).orElse(null);
    PlanNode root = arrange(snapshot.destination(), shares, options.topology());
    return new RepairPlan(snapshot.id(), options.topology().name(), geometry, snapshot.targets(),
        check, root);
  }

  /** One holder for each unit with bytes, in the order in which they should become helpers. */
  private static Map<Integer, NodeRef> choose(GroupSnapshot snapshot, Topology topology) {
    NodeRef destination = snapshot.destination();
    List<Holder> order = topology.prefer(destination, snapshot.live());
    // A unit that the destination has itself costs no transfer; a node that cannot multiply makes
    // another one receive its whole unit.
    order.sort(Comparator.comparingInt((Holder holder) ->
        holder.node().equals(destination) ? 0 : holder.node().runsExtension() ? 1 : 2));
    Map<Integer, NodeRef> holders = new LinkedHashMap<>();
    for (Holder holder : order) {
      if (snapshot.unitBytes(holder.unit()) > 0) {
        holders.putIfAbsent(holder.unit(), holder.node());
      }
    }
    return holders;
  }

  private static RepairEquation solve(GroupSnapshot snapshot, LinearCode code,
      Map<Integer, NodeRef> holders) throws NoPlanException {
    // Units that the file ended before are zeros: known, and free.
    List<Integer> available = new ArrayList<>();
    for (int unit = 0; unit < snapshot.units(); unit++) {
      if (snapshot.unitBytes(unit) == 0) {
        available.add(unit);
      }
    }
    available.addAll(holders.keySet());
    int[] lost = snapshot.targets().stream().mapToInt(Holder::unit).toArray();
    int[] best = available.stream().mapToInt(Integer::intValue).toArray();
    return code.solve(lost, code.helperOrder(lost, best)).orElseThrow(() ->
        new NoPlanException("Units " + available + " of block group " + snapshot.id()
            + " do not determine the lost units under " + code.name()));
  }

  /** A helper more than needed, and what it says about the others. */
  private static final class Extra {
    private final int unit;
    private final byte[] weights;
    private final Map<Integer, Byte> coefficients;

    Extra(int unit, byte[] weights, Map<Integer, Byte> coefficients) {
      this.unit = unit;
      this.weights = weights;
      this.coefficients = coefficients;
    }
  }

  /**
   * The spare helper whose relation involves most others, the preferred one among equals.
   *
   * @param skipping whether it has to be one that can leave out slices: a stock read cannot, so a
   *     helper without the extension sends all its bytes for the few that are checked. That is
   *     still better than no check, and costs a link that carries least
   */
  private static Optional<Extra> chooseExtra(GroupSnapshot snapshot, LinearCode code,
      RepairEquation equation, Map<Integer, NodeRef> holders, boolean skipping) {
    Map<Integer, Byte> best = null;
    int bestUnit = -1;
    for (Map.Entry<Integer, NodeRef> candidate : holders.entrySet()) {
      int unit = candidate.getKey();
      boolean spare = equation.helpersOf(unit).isEmpty()
          && (!skipping || candidate.getValue().runsExtension()
          || candidate.getValue().equals(snapshot.destination()));
      Optional<GfMatrix> expression = spare
          ? code.express(SubChunk.of(unit, 0), equation.helpers()) : Optional.empty();
      if (expression.isPresent()) {
        Map<Integer, Byte> coefficients = new HashMap<>();
        for (int i = 0; i < equation.helpers().size(); i++) {
          byte coefficient = (byte) expression.get().get(0, i);
          if (coefficient != 0) {
            coefficients.put(equation.helpers().get(i).unit(), coefficient);
          }
        }
        if (best == null || coefficients.size() > best.size()) {
          best = coefficients;
          bestUnit = unit;
        }
      }
    }
    if (best == null) {
      return Optional.empty();
    }
    byte[] weights = new byte[snapshot.targets().size()];
    for (int lost = 0; lost < weights.length; lost++) {
      // Different weights, so that equal errors in two rebuilt units do not cancel.
      weights[lost] = (byte) Gf256.pow(2, lost);
    }
    return Optional.of(new Extra(bestUnit, weights, best));
  }

  private static List<Share> shares(GroupSnapshot snapshot, RepairEquation equation,
      Optional<Extra> extra, Map<Integer, NodeRef> holders) {
    int lostRows = snapshot.targets().size();
    int rows = lostRows + (extra.isPresent() ? 1 : 0);
    List<Share> shares = new ArrayList<>();
    for (Map.Entry<Integer, NodeRef> holder : holders.entrySet()) {
      int unit = holder.getKey();
      byte[] column = new byte[rows];
      if (!equation.helpersOf(unit).isEmpty()) {
        GfMatrix coefficients = equation.coefficientsOf(unit);
        int check = 0;
        for (int row = 0; row < lostRows; row++) {
          column[row] = (byte) coefficients.get(row, 0);
          check ^= extra.isPresent()
              ? Gf256.mul(extra.get().weights[row] & 0xff, coefficients.get(row, 0)) : 0;
        }
        if (extra.isPresent()) {
          column[lostRows] = (byte) (check ^ extra.get().coefficients.getOrDefault(unit, (byte) 0));
        }
      } else if (extra.isPresent() && extra.get().unit == unit) {
        column[lostRows] = 1;
      } else {
        continue;
      }
      shares.add(new Share(unit, snapshot.unitBytes(unit), holder.getValue(), column, lostRows));
    }
    return shares;
  }

  private static PlanNode arrange(NodeRef destination, List<Share> shares, Topology topology) {
    Map<NodeRef, List<Share>> byNode = new LinkedHashMap<>();
    List<Share> own = new ArrayList<>();
    List<Share> stock = new ArrayList<>();
    for (Share share : shares) {
      if (share.holder().equals(destination)) {
        own.add(share);
      } else if (share.holder().runsExtension()) {
        byNode.computeIfAbsent(share.holder(), node -> new ArrayList<>()).add(share);
      } else {
        stock.add(share);
      }
    }
    List<Member> members = new ArrayList<>();
    byNode.forEach((node, held) -> members.add(new Member(node, held)));
    members.sort(Comparator.comparing(Member::onlyChecks));
    PlanNode tree = topology.arrange(destination, members);
    return withShares(tree, own, placeStockReads(tree, stock));
  }

  /** Which node reads which stock share: the links that carry least get one more. */
  private static Map<NodeRef, List<Share>> placeStockReads(PlanNode tree, List<Share> stock) {
    List<PlanNode> nodes = new ArrayList<>();
    tree.forEach(nodes::add);
    // Among equals the far end: what it reads then flows along with its own.
    Collections.reverse(nodes);
    Map<NodeRef, Integer> inbound = new HashMap<>();
    nodes.forEach(node -> inbound.put(node.node(), node.children().size()));
    Map<NodeRef, List<Share>> reads = new HashMap<>();
    for (Share share : stock) {
      NodeRef least = Collections.min(nodes,
          Comparator.comparing(node -> inbound.get(node.node()))).node();
      inbound.merge(least, 1, Integer::sum);
      reads.computeIfAbsent(least, node -> new ArrayList<>()).add(share);
    }
    return reads;
  }

  private static PlanNode withShares(PlanNode node, List<Share> own,
      Map<NodeRef, List<Share>> reads) {
    List<Share> shares = new ArrayList<>(own);
    shares.addAll(node.shares());
    shares.addAll(reads.getOrDefault(node.node(), Collections.emptyList()));
    List<PlanNode> children = new ArrayList<>();
    for (PlanNode child : node.children()) {
      children.add(withShares(child, Collections.emptyList(), reads));
    }
    return new PlanNode(node.node(), shares, children);
  }
}
