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
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A tree that moves no more bytes than the repair reads, and spreads them over several receivers.
 * It is for codes with sub-chunks. A helper that reads a whole unit sends as many rows as the lost
 * unit has, and can add the rows of other helpers to them without sending more. Such helpers form a
 * chain to the destination. The helpers that read only parts of units send these parts directly to
 * a node of this chain or to the destination. An example with two helpers that read whole units and
 * five helpers that read half a unit each:
 *
 * <pre>
 *             0            the destination: 1 + 2/2 units
 *           / | \
 *          1  p  p         reads a whole unit, receives 1 + 1/2 units
 *         / \
 *        2   p             reads a whole unit, receives 2/2 units
 *       / \
 *      p   p               read half a unit each
 * </pre>
 *
 * <p>Each part goes to the node that receives least so far. With F whole units and S parts of one
 * sub-chunk, no node therefore receives more than (F * s + S) / (F + 1) sub-chunks, rounded up, or
 * one unit if that is more. If no helper reads a part, the tree is the chain. If no helper reads a
 * whole unit, it is the star. The tree saves bytes only with {@link NarrowLinks}, by which a link
 * carries no more rows than the part that is read below it. If links cannot be narrow, the tree is
 * the chain.
 */
@InterfaceAudience.Private
public final class FreeSumTopology implements TreeTopology {
  /** The name by which operators and commands choose this topology. */
  public static final String NAME = "free-sum";

  private static final TreeTopology CHAIN = new ChainTopology();

  FreeSumTopology() {
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public TreeTopology overWideLinks() {
    return CHAIN;
  }

  @Override
  public boolean movesLeast() {
    return true;
  }

  @Override
  public PlanNode arrange(NodeRef destination, List<TreeHelper> members) {
    int[] reads = new int[members.size()];
    int subChunks = 1;
    int lostUnits = 1;
    for (int i = 0; i < reads.length; i++) {
      for (RepairSource source : members.get(i).sources) {
        subChunks = source.subChunks;
        lostUnits = source.rows(SliceKind.PLAIN) / subChunks;
        reads[i] += source.runsRead();
      }
    }
    int[] parents = parents(reads, subChunks, lostUnits);
    return tree(0, new PlanNode(destination, Collections.emptyList(), Collections.emptyList()),
        members, parents);
  }

  private static PlanNode tree(int number, PlanNode bare, List<TreeHelper> members, int[] parents) {
    List<PlanNode> children = new ArrayList<>();
    for (int i = 1; i < parents.length; i++) {
      if (parents[i] == number) {
        TreeHelper member = members.get(i - 1);
        children.add(tree(i, new PlanNode(member.node, member.sources,
            Collections.emptyList()), members, parents));
      }
    }
    return new PlanNode(bare.node, bare.sources, children);
  }

  /**
   * Chooses the parent of each helper. Nodes are numbered: the destination is 0, and the helpers
   * follow from 1, in their order.
   *
   * @param reads number of sub-chunks that each helper reads for slices that are not checked; 0 for
   *     helpers that serve only the check, which come last
   * @param subChunks number of sub-chunks of a unit
   * @param lostUnits number of units that the repair rebuilds
   * @return the number of each node's parent; -1 for the destination
   */
  public static int[] parents(int[] reads, int subChunks, int lostUnits) {
    int[] parents = new int[reads.length + 1];
    // The number of rows that each node receives. Only nodes with sums[i] receive any.
    int[] received = new int[reads.length + 1];
    boolean[] sums = new boolean[reads.length + 1];
    boolean parts = false;
    parents[0] = -1;
    sums[0] = true;
    int last = 0;
    for (int i = 1; i < parents.length; i++) {
      parts |= reads[i - 1] > 0 && reads[i - 1] < subChunks;
      if (reads[i - 1] >= subChunks) {
        sums[i] = true;
        parents[i] = last;
        received[last] = subChunks * lostUnits;
        last = i;
      }
    }
    if (!parts) {
      for (int i = 1; i < parents.length; i++) {
        parents[i] = i - 1;
      }
      return parents;
    }
    for (int size = subChunks - 1; size >= 0; size--) {
      for (int i = 1; i < parents.length; i++) {
        if (reads[i - 1] == size) {
          parents[i] = least(received, sums);
          // A helper that serves only the check sends one row in checked slices, so that it counts
          // as one.
          received[parents[i]] += Math.max(1, size);
        }
      }
    }
    return parents;
  }

  private static int least(int[] received, boolean[] sums) {
    int least = 0;
    for (int i = 1; i < received.length; i++) {
      if (sums[i] && received[i] < received[least]) {
        least = i;
      }
    }
    return least;
  }
}
