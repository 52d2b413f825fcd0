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

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.apache.hadoop.fs.Path;
import org.hdfsppr.it.convert.PprCommand;
import org.hdfsppr.it.util.EcCode;

/** Calls of {@code hdfs ppr -convert} that wait for the job's end. */
final class ConvertCall {

  /** How long old versions stay, which is how long a check for leftovers waits at least. */
  private static final String GRACE = "2s";

  /** A job goes on after a NameNode's death, and retries after a DataNode's. */
  static final Duration LIMIT = Duration.ofMinutes(6);

  private ConvertCall() {
  }

  /** Starts a call, which the caller closes. */
  static PprCommand start(VersionsCluster cluster, EcCode to, Path... paths)
      throws IOException, InterruptedException {
    return PprCommand.start(cluster.processes, arguments(to, paths));
  }

  /** Makes a call, and fails if the job has not converted all that it found. */
  static void run(VersionsCluster cluster, EcCode to, Path path)
      throws IOException, InterruptedException {
    PprCommand.run(cluster.processes, LIMIT, arguments(to, path));
  }

  private static List<String> arguments(EcCode to, Path... paths) {
    List<String> arguments = new ArrayList<>(List.of("-convert", "-policy", to.policy(), "-wait",
        "-json", "-idle", "0", "-grace", GRACE));
    for (Path path : paths) {
      arguments.add(path.toUri().getPath());
    }
    return arguments;
  }
}
