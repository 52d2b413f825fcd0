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
package org.hdfsppr.datanode.update;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.KeptTickets;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.ReplicateRequest;
import org.hdfsppr.update.append.UnknownTicketException;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.wire.ChannelInput;
import org.hdfsppr.wire.RequestFraming;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A follower that a test lets misbehave. */
@InterfaceAudience.Private
final class FakeFollower implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(FakeFollower.class);
  private static final byte[] NO_DATA = new byte[0];

  /** Handles a request, and may leave the connection open. */
  interface Behaviour {
    /**
     * @param number the number of the request, from 0
     * @return whether the follower takes another request over the connection
     */
    boolean handle(int number, ReplicateRequest request, byte[] data, Socket socket)
        throws IOException, InterruptedException;
  }

  private final ServerSocket listener;
  private final Behaviour behaviour;
  private final boolean keepsTickets;
  /** Whether each request has shown its ticket, in their order. */
  private final List<Boolean> whole = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger unknown = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  private FakeFollower(ServerSocket listener, Behaviour behaviour, boolean keepsTickets) {
    this.listener = listener;
    this.behaviour = behaviour;
    this.keepsTickets = keepsTickets;
  }

  /** Starts a follower that keeps no ticket, as a node of an old version does. */
  static FakeFollower start(Behaviour behaviour) throws IOException {
    return start(behaviour, false);
  }

  /** Starts one that keeps tickets; what answers say of it is up to the behaviour. */
  static FakeFollower keeping(Behaviour behaviour) throws IOException {
    return start(behaviour, true);
  }

  private static FakeFollower start(Behaviour behaviour, boolean keepsTickets)
      throws IOException {
    FakeFollower follower = new FakeFollower(
        new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")), behaviour, keepsTickets);
    follower.run(follower::acceptAll);
    return follower;
  }

  private void run(Runnable work) {
    Thread thread = new Thread(work, "fake-follower");
    thread.setDaemon(true);
    thread.start();
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket socket = listener.accept();
        sockets.add(socket);
        run(() -> handle(socket));
      }
    } catch (IOException e) {
      LOG.debug("Fake follower ends", e);
    }
  }

  private void handle(Socket socket) {
    try (Socket closed = socket) {
      serve(closed);
    } catch (IOException | InterruptedException e) {
      LOG.debug("Fake follower is left", e);
    }
  }

  private void serve(Socket socket) throws IOException, InterruptedException {
    ChannelInput in = new ChannelInput(socket.getInputStream());
    KeptTickets kept = new KeptTickets();
    boolean goesOn = true;
    while (goesOn) {
      RequestFraming.readOpcode(in);
      kept = keepsTickets ? kept : new KeptTickets();
      ReplicateRequest request;
      try {
        request = (ReplicateRequest) UpdateFraming.readRequest(in, kept);
      } catch (UnknownTicketException e) {
        unknown.incrementAndGet();
        UpdateFraming.write(socket.getOutputStream(), UpdateAnswer.refused(
            UpdateStatus.UNKNOWN_TICKET, e.getMessage(), null, LogPosition.NOTHING), NO_DATA);
        return;
      }
      whole.add(kept.keep());
      byte[] data = UpdateFraming.readData(in, request.payload);
      goesOn = behaviour.handle(requests.getAndIncrement(), request, data, socket);
    }
  }

  int requests() {
    return requests.get();
  }

  /** {@return how many requests have named a ticket that their connection has not kept} */
  int unknown() {
    return unknown.get();
  }

  /** {@return whether each request has shown its ticket, in their order} */
  List<Boolean> whole() {
    return List.copyOf(whole);
  }

  NodeRef node() {
    return new NodeRef("fake", "127.0.0.1", "localhost", 1, listener.getLocalPort(), "/fake");
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
