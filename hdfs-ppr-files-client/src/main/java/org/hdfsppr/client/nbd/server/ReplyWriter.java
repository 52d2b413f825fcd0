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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends replies to one client, in the order in which requests end. It has a thread of its own, so
 * that a client which does not read blocks only this thread, and none that serves other clients.
 * Its queue is bounded, because the connection bounds its requests. If the connection breaks, it
 * drops the replies, and gives back their memory.
 */
final class ReplyWriter implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyWriter.class);
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  /**
   * How many bytes of short replies, which are ready at the same time, are written together at
   * most.
   */
  private static final int TOGETHER_BYTES = 64 << 10;

  private static final class Reply {
    private final ByteBuffer head;
    private final ByteBuffer data;
    private final ByteBudget.Grant room;

    Reply(ByteBuffer head, ByteBuffer data, ByteBudget.Grant room) {
      this.head = head;
      this.data = data;
      this.room = room;
    }
  }

  private final ClientWire wire;
  private final ClientDeadline deadline;
  private final long limitNanos;
  private final ClientPace pace;
  private final ByteBuffer together = ByteBuffer.allocate(TOGETHER_BYTES);
  /** The memory of the replies in {@link #together}, which is given back when they are sent. */
  private final List<ByteBudget.Grant> rooms = new ArrayList<>();
  /** The replies to send. Guarded by this, like all fields below. */
  private final Deque<Reply> replies = new ArrayDeque<>();
  private boolean isFinished;
  private Throwable failure;

  /**
   * @param wire the connection to the client
   * @param deadline is set while a write may block, so that another thread can end the connection
   * @param limitNanos how long a write may take, ns
   * @param pace measures how fast the client takes replies
   */
  ReplyWriter(ClientWire wire, ClientDeadline deadline, long limitNanos, ClientPace pace) {
    this.pace = pace;
    this.wire = wire;
    this.deadline = deadline;
    this.limitNanos = limitNanos;
  }

  void add(ByteBuffer head, ByteBudget.Grant room) {
    add(head, NONE, room);
  }

  /** Adds a reply. Its room is given back when the reply is sent or dropped. */
  synchronized void add(ByteBuffer head, ByteBuffer data, ByteBudget.Grant room) {
    replies.add(new Reply(head, data, room));
    pace.begin();
    notifyAll();
  }

  /** Makes {@link #run} end when all replies are sent. */
  synchronized void finish() {
    isFinished = true;
    notifyAll();
  }

  /** Returns why the connection is broken; null if it is not. */
  synchronized IOException failure() {
    return failure == null || failure instanceof IOException ? (IOException) failure
        : new IOException("Replies cannot be sent: " + failure, failure);
  }

  /** Returns whether the connection is broken, so that replies are dropped. */
  synchronized boolean isBroken() {
    return failure != null;
  }

  @Override
  public void run() {
    for (Reply reply = next(); reply != null; reply = next()) {
      try {
        send(reply);
      } catch (Throwable e) {
        broken(e);
      }
    }
  }

  /**
   * Takes note that the connection is broken, so that {@link #run} drops all further replies, and
   * ends the connection.
   */
  private void broken(Throwable e) {
    synchronized (this) {
      failure = e;
    }
    try {
      // This also ends the thread that reads from the connection.
      wire.abort();
    } catch (Throwable other) {
      LOG.warn("The connection of {} could not be closed", wire, other);
    }
  }

  /**
   * Waits for the next reply and returns it; null after the last one. Before it waits, it sends the
   * short replies that are collected.
   */
  private Reply next() {
    while (true) {
      synchronized (this) {
        if (!replies.isEmpty()) {
          return replies.remove();
        }
        if (together.position() == 0) {
          pace.end();
          if (isFinished) {
            return null;
          }
          await();
          continue;
        }
      }
      try {
        flush();
      } catch (Throwable e) {
        broken(e);
      }
    }
  }

  private void await() {
    try {
      wait();
    } catch (InterruptedException e) {
      // No code interrupts this thread. If it happens all the same, the thread ends after the
      // replies that are there.
      isFinished = true;
    }
  }

  private void send(Reply reply) throws IOException {
    boolean isLater = false;
    try {
      if (isBroken()) {
        return;
      }
      if (reply.head.remaining() > together.remaining()) {
        flush();
      }
      together.put(reply.head);
      if (reply.data.remaining() <= together.remaining()) {
        together.put(reply.data);
        rooms.add(reply.room);
        isLater = true;
      } else {
        flush();
        write(reply.data);
      }
    } finally {
      if (!isLater) {
        reply.room.close();
      }
    }
  }

  private void flush() throws IOException {
    try {
      if (!isBroken()) {
        write(together.flip());
      }
    } finally {
      together.clear();
      rooms.forEach(ByteBudget.Grant::close);
      rooms.clear();
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    deadline.in(limitNanos);
    try {
      int end = bytes.limit();
      while (bytes.position() < end) {
        int begin = bytes.position();
        bytes.limit(Math.min(end, begin + ClientWire.CALL_BYTES_MOST));
        wire.write(bytes);
        pace.moved(bytes.position() - begin);
      }
    } finally {
      deadline.clear();
    }
  }
}
