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

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * One direction of a connection: a bounded run of bytes between a thread that writes and one that
 * reads, with the timeouts, the end of file and the errors of a socket. What a {@link Fault} does
 * to a link is done here, to the bytes on their way in.
 */
@InterfaceAudience.Private
final class BytePipe {
  private final byte[] ring;
  private final int timeScale;
  private final Fault fault;
  private final Consumer<Boolean> cut;
  private int start;
  private int count;
  private long written;
  private byte[] held = new byte[0];
  private int readTimeoutMs;
  private int writeTimeoutMs;
  private boolean writerClosed;
  private boolean readerClosed;
  private boolean broken;
  private boolean lost;
  private boolean stalled;

  /**
   * @param capacity bytes on the way at a time
   * @param timeScale timeouts pass this many times faster than they say
   * @param fault what happens to the bytes of this pipe, or null
   * @param cut breaks the connection that the pipe is part of; what is on the way is lost or not
   */
  BytePipe(int capacity, int timeScale, Fault fault, Consumer<Boolean> cut) {
    this.ring = new byte[capacity];
    this.timeScale = timeScale;
    this.fault = fault;
    this.cut = cut;
  }

  synchronized void setReadTimeout(int timeoutMs) {
    readTimeoutMs = timeoutMs;
  }

  synchronized void setWriteTimeout(int timeoutMs) {
    writeTimeoutMs = timeoutMs;
  }

  /** As {@link java.io.InputStream#read(byte[], int, int)}. */
  synchronized int read(byte[] to, int offset, int length) throws IOException {
    long deadline = deadline(readTimeoutMs);
    while (true) {
      if (readerClosed) {
        throw new SocketException("Socket closed");
      } else if (lost) {
        throw new SocketException("Connection reset");
      } else if (count > 0 && !stalled) {
        int most = Math.min(Math.min(length, count), ring.length - start);
        System.arraycopy(ring, start, to, offset, most);
        start = (start + most) % ring.length;
        count -= most;
        notifyAll();
        return most;
      } else if ((writerClosed || broken) && !stalled) {
        return -1;
      }
      await(deadline, "Read timed out");
    }
  }

  /** As {@link java.io.OutputStream#write(byte[], int, int)}. */
  void write(byte[] from, int offset, int length) throws IOException {
    if (fault == null) {
      put(from, offset, length);
      return;
    }
    long at = written;
    written += length;
    if (written <= fault.offset || at >= fault.end() && held.length == 0) {
      put(from, offset, length);
      return;
    }
    int before = (int) Math.max(0, Math.min(length, fault.offset - at));
    int behind = (int) Math.max(0, Math.min(length, written - Math.max(at, fault.end())));
    int inside = length - before - behind;
    put(from, offset, before);
    byte[] part = new byte[inside];
    System.arraycopy(from, offset + before, part, 0, inside);
    harm(part);
    put(from, offset + before + inside, behind);
  }

  /** Passes the bytes that a fault is about, in the way that it wants. */
  private void harm(byte[] part) throws IOException {
    switch (fault.kind) {
      case CUT:
        fault.trigger();
        cut.accept((fault.mask & 1) == 0);
        throw new SocketException("Broken pipe");
      case LOSE:
        fault.trigger();
        break;
      case FLIP:
        fault.trigger();
        for (int i = 0; i < part.length; i++) {
          part[i] ^= fault.mask;
        }
        put(part, 0, part.length);
        break;
      case DUPLICATE:
        fault.trigger();
        put(part, 0, part.length);
        put(part, 0, part.length);
        break;
      case SWAP:
        hold(part);
        break;
      case DELAY:
      case SLOW:
        fault.trigger();
        sleep(fault.mask);
        put(part, 0, part.length);
        break;
      case STALL:
        fault.trigger();
        synchronized (this) {
          stalled = true;
        }
        put(part, 0, part.length);
        break;
      default:
        throw new IllegalStateException(fault + " is not about links");
    }
  }

  /** Keeps the bytes until all that the fault is about are here; passes the second half first. */
  private void hold(byte[] part) throws IOException {
    byte[] all = new byte[held.length + part.length];
    System.arraycopy(held, 0, all, 0, held.length);
    System.arraycopy(part, 0, all, held.length, part.length);
    held = all;
    if (held.length == fault.end() - fault.offset) {
      held = new byte[0];
      int half = all.length / 2;
      fault.trigger();
      put(all, half, all.length - half);
      put(all, 0, half);
    }
  }

  private synchronized void put(byte[] from, int offset, int length) throws IOException {
    int done = 0;
    long deadline = deadline(writeTimeoutMs);
    while (true) {
      if (done == length) {
        return;
      } else if (writerClosed) {
        throw new SocketException("Socket closed");
      } else if (broken || readerClosed) {
        throw new SocketException("Broken pipe");
      } else if (count < ring.length) {
        int end = (start + count) % ring.length;
        int most = Math.min(Math.min(length - done, ring.length - count), ring.length - end);
        System.arraycopy(from, offset + done, ring, end, most);
        count += most;
        done += most;
        deadline = deadline(writeTimeoutMs);
        notifyAll();
      } else {
        await(deadline, "Write timed out");
      }
    }
  }

  private long deadline(int timeoutMs) {
    return timeoutMs == 0 ? Long.MAX_VALUE
        : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs) / timeScale;
  }

  private void await(long deadline, String message) throws IOException {
    try {
      if (deadline == Long.MAX_VALUE) {
        wait();
        return;
      }
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw new SocketTimeoutException(message);
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }

  static void sleep(int ms) throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }

  /** The writer's side is closed: the reader gets what is on the way, and then the end. */
  void closeWriter() {
    byte[] rest = held;
    held = new byte[0];
    try {
      put(rest, 0, rest.length);
    } catch (IOException e) {
      // The reader has closed the pipe.
      rest = null;
    }
    synchronized (this) {
      writerClosed = true;
      notifyAll();
    }
  }

  synchronized void closeReader() {
    readerClosed = true;
    notifyAll();
  }

  /**
   * The connection breaks: the writer gets an error from now on. So does the reader, at once or
   * after what is on the way.
   */
  synchronized void breakOff(boolean atOnce) {
    broken = true;
    lost = atOnce;
    notifyAll();
  }
}
