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
package org.hdfsppr.it.versions;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What random drivers on clusters of processes have in common. */
final class RandomRuns {
  static final long SEED = Long.getLong("faults.seed", 20261125L);

  /** After a NameNode's death, a check waits until each node has reported all of its blocks. */
  static final Map<String, String> CONF = Map.of("dfs.blockreport.intervalMsec", "4000");

  private RandomRuns() {
  }

  /**
   * Returns for each run whether there are two NameNodes.
   *
   * @param property the name of a property such as {@code false,true}, which is the default
   */
  static List<Boolean> highAvailability(String property) {
    return Stream.of(System.getProperty(property, "false,true").split(","))
        .map(value -> Boolean.valueOf(value.strip())).collect(Collectors.toList());
  }

  static void say(String words) {
    System.out.println(LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + words);
    System.out.flush();
  }
}
