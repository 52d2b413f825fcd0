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
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.OwnJar;

/** Finds class paths with jars of two versions. */
@InterfaceAudience.Private
final class ClassPathCheck implements Check {
  @Override
  public List<Finding> examine(ClusterFacts facts) {
    List<String> wrong = new ArrayList<>();
    List<String> said = new ArrayList<>();
    for (NodeFacts node : facts.speaking()) {
      node.self().filter(self -> isMixed(self.jars)).ifPresent(self -> {
        wrong.add(node.name());
        said.add(node.name() + " has " + describe(self.jars));
      });
    }
    if (isMixed(facts.namenode.jars)) {
      said.add(0, "this NameNode has " + describe(facts.namenode.jars));
    }
    return List.of(said.isEmpty()
        ? Finding.ok(FindingCode.TWO_VERSIONS, "No class path has jars of two versions."
            + Prose.tooOld(facts.speaking(), node -> node.self().isPresent()))
        : Finding.error(FindingCode.TWO_VERSIONS, wrong,
            "Jars of different versions are on one class path: " + Prose.list(said) + "."));
  }

  private static boolean isMixed(List<OwnJar> jars) {
    return jars.stream().map(jar -> jar.version).filter(version -> !version.isEmpty()).distinct()
        .count() > 1;
  }

  private static String describe(List<OwnJar> jars) {
    return jars.stream().map(OwnJar::toString).collect(Collectors.joining(" and "));
  }
}
