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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.files.call.PluginUpdates;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.operate.CommitStatus;

/** Puts the updates of files into new versions of them. */
final class DeviceCommits {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration POLL = Duration.ofMillis(100);

  private DeviceCommits() {
  }

  /**
   * Commits files, as many at a time as the NameNode wants to, and waits for all of them.
   *
   * @throws IOException if a commit fails, with its file and cause
   */
  static void commit(Configuration conf, List<String> files)
      throws IOException, InterruptedException, TimeoutException {
    PluginUpdates plugin = new PluginUpdates(conf, FileSystem.getDefaultUri(conf),
        UserGroupInformation.getCurrentUser());
    List<CommitStatus> running = new ArrayList<>();
    for (String file : files) {
      running.add(plugin.commit(file, null));
    }
    for (int i = 0; i < running.size(); i++) {
      String file = files.get(i);
      CommitStatus[] last = {running.get(i)};
      Await.until("the commit of " + file + " has ended", LIMIT, POLL, () -> {
        if (!last[0].state.isEnd()) {
          last[0] = plugin.commit(file, last[0].id);
        }
        return last[0].state.isEnd();
      });
      if (last[0].state == CommitStatus.State.FAILED) {
        throw new IOException(file + " is not committed: " + last[0].message);
      }
    }
  }
}
