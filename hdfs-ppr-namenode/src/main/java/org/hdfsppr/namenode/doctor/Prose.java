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

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/** Texts that several checks use. */
@InterfaceAudience.Private
public final class Prose {
  /** How many nodes a sentence names at most. The list of the finding has all of them. */
  static final int NAMED_MAX = 5;

  private Prose() {
  }

  /**
   * @param nodes the number of DataNodes
   * @return the number with the noun: "1 DataNode", "2 DataNodes"
   */
  public static String count(int nodes) {
    return nodes + (nodes == 1 ? " DataNode" : " DataNodes");
  }

  /**
   * @param parts what a sentence lists
   * @return the first five parts, and how many more there are
   */
  public static String list(Collection<String> parts) {
    String first = parts.stream().limit(NAMED_MAX).collect(Collectors.joining(", "));
    return parts.size() <= NAMED_MAX ? first
        : first + " and " + (parts.size() - NAMED_MAX) + " more";
  }

  /**
   * @param nodes some DataNodes
   * @return their names for operators, host:port of stock's transfer port
   */
  public static List<String> names(Collection<NodeFacts> nodes) {
    return nodes.stream().map(NodeFacts::name).collect(Collectors.toList());
  }

  /**
   * @param nodes some DataNodes
   * @param says whether a DataNode reports what is compared
   * @return a sentence, after a blank, about the number of nodes that do not report it; empty if
   *     all nodes do
   */
  public static String tooOld(Collection<NodeFacts> nodes, Predicate<NodeFacts> says) {
    int silent = (int) nodes.stream().filter(says.negate()).count();
    return silent == 0 ? "" : " " + count(silent) + " cannot be compared, because the version"
        + " there does not report it or has not yet.";
  }
}
