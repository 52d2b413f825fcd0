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
package org.hdfsppr.it.architecture;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The modules, and the modules that each of them may use. */
final class Modules {
  private static final String CODER = "hdfs-ppr-coder";
  private static final String COMMON = "hdfs-ppr-common";
  private static final String DATANODE = "hdfs-ppr-datanode";
  private static final String NAMENODE = "hdfs-ppr-namenode";
  private static final String CLIENT = "hdfs-ppr-client";
  private static final String MAPREDUCE = "hdfs-ppr-mapreduce";
  private static final String IT = "it";
  private static final String CONFORMANCE = "it/conformance";
  private static final String BENCH = "bench";

  /** All modules. A module stands after the modules that it uses. */
  static final List<String> ALL =
      List.of(CODER, COMMON, DATANODE, NAMENODE, CLIENT, MAPREDUCE, IT, CONFORMANCE, BENCH);

  /** The modules whose classes are built before the tests of the module it run. */
  static final List<String> BUILT =
      List.of(CODER, COMMON, DATANODE, NAMENODE, CLIENT, MAPREDUCE, IT);

  /** The modules whose classes are built before the tests of the benchmarks run. */
  static final List<String> BUILT_WITH_BENCH =
      List.of(CODER, COMMON, DATANODE, NAMENODE, CLIENT, MAPREDUCE, IT, BENCH);

  private static final Map<String, Set<String>> USES = Map.of(
      CODER, Set.of(),
      COMMON, Set.of(CODER),
      DATANODE, Set.of(CODER, COMMON),
      NAMENODE, Set.of(CODER, COMMON),
      CLIENT, Set.of(CODER, COMMON),
      MAPREDUCE, Set.of(CODER, COMMON, CLIENT),
      IT, Set.of(CODER, COMMON, DATANODE, NAMENODE, CLIENT),
      BENCH, Set.of(CODER, COMMON, DATANODE, NAMENODE, CLIENT, IT));

  private Modules() {
  }

  static boolean mayUse(String from, String to) {
    return from.equals(to) || USES.get(from).contains(to);
  }
}
