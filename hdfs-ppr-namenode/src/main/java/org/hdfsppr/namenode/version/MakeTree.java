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
package org.hdfsppr.namenode.version;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.Holder;

/** Units of a new version that are made in one tree. All units are those of the combined code. */
@InterfaceAudience.Private
public final class MakeTree {
  private final List<Holder> targets;
  private final List<Holder> helpers;
  private final String topology;
  private final boolean byDecoding;
  private final long movedBytes;

  /**
   * @param targets the units to make and their nodes; the node of the first one leads
   * @param helpers the units to make them of and their nodes, the best ones first
   * @param topology name of the tree's shape
   * @param byDecoding whether the first helpers that suffice are taken, and no recipe
   * @param movedBytes bytes that go from node to node
   */
  public MakeTree(List<Holder> targets, List<Holder> helpers, String topology, boolean byDecoding,
      long movedBytes) {
    this.targets = Collections.unmodifiableList(new ArrayList<>(targets));
    this.helpers = Collections.unmodifiableList(new ArrayList<>(helpers));
    this.topology = topology;
    this.byDecoding = byDecoding;
    this.movedBytes = movedBytes;
  }

  List<Holder> targets() {
    return targets;
  }

  List<Holder> helpers() {
    return helpers;
  }

  String topology() {
    return topology;
  }

  boolean isByDecoding() {
    return byDecoding;
  }

  long movedBytes() {
    return movedBytes;
  }

  /** Returns the UUIDs of all nodes that may take part. */
  List<String> nodes() {
    List<Holder> all = new ArrayList<>(targets);
    all.addAll(helpers);
    return all.stream().map(holder -> holder.node().uuid()).distinct()
        .collect(Collectors.toList());
  }
}
