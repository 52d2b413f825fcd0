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
package org.hdfsppr.datanode;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses a port for a server that a test starts later.
 *
 * <p>The port is lower than the ports that the operating system assigns to sockets. Otherwise one
 * of the hundreds of sockets of a MiniDFSCluster would sooner or later take the port before the
 * server opens it. The port is random, so that two runs at the same time rarely choose the same
 * port.
 */
public final class FreePort {
  /**
   * The lowest port that this class chooses. Linux assigns ports of 32768 and higher to sockets,
   * and other systems ports of 49152 and higher.
   */
  private static final int LEAST = 20_000;
  private static final int MOST = 31_999;
  private static final int TRIES = 100;

  private FreePort() {
  }

  /**
   * Returns a port at which nothing listens.
   *
   * @throws IOException if none of a hundred random ports is free
   */
  public static int choose() throws IOException {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LEAST, MOST + 1);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IOException("No port from " + LEAST + " to " + MOST + " is free");
  }

  private static boolean isFree(int port) {
    // Some servers listen at all addresses, so the port must be free at each of them.
    try (ServerSocket everywhere = new ServerSocket(port)) {
      return everywhere.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
