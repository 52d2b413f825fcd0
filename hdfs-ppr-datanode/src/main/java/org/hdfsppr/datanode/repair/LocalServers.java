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
package org.hdfsppr.datanode.repair;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The transfer servers of this JVM by their DataNodes' data transfer addresses. On a real cluster a
 * JVM has one DataNode, and all servers listen on one port. Where a JVM has several, as Hadoop's
 * MiniDFSCluster makes it, their ports differ and can be found here.
 */
@InterfaceAudience.Private
final class LocalServers {
  private static final Map<String, Integer> PORTS = new ConcurrentHashMap<>();

  private LocalServers() {
  }

  static void add(String xferAddress, int repairPort) {
    PORTS.put(xferAddress, repairPort);
  }

  static void remove(String xferAddress, int repairPort) {
    PORTS.remove(xferAddress, repairPort);
  }

  /** The port, or null. */
  static Integer port(String xferAddress) {
    return PORTS.get(xferAddress);
  }
}
