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
package org.hdfsppr.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The port of the repair manager in a run, for {@code hdfs-site.xml}, where Hadoop puts in system
 * properties. One for all NameNodes that follow each other in a JVM, until one of them is left
 * behind by its test: some of Hadoop's tests do not shut their cluster down.
 *
 * <p>It lies below the ports that systems give to sockets that ask for any: while a NameNode
 * restarts, one of the hundreds of sockets of a MiniDFSCluster would sooner or later get it. It is
 * drawn, because two runs may go on at a time.
 */
@InterfaceAudience.Private
final class ManagerPort {
  /** System property. */
  static final String KEY = "conformance.manager.port";
  /** Linux gives away 32768 and up, others 49152 and up. */
  static final int LEAST = 20_000;
  static final int MOST = 31_999;
  private static final int TRIES = 100;

  private ManagerPort() {
  }

  /** Keeps the port that is set if it is free, and otherwise sets another one. */
  static void refresh(Random random) throws IOException {
    Integer current = Integer.getInteger(KEY);
    if (current == null || !isFree(current)) {
      System.setProperty(KEY, String.valueOf(choose(random)));
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return free.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  /** A free port. */
  static int choose(Random random) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      int port = LEAST + random.nextInt(MOST - LEAST + 1);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IOException("No port from " + LEAST + " to " + MOST + " is free");
  }
}
