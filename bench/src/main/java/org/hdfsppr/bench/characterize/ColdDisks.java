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
package org.hdfsppr.bench.characterize;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.Shell;
import org.hdfsppr.it.util.Trees;

/**
 * Puts all that DataNodes have stored onto the disks and out of the page cache, so that what is
 * read is read from the disks, and what is written before does not count.
 */
@InterfaceAudience.Private
public final class ColdDisks {
  /** A command line holds at most some 2 MB, and a path here has some 250 bytes. */
  private static final int FILES_AT_A_TIME = 1000;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** Only clean pages can be dropped. Files may be deleted meanwhile, those of earlier devices. */
  private static final String SCRIPT = "for f; do sync -d \"$f\" 2>/dev/null || [ ! -e \"$f\" ]"
      + " || exit 1; [ ! -e \"$f\" ]"
      + " || dd if=\"$f\" iflag=nocache count=0 status=none || [ ! -e \"$f\" ] || exit 1; done";

  private ColdDisks() {
  }

  /**
   * Writes out and drops the pages of all that DataNodes have stored.
   *
   * @param cluster a cluster, running or not
   * @throws IOException if a file cannot be written to its disk
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static void cool(HdfsProcessCluster cluster) throws IOException, InterruptedException {
    List<Path> files = new ArrayList<>();
    for (int node = 1; node <= cluster.spec().nodes; node++) {
      files.addAll(Trees.files(cluster.dataDir(node), file -> isStored(file)));
      files.addAll(Trees.files(cluster.updateLogDir(node), file -> true));
    }
    for (int i = 0; i < files.size(); i += FILES_AT_A_TIME) {
      List<String> command = new ArrayList<>(List.of("sh", "-c", SCRIPT, "cool"));
      files.subList(i, Math.min(files.size(), i + FILES_AT_A_TIME))
          .forEach(file -> command.add(file.toString()));
      Shell.run(LIMIT, command);
    }
  }

  private static boolean isStored(Path file) {
    return file.getFileName().toString().startsWith("blk_");
  }
}
