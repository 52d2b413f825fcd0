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
package org.hdfsppr.bench.convert;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.hdfsppr.it.util.Shell;

/** Drops files from the page cache, so that their next reader reads from the disk. */
final class DroppedPages {
  /** A command line holds at most some 2 MB, and a path here has some 250 bytes. */
  private static final int FILES_AT_A_TIME = 1000;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Only clean pages can be dropped, so the files are synced first. */
  private static final String SCRIPT = "sync -d \"$@\"; for f; do"
      + " dd if=\"$f\" iflag=nocache count=0 status=none; done";

  private DroppedPages() {
  }

  static void drop(List<Path> files) throws IOException, InterruptedException {
    for (int i = 0; i < files.size(); i += FILES_AT_A_TIME) {
      List<String> command = new ArrayList<>(List.of("sh", "-c", SCRIPT, "drop"));
      files.subList(i, Math.min(files.size(), i + FILES_AT_A_TIME))
          .forEach(file -> command.add(file.toString()));
      Shell.run(LIMIT, command);
    }
  }
}
