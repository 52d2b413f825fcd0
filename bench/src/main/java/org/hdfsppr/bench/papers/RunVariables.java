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
package org.hdfsppr.bench.papers;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;


/** What the user's command line says to all runs. Immutable. */
final class RunVariables {
  final long seed;
  private final Path traces;
  final List<String> traceNames;

  /**
   * @param seed of all runs that draw
   * @param traces the folder with traces, or null
   * @param traceNames the names of the traces in it, without {@code .csv}
   */
  RunVariables(long seed, Path traces, List<String> traceNames) {
    this.seed = seed;
    this.traces = traces;
    this.traceNames = List.copyOf(traceNames);
  }

  Optional<Path> traces() {
    return Optional.ofNullable(traces);
  }
}
