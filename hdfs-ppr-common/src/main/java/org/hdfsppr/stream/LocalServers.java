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
 * The transfer servers of this JVM by their DataNodes' data transfer ports. On a real cluster a JVM
 * has one DataNode, and all servers listen on one port. Where a JVM has several, as Hadoop's
 * MiniDFSCluster makes it, their ports differ and can be found here.
 */
@InterfaceAudience.Private
public final class LocalServers {
  private static final Map<Integer, Integer> PORTS = new ConcurrentHashMap<>();

  private LocalServers() {
  }

  public static void add(int xferPort, int repairPort) {
    PORTS.put(xferPort, repairPort);
  }

  public static void remove(int xferPort, int repairPort) {
    PORTS.remove(xferPort, repairPort);
  }

  /** The port of the DataNode of this JVM that transfers data on {@code xferPort}, or null. */
  public static Integer port(int xferPort) {
    return PORTS.get(xferPort);
  }
}
