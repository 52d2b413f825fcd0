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
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.apache.hadoop.fs.Path;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.bench.read.WorkerProcess;
import org.hdfsppr.it.util.EcCode;

/**
 * Stock clients that rewrite files, each on the host of another DataNode, whose link it shares. A
 * client that is done takes the next file.
 */
final class Rewriters implements Converter {
  private static final Path COPIES = new Path("/bench-copies");

  private final List<WorkerProcess> workers = new ArrayList<>();

  private Rewriters() {
  }

  /** Starts the clients, and returns when all of them have opened their file systems. */
  static Rewriters start(HdfsProcessCluster cluster, int clients)
      throws IOException, InterruptedException {
    Rewriters rewriters = new Rewriters();
    boolean up = false;
    try {
      for (int client = 0; client < clients; client++) {
        // Successive nodes are in different racks.
        int node = 1 + client % cluster.spec().nodes;
        rewriters.workers.add(WorkerProcess.start("rewriter-" + (client + 1),
            cluster.clientCommand().besideDataNodeJava(node, cluster.spec().codecs,
                WorkerProcess.ownClasses()),
            RewriteWorker.class, List.of(), cluster.clientConfDir()));
      }
      up = true;
      return rewriters;
    } finally {
      if (!up) {
        rewriters.close();
      }
    }
  }

  @Override
  public void convert(ConvertedFiles files, EcCode to) throws IOException, InterruptedException {
    Queue<Path> left = new ConcurrentLinkedQueue<>(files.paths());
    ManyTasks.each(workers, worker -> {
      for (Path file = left.poll(); file != null; file = left.poll()) {
        worker.send(RewriteWorker.request(to.policy(), file, new Path(COPIES, file.getName())));
        String failure = worker.answer();
        if (!failure.isEmpty()) {
          left.clear();
          throw new IOException("not rewritten: " + failure);
        }
      }
    });
  }

  @Override
  public void close() throws IOException {
    for (WorkerProcess worker : workers) {
      worker.close();
    }
  }
}
