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

/**
 * Chooses the port of the repair manager in a run. {@code hdfs-site.xml} contains a reference to a
 * system property, which Hadoop replaces by the property's value, the port. Successive NameNodes of
 * a JVM use the same port. Some of Hadoop's tests do not shut their NameNode down. The port then
 * stays in use, and the next test gets another port.
 *
 * <p>The port is lower than the ports that the operating system assigns to sockets. Otherwise one
 * of the hundreds of sockets of a MiniDFSCluster would sooner or later take the port while a
 * NameNode restarts. The port is random, so that two runs at the same time rarely choose the same
 * port.
 */
final class ManagerPort {
  /** The name of the system property that contains the port. */
  static final String KEY = "conformance.manager.port";
  /**
   * The lowest port that this class chooses. Linux assigns ports of 32768 and higher to sockets,
   * and other systems ports of 49152 and higher.
   */
  static final int LEAST = 20_000;
  static final int MOST = 31_999;
  private static final int TRIES = 100;

  private ManagerPort() {
  }

  /** Keeps the present port if it is free, and otherwise chooses another port. */
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

  /** Returns a random free port. */
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
