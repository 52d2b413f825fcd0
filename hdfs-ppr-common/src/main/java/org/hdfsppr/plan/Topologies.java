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

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;

/** The tree shapes that an operator can configure by name. */
@InterfaceAudience.Private
public final class Topologies {
  private static final List<Topology> ALL = Arrays.asList(new StarTopology(),
      new BinomialTopology(), new ChainTopology(), new RackTopology(), new FreeSumTopology());

  private Topologies() {
  }

  /** @return all tree shapes */
  public static List<Topology> all() {
    return ALL;
  }

  /** @return the names that {@link #byName} accepts */
  public static List<String> names() {
    return ALL.stream().map(Topology::name).collect(Collectors.toList());
  }

  /**
   * @param name the configured name
   * @return the shape with that name
   * @throws IllegalArgumentException if no shape has that name; the message names the value and the
   *     allowed names
   */
  public static Topology byName(String name) {
    return ALL.stream().filter(topology -> topology.name().equals(name)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException(
            "Unknown topology '" + name + "', choose one of " + names()));
  }
}
