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
package org.hdfsppr.stream;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Maps the data transfer port of each DataNode in this JVM to the port of its transfer server. On a
 * real cluster a JVM has one DataNode, and all nodes use the same repair port. Hadoop's
 * MiniDFSCluster runs several DataNodes in one JVM. The repair ports of these DataNodes differ, and
 * callers look the ports up in this class. Thread-safe.
 */
@InterfaceAudience.Private
public final class LocalServers {
  private static final Map<Integer, Integer> PORTS = new ConcurrentHashMap<>();

  private LocalServers() {
  }

  /**
   * Registers a transfer server.
   *
   * @param xferPort data transfer port of its DataNode
   * @param repairPort port of the transfer server
   */
  public static void add(int xferPort, int repairPort) {
    PORTS.put(xferPort, repairPort);
  }

  /**
   * Removes a transfer server, unless another transfer server has taken its place.
   *
   * @param xferPort data transfer port of its DataNode
   * @param repairPort port of the transfer server
   */
  public static void remove(int xferPort, int repairPort) {
    PORTS.remove(xferPort, repairPort);
  }

  /**
   * @param xferPort data transfer port of a DataNode
   * @return port of its transfer server, or null if no transfer server of this JVM belongs to that
   *     DataNode
   */
  public static Integer port(int xferPort) {
    return PORTS.get(xferPort);
  }
}
