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

/** Prose that several checks use. */
final class Prose {
  /** The most nodes that a sentence names; the finding lists all of them. */
  static final int NAMED_MAX = 5;

  private Prose() {
  }

  /** Returns "1 DataNode" or "2 DataNodes". */
  static String count(int nodes) {
    return nodes + (nodes == 1 ? " DataNode" : " DataNodes");
  }

  /** Lists the first parts, and says how many more there are. */
  static String list(Collection<String> parts) {
    String first = parts.stream().limit(NAMED_MAX).collect(Collectors.joining(", "));
    return parts.size() <= NAMED_MAX ? first
        : first + " and " + (parts.size() - NAMED_MAX) + " more";
  }

  static List<String> names(Collection<NodeFacts> nodes) {
    return nodes.stream().map(NodeFacts::name).collect(Collectors.toList());
  }

  /** Returns a sentence, after a blank, about nodes that are too old; empty if there are none. */
  static String tooOld(Collection<NodeFacts> nodes, Predicate<NodeFacts> says) {
    int silent = (int) nodes.stream().filter(says.negate()).count();
    return silent == 0 ? "" : " " + count(silent) + " cannot be compared, because the version"
        + " there does not report it or has not yet.";
  }
}
