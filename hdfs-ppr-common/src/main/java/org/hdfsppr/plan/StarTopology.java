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
 * A star: all helpers send to the destination, as in stock HDFS, so that the destination's link
 * carries k units. Serves as the baseline of comparisons.
 */
@InterfaceAudience.Private
final class StarTopology implements Topology {
  @Override
  public String name() {
    return "star";
  }

  @Override
  public List<Holder> prefer(NodeRef destination, List<Holder> candidates) {
    return new ArrayList<>(candidates);
  }

  @Override
  public PlanNode arrange(NodeRef destination, List<Member> members) {
    List<PlanNode> children = new ArrayList<>();
    for (Member member : members) {
      children.add(new PlanNode(member.node, member.sources, Collections.emptyList()));
    }
    return new PlanNode(destination, Collections.emptyList(), children);
  }
}
