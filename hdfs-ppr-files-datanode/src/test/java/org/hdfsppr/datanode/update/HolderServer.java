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
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.datanode.host.AttemptGuard;
import org.hdfsppr.datanode.host.DataNodeConnector;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.server.TransferServer;
import org.hdfsppr.datanode.update.log.LogLimits;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.datanode.update.old.OldBytesStore;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateFraming;
import org.hdfsppr.update.append.UpdateRequest;
import org.hdfsppr.update.view.ViewAnswer;
import org.hdfsppr.update.view.ViewFraming;
import org.hdfsppr.update.view.ViewRequest;
import org.hdfsppr.wire.ChannelInput;

/**
 * A node that holds update logs, with a server and a port of its own. Several such nodes run beside
 * one DataNode, which only answers the handshakes of their callers.
 */
@InterfaceAudience.Private
final class HolderServer implements Closeable, UpdateRights {
  static final String POOL = "BP-1-test";
  /** The longest time of a request to a follower, ms. */
  static final int FOLLOWER_TIMEOUT_MS = 2_000;
  /** A node without blocks. */
  static final OwnBlocks NO_BLOCKS = block -> {
    throw new IOException("There is no " + block + " here");
  };
  private static final int REQUEST_TIMEOUT_MS = 10_000;
  private static final int TIMEOUT_MS = 60_000;
  private static final int PLACES = 32;
  private static final long MEMORY_BYTES = 64 << 20;

  private final String name;
  private final Path directory;
  final RepairMetrics metrics;
  private final UpdateLogs logs;
  private final TransferServer server;
  private volatile String refusal;
  private volatile String beginRefusal;
  private volatile OwnBlocks blocks = NO_BLOCKS;

  private HolderServer(String name, Path directory, DataNode datanode, int appendsMost,
      int peersMost, long memoryBytes) throws IOException {
    this.name = name;
    this.directory = directory;
    metrics = RepairMetrics.register(new Configuration(false), name);
    logs = new UpdateLogs(directory, LogLimits.of(LogLimits.BYTES_MIN));
    ServerSocketChannel listener = TransferServer.listen(new InetSocketAddress("127.0.0.1", 0));
    ScheduledThreadPoolExecutor timer = TransferServer.timer();
    UpdateHandler handler = new UpdateHandler(
        this, logs, block -> blocks.open(block), new DataNodeConnector(datanode, 5_000),
        new UpdateHandler.Limits(FOLLOWER_TIMEOUT_MS, REQUEST_TIMEOUT_MS, appendsMost,
            peersMost, memoryBytes), metrics, new AttemptGuard.Timing(timer, System::nanoTime));
    server = TransferServer.start(datanode, listener, PLACES, REQUEST_TIMEOUT_MS, metrics,
        List.of(handler, new ViewHandler(this, handler, REQUEST_TIMEOUT_MS, appendsMost,
            memoryBytes, metrics, timer)), timer);
  }

  static HolderServer start(String name, Path directory, DataNode datanode) throws IOException {
    return new HolderServer(name, directory.resolve(name), datanode, PLACES, PLACES,
        MEMORY_BYTES);
  }

  static HolderServer bounded(int appendsMost, int peersMost, long memoryBytes, String name,
      Path directory, DataNode datanode) throws IOException {
    return new HolderServer(name, directory.resolve(name), datanode, appendsMost, peersMost,
        memoryBytes);
  }

  /** Starts a server in the place of this one, as when the process has started again. */
  HolderServer startAgain(DataNode datanode) throws IOException {
    close();
    return new HolderServer(name, directory, datanode, PLACES, PLACES, MEMORY_BYTES);
  }

  /** Lets the node refuse all callers from now on; null: none. */
  void refuseAll(String why) {
    refusal = why;
  }

  /** Lets callers begin no term; null lets them. */
  void refuseBegins(String why) {
    beginRefusal = why;
  }

  /** Lets the node have blocks. */
  void blocks(OwnBlocks own) {
    blocks = own;
  }

  OldBytesStore oldBytes() {
    return logs.oldBytes;
  }

  UpdateLog log() throws IOException {
    return logs.log(POOL);
  }

  int port() {
    return server.port();
  }

  /** Sends a request over a connection of its own. */
  UpdateAnswer ask(UpdateRequest request, byte[] data) throws IOException {
    try (Socket socket = connect()) {
      return ask(socket, request, data);
    }
  }

  /** Asks for a view over a connection of its own. */
  ViewAnswer ask(ViewRequest request) throws IOException {
    try (Socket socket = connect()) {
      ViewFraming.write(socket.getOutputStream(), request);
      return ViewFraming.readAnswer(new ChannelInput(socket.getInputStream()), request);
    }
  }

  Socket connect() throws IOException {
    Socket socket = new Socket("127.0.0.1", port());
    socket.setSoTimeout(TIMEOUT_MS);
    return socket;
  }

  static UpdateAnswer ask(Socket socket, UpdateRequest request, byte[] data)
      throws IOException {
    UpdateFraming.write(socket.getOutputStream(), request, data);
    ChannelInput in = new ChannelInput(socket.getInputStream());
    UpdateAnswer answer = UpdateFraming.readAnswer(in, request);
    UpdateFraming.readData(in, answer.payload);
    return answer;
  }

  @Override
  public NodeRef self() {
    return new NodeRef(name, "127.0.0.1", "localhost", 1, port(), "/rack-" + name);
  }

  @Override
  public String mayWrite(SignedTicket ticket) {
    return refusal;
  }

  @Override
  public String mayRead(SignedTicket ticket) {
    return refusal;
  }

  @Override
  public String isPeer(SignedTicket ticket) {
    return refusal;
  }

  @Override
  public String mayBegin(SignedTicket ticket) {
    return refusal != null ? refusal : beginRefusal;
  }

  @Override
  public SignedTicket asPeer(SignedTicket ticket) {
    return ticket;
  }

  @Override
  public void close() throws IOException {
    server.close();
    try {
      if (!server.awaitEnd(TIMEOUT_MS)) {
        throw new IOException("The threads of " + name + " do not end");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    metrics.unregister();
  }
}
