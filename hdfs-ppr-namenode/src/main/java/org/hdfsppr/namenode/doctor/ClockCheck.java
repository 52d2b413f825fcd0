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
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/** Finds nodes whose clock differs from the NameNode's. */
@InterfaceAudience.Private
final class ClockCheck implements Check {
  /**
   * The greatest difference that is not a finding, ms. A heartbeat takes far less than this, and
   * block tokens live for hours.
   */
  static final long OFFSET_MS_MAX = 60_000;

  @Override
  public List<Finding> examine(ClusterFacts facts) {
    List<NodeFacts> known = new ArrayList<>(facts.speaking());
    known.removeIf(node -> node.clockOffsetMs().isEmpty());
    List<NodeFacts> off = new ArrayList<>(known);
    off.removeIf(node -> Math.abs(node.clockOffsetMs().get()) <= OFFSET_MS_MAX);
    if (off.isEmpty()) {
      return List.of(Finding.ok(FindingCode.CLOCK_OFF, "The clocks of " + Words.count(known.size())
          + " are within a minute of this NameNode's."
          + Words.tooOld(facts.speaking(), node -> node.clockOffsetMs().isPresent())));
    }
    return List.of(Finding.warning(FindingCode.CLOCK_OFF, Words.names(off),
        "Clocks differ from this NameNode's by more than a minute: "
        + Words.list(off.stream().map(ClockCheck::describe).collect(Collectors.toList())) + "."
        + (off.size() == known.size() && off.size() > 1
            ? " As all of them differ, look at this NameNode's clock first." : "")));
  }

  private static String describe(NodeFacts node) {
    long offsetMs = node.clockOffsetMs().get();
    return node.name() + " (" + TimeUnit.MILLISECONDS.toSeconds(Math.abs(offsetMs)) + " s "
        + (offsetMs > 0 ? "ahead" : "behind") + ")";
  }
}
