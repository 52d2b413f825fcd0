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
package org.hdfsppr.datanode.security;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server in the place of a DataNode. A test decides how it behaves to its callers. */
@InterfaceAudience.Private
final class FakePeer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(FakePeer.class);

  /** Handles a connection, and may leave it open. */
  interface Behaviour {
    void handle(Socket socket) throws IOException, InterruptedException;
  }

  private final ServerSocket listener;
  private final Behaviour behaviour;
  private final AtomicInteger connections = new AtomicInteger();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  private FakePeer(ServerSocket listener, Behaviour behaviour) {
    this.listener = listener;
    this.behaviour = behaviour;
  }

  static FakePeer start(Behaviour behaviour) throws IOException {
    FakePeer peer =
        new FakePeer(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")), behaviour);
    peer.run("acceptor", peer::acceptAll);
    return peer;
  }

  private void run(String name, Runnable work) {
    Thread thread = new Thread(work, "fake-peer " + name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket socket = listener.accept();
        sockets.add(socket);
        connections.incrementAndGet();
        run("for " + socket.getRemoteSocketAddress(), () -> handle(socket));
      }
    } catch (IOException e) {
      LOG.debug("Fake peer ends", e);
    }
  }

  private void handle(Socket socket) {
    try {
      behaviour.handle(socket);
    } catch (IOException | InterruptedException e) {
      LOG.info("Fake peer: {}", e.toString());
    }
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Returns the number of connections so far. */
  int connections() {
    return connections.get();
  }

  /** Returns a node of a tree that this server serves. */
  NodeRef asChild(String uuid) {
    return new NodeRef(uuid, "127.0.0.1", "localhost", 1, port(), "/default-rack");
  }

  /**
   * Returns a node without the extension, whose port for stock's data transfer is this server's.
   */
  NodeRef asHolder(String uuid) {
    return new NodeRef(uuid, "127.0.0.1", "localhost", port(), NodeRef.NO_REPAIR_PORT,
        "/default-rack");
  }

  @Override
  public void close() throws IOException {
    listener.close();
    threads.forEach(Thread::interrupt);
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
