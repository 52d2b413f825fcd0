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
package org.hdfsppr.bench.read;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.HdfsProcessCluster;

/** Controls a {@link UserWorker} process at a place, and so a link, of its own. */
@InterfaceAudience.Private
public final class PlacedUser implements Closeable {
  private final WorkerProcess worker;
  private final UserHabits habits;

  private PlacedUser(WorkerProcess worker, UserHabits habits) {
    this.worker = worker;
    this.habits = habits;
  }

  /**
   * Starts a worker with Hadoop's client, and waits until it has opened its file system.
   *
   * @param cluster a running cluster after {@link HdfsProcessCluster#createClientPlace}
   * @param place the number of the place
   * @param jar whether the worker's class path has the project's drop-in jar, for its codecs
   * @param habits what the user reads
   * @return the worker, which the caller closes
   * @throws IOException if a process fails
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static PlacedUser start(HdfsProcessCluster cluster, int place, boolean jar,
      UserHabits habits) throws IOException, InterruptedException {
    return new PlacedUser(WorkerProcess.start("user-" + place,
        WorkerProcess.withOwnClasses(cluster, place, jar, List.of()), UserWorker.class, List.of(),
        cluster.clientConfDir()), habits);
  }

  /**
   * Lets the user read until {@link #end}.
   *
   * @throws IOException if the process fails
   */
  public void begin() throws IOException {
    worker.send(habits.toLine());
  }

  /**
   * Asks the user to read no more. The caller then takes the {@link #results}.
   *
   * @throws IOException if the process fails
   */
  public void end() throws IOException {
    worker.send("");
  }

  /**
   * Waits for the reads that were under way at the {@link #end}.
   *
   * @return a result for each length of reads
   * @throws IOException if the process fails
   */
  public List<ReadResult> results() throws IOException {
    List<ReadResult> results = new ArrayList<>();
    for (int i = 0; i < habits.readBytes.size(); i++) {
      results.add(ReadResult.parse(worker.answer()));
    }
    return results;
  }

  @Override
  public void close() throws IOException {
    worker.close();
  }
}
