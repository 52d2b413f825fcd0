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
package org.hdfsppr.it.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.Await;

/** Checks that repairs, however they end, leave nothing behind on live DataNodes. */
final class LeakCheck {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Duration POLL = Duration.ofMillis(250);

  /** Idle threads of a pool end after a minute, and this limit is two. */
  private static final Duration IDLE_LIMIT = Duration.ofSeconds(120);

  /**
   * The threads and open files that stock itself adds after some work: threads of servers and
   * clients, and cached sockets.
   */
  private static final int THREADS_MORE = 20;
  private static final int FILES_MORE = 40;

  private static final List<String> GAUGES =
      List.of("RepairsInFlight", "HelpersInFlight", "BuffersInUseBytes");

  private final FaultCluster faults;
  private final HdfsProcessCluster cluster;
  private int threadsAtStart;
  private int filesAtStart;

  /** Records the highest present numbers of all nodes. */
  LeakCheck(FaultCluster faults) throws IOException {
    this.faults = faults;
    this.cluster = faults.processes();
    for (int node = 1; node <= FaultCluster.NODES; node++) {
      ProcessUse use = new ProcessUse(cluster.dataNode(node).pid().orElseThrow());
      threadsAtStart = Math.max(threadsAtStart, threadCount(node));
      filesAtStart = Math.max(filesAtStart, use.openFiles().size());
    }
  }

  private int threadCount(int node) throws IOException {
    return cluster.state().jmx(node, "java.lang:type=Threading").get("ThreadCount").asInt();
  }

  /** Waits until no node that answers holds anything of a repair. */
  void awaitNothingLeft() throws IOException, InterruptedException, TimeoutException {
    List<String> left = new ArrayList<>();
    Await.until(() -> "nothing is left of repairs: " + left, LIMIT, POLL, () -> {
      left.clear();
      for (int node = 1; node <= FaultCluster.NODES; node++) {
        if (faults.answers(node)) {
          find(node, left);
        }
      }
      return left.isEmpty();
    });
  }

  private void find(int node, List<String> left) throws IOException {
    String name = "dn" + node + " ";
    Optional<Long> pid = cluster.dataNode(node).pid();
    if (pid.isEmpty()) {
      left.add(name + "has ended");
      return;
    }
    JsonNode metrics;
    try {
      metrics = cluster.state().jmx(node, "Hadoop:service=DataNode,name=PprDataNode-*");
      JsonNode info = cluster.state().jmx(node, "Hadoop:service=DataNode,name=DataNodeInfo");
      if (info.get("XmitsInProgress").asInt() != 0) {
        left.add(name + "XmitsInProgress " + info.get("XmitsInProgress"));
      }
    } catch (IOException e) {
      left.add(name + e);
      return;
    }
    for (String gauge : GAUGES) {
      if (metrics.get(gauge).asLong() != 0) {
        left.add(name + gauge + " " + metrics.get(gauge));
      }
    }
    RepairLinks links = RepairLinks.of(pid.get(), cluster.nodeAddress(node));
    if (!links.isEmpty()) {
      left.add(name + links);
    }
    Optional<Path> pool = faults.blockPool(node);
    if (pool.isPresent()) {
      for (String folder : List.of("tmp", "current/rbw")) {
        for (Path file : FaultCluster.list(pool.get().resolve(folder))) {
          left.add(name + folder + "/" + file.getFileName());
        }
      }
    }
    ProcessUse use = new ProcessUse(pid.get());
    busyThreads(use).forEach(thread -> left.add(name + "thread '" + thread + "'"));
    List<String> files = use.openFiles();
    for (String file : files) {
      if (file.contains("/blk_")) {
        left.add(name + "open file " + file);
      }
    }
    if (files.size() > filesAtStart + FILES_MORE) {
      left.add(name + files.size() + " open files, " + filesAtStart + " at the start: " + files);
    }
  }

  private static List<String> busyThreads(ProcessUse use) throws IOException {
    return use.threads().stream()
        .filter(name -> name.startsWith("ppr-helper for") || name.startsWith("ppr-repair of"))
        .collect(Collectors.toList());
  }

  /** Waits until a node, which need not be reachable, works on no repair. */
  void awaitIdle(int node) throws IOException, InterruptedException, TimeoutException {
    ProcessUse use = new ProcessUse(cluster.dataNode(node).pid().orElseThrow());
    Await.until("dn" + node + " works at no repair", LIMIT, POLL,
        () -> busyThreads(use).isEmpty());
  }

  /** Waits until all nodes have about as many threads as at the start. */
  void awaitThreadsAsAtStart() throws IOException, InterruptedException, TimeoutException {
    List<String> more = new ArrayList<>();
    Await.until(() -> "no node has many more threads than " + threadsAtStart + ", as at the start: "
        + more, IDLE_LIMIT, POLL, () -> {
          more.clear();
          for (int node = 1; node <= FaultCluster.NODES; node++) {
            int now = threadCount(node);
            if (now > threadsAtStart + THREADS_MORE) {
              more.add("dn" + node + " " + now + " "
                  + new ProcessUse(cluster.dataNode(node).pid().orElseThrow()).threads());
            }
          }
          return more.isEmpty();
        });
  }
}
