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
package org.hdfsppr.datanode.update.log;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.apache.hadoop.classification.InterfaceAudience;

/** Opens logs on a disk. */
@InterfaceAudience.Private
public final class DiskLog {
  private DiskLog() {
  }

  /**
   * Opens a log on a disk, and makes it if there is none.
   *
   * @param folder the folder; no other log may use it
   * @param limits how much the log may hold
   * @return the log
   * @throws CorruptLogException if bytes are not those that were written; no file has changed then
   * @throws IOException if the disk fails
   */
  public static UpdateLog open(Path folder, LogLimits limits) throws IOException {
    SecureRandom random = new SecureRandom();
    DiskFolder disk = DiskFolder.open(folder);
    boolean done = false;
    try {
      UpdateLog log = UpdateLog.open(disk, limits, MachineBoot.id(random::nextLong),
          random::nextLong, System::nanoTime);
      done = true;
      return log;
    } finally {
      if (!done) {
        disk.close();
      }
    }
  }
}
