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
package org.hdfsppr.it.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.hdfsppr.it.faults.ProcessUse;

/**
 * The numbers of threads and sockets of this JVM, which runs the client, and of every running
 * DataNode.
 */
final class ReadUse {
  /**
   * Stock keeps some sockets and threads for later use. This number allows a few sockets for each
   * node, and the threads that serve them.
   */
  private static final int KEPT = 40;

  private final Map<String, Integer> counts = new TreeMap<>();

  private ReadUse() {
  }

  static ReadUse now(ReadCluster cluster) throws IOException {
    ReadUse use = new ReadUse();
    use.add("client", ProcessHandle.current().pid());
    for (int node = 1; node <= cluster.nodes(); node++) {
      if (cluster.processes().dataNode(node).pid().isPresent()) {
        use.add("dn" + node, cluster.processes().dataNode(node).pid().get());
      }
    }
    return use;
  }

  private void add(String name, long pid) throws IOException {
    ProcessUse process = new ProcessUse(pid);
    counts.put(name + " threads", process.threads().size());
    counts.put(name + " sockets", (int) process.openFiles().stream()
        .filter(file -> file.startsWith("socket:")).count());
  }

  /** Lists the numbers that are much greater than in an earlier reading. */
  List<String> moreThan(ReadUse before) {
    List<String> more = new ArrayList<>();
    counts.forEach((what, count) -> {
      int was = before.counts.getOrDefault(what, 0);
      if (count > was + KEPT) {
        more.add(what + ": " + count + ", were " + was);
      }
    });
    return more;
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
