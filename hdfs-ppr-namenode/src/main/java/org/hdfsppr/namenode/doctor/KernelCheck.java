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
package org.hdfsppr.namenode.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/** Finds nodes that multiply with the slow Java kernel. */
@InterfaceAudience.Private
final class KernelCheck implements Check {
  private static final String JAVA = "java";

  @Override
  public List<Finding> examine(ClusterFacts facts) {
    Set<String> kernels = new TreeSet<>();
    List<NodeFacts> slow = new ArrayList<>();
    for (NodeFacts node : facts.speaking()) {
      node.self().ifPresent(self -> {
        kernels.add(self.kernel);
        if (self.kernel.equals(JAVA)) {
          slow.add(node);
        }
      });
    }
    if (kernels.size() <= 1) {
      // If an operator has chosen the Java kernel for all nodes, this is as it should be.
      slow.removeIf(node -> node.self().map(self -> self.kernelFallback).orElse("").isEmpty());
    }
    return List.of(slow.isEmpty()
        ? Finding.ok(FindingCode.KERNEL_JAVA, "No node has fallen back to the Java kernel; in use: "
            + (kernels.isEmpty() ? "not reported" : String.join(", ", kernels)) + "."
            + Prose.tooOld(facts.speaking(), node -> node.self().isPresent()))
        : Finding.warning(FindingCode.KERNEL_JAVA, Prose.names(slow), Prose.count(slow.size())
            + " with the Java kernel, which is several times slower: "
            + Prose.list(slow.stream().map(KernelCheck::describe).collect(Collectors.toList()))
            + "."));
  }

  private static String describe(NodeFacts node) {
    String why = node.self().map(self -> self.kernelFallback).orElse("");
    return node.name() + " (" + (why.isEmpty() ? "dfs.ppr.kernel is java" : why) + ")";
  }
}
