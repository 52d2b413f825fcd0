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
import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/** Finds a link rate in the settings that is far from what repairs have seen. */
@InterfaceAudience.Private
final class LinkRateCheck implements Check {
  /**
   * A rate that differs by this factor is a finding. The scheduler still works well with a rate
   * that is off by a smaller factor, and repairs seldom use a link fully.
   */
  static final double FACTOR = 4;
  private static final double MEGA = 1e6;
  private static final int BITS = 8;
  private static final int TENTHS_BELOW = 10;

  @Override
  public List<Finding> examine(ClusterFacts facts) {
    double link = facts.namenode.linkBytesPerSecond;
    List<NodeFacts> seen = new ArrayList<>(facts.speaking());
    seen.removeIf(node -> node.bestBytesPerSecond() == 0);
    if (seen.isEmpty()) {
      return List.of(Finding.ok(FindingCode.LINK_RATE, "No repair has lately run for long enough to"
          + " compare its rate with the link rate of " + setting(link) + "." + ifNotSet(facts)));
    }
    List<NodeFacts> faster = new ArrayList<>(seen);
    faster.removeIf(node -> node.bestBytesPerSecond() < link * FACTOR);
    if (!faster.isEmpty()) {
      return List.of(Finding.warning(FindingCode.LINK_RATE, Prose.names(faster),
          "Repairs have moved up to " + rate(best(faster)) + " over a node's link, but"
          + " dfs.namenode.ppr.link.bytes.per-second says " + setting(link)
          + ", so that the scheduler uses too few links at a time."));
    }
    // An operator's limit holds repairs back, whatever the link could do.
    List<NodeFacts> free = new ArrayList<>(seen);
    free.removeIf(NodeFacts::isLimited);
    if (!free.isEmpty() && best(free) <= link / FACTOR) {
      return List.of(Finding.warning(FindingCode.LINK_RATE, Prose.names(free),
          "Repairs have moved no more than " + rate(best(free)) + " over a node's link, but"
          + " dfs.namenode.ppr.link.bytes.per-second says " + setting(link)
          + ", so that the scheduler expects too much."));
    }
    return List.of(Finding.ok(FindingCode.LINK_RATE, "Repairs have moved up to " + rate(best(seen))
        + " over a node's link, which fits the link rate of " + setting(link) + "."
        + ifNotSet(facts)));
  }

  private static String ifNotSet(ClusterFacts facts) {
    return facts.namenode.linkRateSet ? "" : " It is the default: repairs yield to users only"
        + " where dfs.namenode.ppr.link.bytes.per-second is set.";
  }

  private static double best(List<NodeFacts> nodes) {
    return nodes.stream().mapToLong(NodeFacts::bestBytesPerSecond).max().orElse(0);
  }

  /** Returns the rate of the setting as links have it, and as the setting has it. */
  private static String setting(double bytesPerSecond) {
    return String.format(Locale.ROOT, "%s (%.0f bytes per second)", rate(bytesPerSecond),
        bytesPerSecond);
  }

  private static String rate(double bytesPerSecond) {
    double megabits = bytesPerSecond * BITS / MEGA;
    return String.format(Locale.ROOT, megabits < TENTHS_BELOW ? "%.1f Mbit/s" : "%.0f Mbit/s",
        megabits);
  }
}
