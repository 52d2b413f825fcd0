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

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;


/** Runs a benchmark. */
@FunctionalInterface
interface RunExecutor {
  /**
   * Runs a benchmark to its end.
   *
   * @param command the arguments of {@code bench.sh}, without {@code --json}
   * @param json where the benchmark writes its results
   * @param log where the benchmark prints to
   * @throws IOException if the benchmark fails
   * @throws InterruptedException if the calling thread is interrupted
   */
  void run(List<String> command, Path json, Path log) throws IOException, InterruptedException;
}
