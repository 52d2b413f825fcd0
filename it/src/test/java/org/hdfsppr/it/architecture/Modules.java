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

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The modules, and the modules that each of them may use. */
final class Modules {
  private static final String CODER = "hdfs-ppr-coder";
  private static final String COMMON = "hdfs-ppr-common";
  private static final String DATANODE = "hdfs-ppr-datanode";
  private static final String NAMENODE = "hdfs-ppr-namenode";
  private static final String CLIENT = "hdfs-ppr-client";
  private static final String FILES_COMMON = "hdfs-ppr-files-common";
  private static final String FILES_DATANODE = "hdfs-ppr-files-datanode";
  private static final String FILES_NAMENODE = "hdfs-ppr-files-namenode";
  private static final String FILES_CLIENT = "hdfs-ppr-files-client";
  private static final String MAPREDUCE = "hdfs-ppr-mapreduce";
  private static final String IT = "it";
  private static final String CONFORMANCE = "it/conformance";
  private static final String BENCH = "bench";

  /** The modules whose classes are built before the tests of the module it run. */
  static final List<String> BUILT = List.of(CODER, COMMON, DATANODE, NAMENODE, CLIENT,
      FILES_COMMON, FILES_DATANODE, FILES_NAMENODE, FILES_CLIENT, MAPREDUCE, IT);

  /** All modules. A module stands after the modules that it uses. */
  static final List<String> ALL = and(BUILT, CONFORMANCE, BENCH);

  /** The modules whose classes are built before the tests of the benchmarks run. */
  static final List<String> BUILT_WITH_BENCH = and(BUILT, BENCH);

  private static final Set<String> DROP_INS = Set.of(CODER, COMMON, DATANODE, NAMENODE, CLIENT,
      FILES_COMMON, FILES_DATANODE, FILES_NAMENODE, FILES_CLIENT);

  /** What repairs needs nothing of what adds versions and updates of files. */
  private static final Map<String, Set<String>> USES = Map.ofEntries(
      Map.entry(CODER, Set.of()),
      Map.entry(COMMON, Set.of(CODER)),
      Map.entry(DATANODE, Set.of(CODER, COMMON)),
      Map.entry(NAMENODE, Set.of(CODER, COMMON)),
      Map.entry(CLIENT, Set.of(CODER, COMMON)),
      Map.entry(FILES_COMMON, Set.of(CODER, COMMON)),
      Map.entry(FILES_DATANODE, Set.of(CODER, COMMON, FILES_COMMON, DATANODE)),
      Map.entry(FILES_NAMENODE, Set.of(CODER, COMMON, FILES_COMMON, NAMENODE)),
      Map.entry(FILES_CLIENT, Set.of(CODER, COMMON, FILES_COMMON, CLIENT)),
      Map.entry(MAPREDUCE, Set.of(CODER, COMMON, FILES_COMMON, CLIENT, FILES_CLIENT)),
      Map.entry(IT, DROP_INS),
      Map.entry(BENCH, Set.copyOf(and(DROP_INS, IT))));

  private Modules() {
  }

  private static List<String> and(Collection<String> modules, String... more) {
    return Stream.concat(modules.stream(), Stream.of(more)).collect(Collectors.toList());
  }

  static boolean mayUse(String from, String to) {
    return from.equals(to) || USES.get(from).contains(to);
  }
}
