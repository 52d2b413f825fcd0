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
import java.util.List;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;

/** Any tree: each helper sends to any node that is in the tree before it. */
@InterfaceAudience.Private
public final class RandomTopology implements TreeTopology {
  private final long seed;

  /** The trees follow from a number that is drawn here, so that each call gives the same tree. */
  public RandomTopology(Random random) {
    seed = random.nextLong();
  }

  @Override
  public String name() {
    return "random";
  }

  @Override
  public PlanNode arrange(NodeRef destination, List<TreeHelper> members) {
    Random random = new Random(seed);
    int[] parents = new int[members.size()];
    for (int i = 0; i < parents.length; i++) {
      parents[i] = random.nextInt(i + 1) - 1;
    }
    return new PlanNode(destination, List.of(), below(-1, members, parents));
  }

  private static List<PlanNode> below(int parent, List<TreeHelper> members, int[] parents) {
    List<PlanNode> children = new ArrayList<>();
    for (int i = 0; i < parents.length; i++) {
      if (parents[i] == parent) {
        children.add(new PlanNode(members.get(i).node, members.get(i).sources,
            below(i, members, parents)));
      }
    }
    return children;
  }
}
