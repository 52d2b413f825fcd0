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
package org.hdfsppr.client.nbd.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.client.nbd.NbdError;
import org.hdfsppr.client.nbd.NbdExport;
import org.hdfsppr.client.nbd.NbdHandshake;
import org.hdfsppr.client.nbd.NbdOption;
import org.hdfsppr.client.nbd.NbdProtocolException;
import org.hdfsppr.client.nbd.NbdReplies;
import org.hdfsppr.client.nbd.NbdRequest;
import org.hdfsppr.client.nbd.NbdRequestRules;
import org.hdfsppr.client.nbd.NbdRequestType;
import org.hdfsppr.client.nbd.NbdStep;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of one client. Its thread carries out the handshake and then reads requests: it
 * waits for room in memory for each request, reads the request's data, and passes it to the threads
 * that call the device. A {@link ReplyWriter} sends the replies in the order in which requests end.
 * The connection ends when the client disconnects, closes it, breaks the protocol, or is too slow
 * in the middle of a message; requests that have come by then are still carried out. Between two
 * requests, a client may be silent for any time.
 */
final class NbdConnection implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(NbdConnection.class);
  private static final PeerLog PEER_LOG = new PeerLog(LOG);
  /**
   * How many bytes a refused write may have so that the server skips them and goes on: twice the
   * longest write. If a write has more, the connection ends.
   */
  private static final long SKIPPED_BYTES_MOST = 2L * NbdExport.REQUEST_BYTES_MOST;

  /** What all connections of a server share. Immutable; all parts are thread-safe. */
  static final class Parts {
    final NbdExport export;
    final ServerLimits limits;
    private final Optional<TlsKeys> keys;
    private final RequestRunner runner;
    private final LongSupplier nanoClock;

    /**
     * @param export the device as clients see it
     * @param keys the server's key for TLS; empty if clients connect without TLS
     * @param runner carries out requests on the device
     * @param limits says how long to wait for a client
     * @param nanoClock a monotonic clock, ns
     */
    Parts(NbdExport export, Optional<TlsKeys> keys, RequestRunner runner, ServerLimits limits,
        LongSupplier nanoClock) {
      this.export = export;
      this.keys = keys;
      this.runner = runner;
      this.limits = limits;
      this.nanoClock = nanoClock;
    }
  }

  private final ClientWire wire;
  private final NbdExport export;
  private final Optional<TlsKeys> keys;
  private final RequestRunner runner;
  private final FairWorkers.Lane lane;
  private final ByteBudget.Share share;
  private final ServerLimits limits;
  private final ClientDeadline readLimit;
  private final ClientDeadline writeLimit;
  private final WireInput input;
  private final ReplyWriter writer;
  private final ClientPace requestPace;
  private final ClientPace replyPace;
  private volatile boolean isStopping;
  private volatile boolean isTooSlow;
  private volatile boolean isAborted;
  /**
   * Whether the client has ended the handshake by choosing the export. Guarded by this, like
   * {@link #isEvicted}.
   */
  private boolean isServed;
  private boolean isEvicted;

  /**
   * @param parts what all connections of the server share
   * @param wire the connection to the client; this object closes it
   * @param lane runs the client's requests
   * @param share bounds the memory of the client's requests
   */
  NbdConnection(Parts parts, ClientWire wire, FairWorkers.Lane lane, ByteBudget.Share share) {
    this.wire = wire;
    this.export = parts.export;
    this.keys = parts.keys;
    this.runner = parts.runner;
    this.lane = lane;
    this.share = share;
    this.limits = parts.limits;
    this.readLimit = new ClientDeadline(parts.nanoClock);
    this.writeLimit = new ClientDeadline(parts.nanoClock);
    this.input = new WireInput(wire);
    this.requestPace = new ClientPace(parts.nanoClock);
    this.replyPace = new ClientPace(parts.nanoClock);
    this.writer = new ReplyWriter(wire, writeLimit, limits.replyNanos(), replyPace);
  }

  /** Ends the connection if its client is too slow in the middle of a message. */
  void checkTime() {
    if (readLimit.isOver() || writeLimit.isOver()) {
      abortSlow();
    }
  }

  /**
   * From now on, answers new requests with an error. If the client is still in the handshake, ends
   * the connection.
   */
  void stop() {
    isStopping = true;
    share.stop();
    evict();
  }

  /**
   * Ends the connection if its client is still in the handshake. Returns whether it has done so.
   */
  boolean evict() {
    synchronized (this) {
      if (isServed) {
        return false;
      }
      isEvicted = true;
    }
    abort();
    return true;
  }

  private synchronized void served() throws IOException {
    if (isEvicted) {
      throw new IOException("The server does not wait for the client any more");
    }
    isServed = true;
  }

  private synchronized boolean isEvicted() {
    return isEvicted;
  }

  synchronized boolean isServed() {
    return isServed;
  }

  /**
   * Returns whether all requests that came before {@link #stop} have ended and their replies are
   * sent.
   */
  boolean isIdle() {
    return share.isIdle();
  }

  /**
   * If the client is slow, returns how many bytes of the memory that all connections share its
   * requests have; otherwise 0.
   */
  int heldBytes() {
    return requestPace.isSlow() || replyPace.isSlow() ? share.held() : 0;
  }

  /** Ends the connection at once, because its client is too slow. */
  void abortSlow() {
    isTooSlow = true;
    abort();
  }

  /** Ends the connection at once. */
  void abort() {
    isAborted = true;
    share.close();
    wire.abort();
  }

  @Override
  public void run() {
    boolean isInOrder = false;
    try {
      readLimit.in(limits.handshakeNanos());
      NbdHandshake handshake = new NbdHandshake(export, keys.isPresent());
      if (new HandshakeTalk(wire, input, handshake, keys, this::served).run()) {
        readLimit.clear();
        serve(handshake.isStructured());
      }
      isInOrder = true;
    } catch (NbdProtocolException e) {
      PEER_LOG.warn("protocol", "A client of the block device ({}) {}; its connection is closed",
          wire, PeerText.oneLine(e.getMessage()));
    } catch (IOException e) {
      if (isTooSlow) {
        PEER_LOG.warn("slow", "A client of the block device ({}) was too slow in the middle of a"
            + " message; its connection is closed", wire);
      } else if (!isStopping && !isEvicted()) {
        PEER_LOG.info("broken", "The connection of a client of the block device ({}) broke: {}",
            wire, PeerText.oneLine(e.toString()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
      // For example, a thread could not start. Only this client's connection ends.
      PEER_LOG.error("connection", "The connection of a client of the block device is closed", e);
    } finally {
      end(isInOrder);
    }
  }

  private void end(boolean isInOrder) {
    share.close();
    if (!isInOrder) {
      wire.abort();
      return;
    }
    // Closing may block if the client does not take the last bytes of TLS. With this deadline,
    // another thread then aborts the connection.
    writeLimit.in(limits.replyNanos());
    try {
      wire.close();
    } catch (IOException e) {
      LOG.debug("The connection of {} ends out of order", wire, e);
    } finally {
      writeLimit.clear();
    }
  }

  private void serve(boolean isStructured) throws IOException, InterruptedException {
    Daemon sender = new Daemon(writer);
    sender.setName("nbd-replies");
    sender.start();
    try {
      readRequests(new NbdRequestRules(export, isStructured), new NbdReplies(isStructured));
    } finally {
      // Waits until the replies to all requests are sent, or are dropped because the connection is
      // broken.
      share.awaitNone();
      writer.finish();
      sender.join();
    }
    IOException failure = writer.failure();
    if (failure != null) {
      throw failure;
    }
  }

  private void readRequests(NbdRequestRules door, NbdReplies replies)
      throws IOException, InterruptedException {
    input.readAhead();
    ByteBuffer header = ByteBuffer.allocate(NbdRequest.HEADER_BYTES);
    while (input.begin(header)) {
      readLimit.in(limits.requestNanos());
      input.fill(header);
      NbdRequest request = NbdRequest.decode(header.flip());
      header.clear();
      if (request.type == NbdRequestType.DISCONNECT) {
        readLimit.clear();
        return;
      }
      Optional<NbdError> refusal = isStopping ? Optional.of(NbdError.SHUT_DOWN)
          : door.refusal(request);
      if (!(refusal.isPresent() ? refuse(request, refusal.get(), replies)
          : accept(request, replies))) {
        return;
      }
      readLimit.clear();
    }
  }

  /** Refuses a request. Returns false if the connection has to end. */
  private boolean refuse(NbdRequest request, NbdError error, NbdReplies replies)
      throws IOException, InterruptedException {
    if (request.payloadBytes() > SKIPPED_BYTES_MOST) {
      throw new NbdProtocolException("sent a write of " + request.length + " bytes");
    }
    input.skip(request.payloadBytes());
    ByteBudget.Grant room = room(0);
    if (room == null) {
      return false;
    }
    LOG.debug("{} from {} is refused: {}", request, wire, error);
    writer.add(replies.failed(request, error, sentence(request, error)), room);
    return true;
  }

  private String sentence(NbdRequest request, NbdError error) {
    switch (error) {
      case SHUT_DOWN:
        return "The server is about to end";
      case NOT_PERMITTED:
        return "The device may only be read";
      case NO_SPACE:
        return "The device ends at " + export.size;
      default:
        return request + " is not valid for a device of " + export.size + " bytes";
    }
  }

  /**
   * Accepts a request: reads its data, and passes it on to be carried out. Returns false if the
   * connection has to end.
   */
  private boolean accept(NbdRequest request, NbdReplies replies)
      throws IOException, InterruptedException {
    NbdRequestType type = request.type;
    int bytes = type == NbdRequestType.READ || type == NbdRequestType.WRITE
        ? (int) request.length : 0;
    ByteBudget.Grant room = room(bytes);
    if (room == null) {
      return false;
    }
    boolean isGiven = false;
    try {
      ByteBuffer data = ByteBuffer.allocate(bytes);
      if (type == NbdRequestType.WRITE) {
        fill(data);
      }
      if (!room.accept()) {
        // The server has begun to end while the client was sending the data of the write.
        writer.add(replies.failed(request, NbdError.SHUT_DOWN,
            sentence(request, NbdError.SHUT_DOWN)), room);
      } else {
        execute(runner.begin(request, data), room, replies);
      }
      isGiven = true;
      return true;
    } finally {
      if (!isGiven) {
        room.close();
      }
    }
  }

  private void fill(ByteBuffer data) throws IOException {
    requestPace.begin();
    try {
      while (data.hasRemaining()) {
        int begin = data.position();
        data.limit(Math.min(data.capacity(), begin + ClientWire.CALL_BYTES_MOST));
        input.fill(data);
        requestPace.moved(data.position() - begin);
        data.limit(data.capacity());
      }
      data.flip();
    } finally {
      requestPace.end();
    }
  }

  private void execute(RequestRunner.Steps steps, ByteBudget.Grant room, NbdReplies replies) {
    if (!lane.execute(() -> answer(steps, room, replies))) {
      writer.add(replies.failed(steps.request, NbdError.IO, "The server has no thread for it"),
          room);
    }
  }

  /**
   * Waits for room for a request. Meanwhile the client has no deadline, because the wait is not its
   * fault.
   */
  private ByteBudget.Grant room(int bytes) throws InterruptedException {
    readLimit.clear();
    ByteBudget.Grant room = share.take(bytes);
    readLimit.in(limits.requestNanos());
    return room;
  }

  /** Carries out one step of a request. After the last step, hands the reply to the writer. */
  private void answer(RequestRunner.Steps steps, ByteBudget.Grant room, NbdReplies replies) {
    NbdRequest request = steps.request;
    if (request.type == NbdRequestType.READ && (isAborted || writer.isBroken())) {
      // The connection is broken, so the data could not be sent, and the read is not carried out.
      room.close();
      return;
    }
    boolean isGiven = false;
    try {
      if (!steps.next()) {
        // The next step goes to the end of the lane, so that other requests of the client get turns
        // between.
        execute(steps, room, replies);
        isGiven = true;
        return;
      }
      Optional<RequestRunner.Failure> failure = steps.failure();
      if (failure.isPresent()) {
        writer.add(replies.failed(request, failure.get().error, failure.get().text), room);
      } else if (request.type == NbdRequestType.READ) {
        writer.add(replies.beforeData(request), steps.data, room);
      } else {
        writer.add(replies.done(request), room);
      }
      isGiven = true;
    } finally {
      if (!isGiven) {
        // This request gets no reply, for which the client would wait for ever. So the connection
        // ends.
        room.close();
        abort();
      }
    }
  }

  /** Carries out the handshake with one client. Used by one thread. */
  static final class HandshakeTalk {
    private final ClientWire wire;
    private final WireInput input;
    private final NbdHandshake handshake;
    private final Optional<TlsKeys> keys;
    private final Chosen chosen;

    /** Is called when the client has chosen the export, before it gets the answer. */
    interface Chosen {
      /** @throws IOException if the connection has to end instead */
      void run() throws IOException;
    }

    /**
     * @param wire the connection to the client
     * @param input reads from the wire
     * @param handshake makes the answers
     * @param keys the server's key for TLS; empty if clients connect without TLS
     * @param chosen is called at the end of the handshake
     */
    HandshakeTalk(ClientWire wire, WireInput input, NbdHandshake handshake, Optional<TlsKeys> keys,
        Chosen chosen) {
      this.chosen = chosen;
      this.wire = wire;
      this.input = input;
      this.handshake = handshake;
      this.keys = keys;
    }

    /**
     * Carries out the handshake until the client has chosen the export.
     *
     * @return true if the client has chosen the export; false if it has ended the connection
     * @throws IOException if the client breaks the protocol, or the connection breaks
     */
    boolean run() throws IOException {
      wire.write(handshake.greeting());
      handshake.clientFlags(read(NbdHandshake.FLAGS_BYTES));
      while (true) {
        ByteBuffer header = ByteBuffer.allocate(NbdOption.HEADER_BYTES);
        if (!input.begin(header)) {
          return false;
        }
        input.fill(header);
        NbdStep step = step(NbdOption.decode(header.flip()));
        if (step.next == NbdStep.Next.REQUESTS) {
          chosen.run();
        }
        wire.write(step.answer);
        switch (step.next) {
          case END:
            return false;
          case REQUESTS:
            return true;
          case TLS:
            wire.startTls(keys.get());
            break;
          default:
            break;
        }
      }
    }

    private NbdStep step(NbdOption option) throws IOException {
      if (option.isReadable()) {
        return handshake.answer(option, read(option.length));
      }
      input.skip(option.length);
      return handshake.answer(option, ByteBuffer.allocate(0));
    }

    private ByteBuffer read(int bytes) throws IOException {
      ByteBuffer data = ByteBuffer.allocate(bytes);
      input.fill(data);
      return data.flip();
    }
  }
}
