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

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Direct memory for repairs, bounded in total. Nobody waits for memory: a node that waits while
 * others of its tree hold theirs could wait for ever, so whoever finds none says that it is
 * overloaded.
 *
 * <p>Thread-safe.
 */
@InterfaceAudience.Private
public final class BufferPool {
  private static final Logger LOG = LoggerFactory.getLogger(BufferPool.class);

  private final long bytesMost;
  private final IntFunction<ByteBuffer> allocator;
  private final Map<Integer, Deque<ByteBuffer>> free = new HashMap<>();
  private long freeBytes;
  private long usedBytes;

  /** @param bytesMost direct memory held at any time, in use or kept for the next repair */
  public BufferPool(long bytesMost) {
    this(bytesMost, ByteBuffer::allocateDirect);
  }

  BufferPool(long bytesMost, IntFunction<ByteBuffer> allocator) {
    this.bytesMost = bytesMost;
    this.allocator = allocator;
  }

  /** The most that can ever be leased, bytes. */
  public long bytesMost() {
    return bytesMost;
  }

  /** Bytes in use. */
  public synchronized long usedBytes() {
    return usedBytes;
  }

  /** What a lease of {@code bytes} takes: powers of two, so that repairs can use each other's. */
  static int capacityFor(int bytes) {
    return Integer.highestOneBit(Math.max(1, bytes - 1)) << 1;
  }

  /**
   * Takes memory, to be closed exactly when nobody uses it any more.
   *
   * @param bytes how much, at least
   * @return the lease, or null if the bound is reached
   */
  public Lease lease(int bytes) {
    int capacity = capacityFor(bytes);
    ByteBuffer kept;
    synchronized (this) {
      if (usedBytes + capacity > bytesMost) {
        return null;
      }
      kept = reserve(capacity);
    }
    return make(kept, capacity);
  }

  /**
   * Takes memory as soon as there is some. To be called by those only who hold nothing that holders
   * of leases may be waiting for.
   *
   * @param bytes how much, at least
   * @param msMost how long to wait, milliseconds
   * @return the lease, or null if there was none for so long, or none can be expected
   * @throws InterruptedException if the current thread is interrupted
   */
  public Lease await(int bytes, long msMost) throws InterruptedException {
    int capacity = capacityFor(bytes);
    if (capacity > bytesMost) {
      return null;
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(msMost);
    ByteBuffer kept;
    synchronized (this) {
      while (usedBytes + capacity > bytesMost) {
        long ms = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (ms <= 0) {
          return null;
        }
        wait(ms);
      }
      kept = reserve(capacity);
    }
    return make(kept, capacity);
  }

  /** @return memory that was kept, or null if there is none of that size */
  private synchronized ByteBuffer reserve(int capacity) {
    Deque<ByteBuffer> same = free.get(capacity);
    ByteBuffer kept = same == null ? null : same.pollLast();
    if (kept != null) {
      freeBytes -= capacity;
    } else if (usedBytes + freeBytes + capacity > bytesMost) {
      // What is kept has other sizes than what is wanted now.
      free.clear();
      freeBytes = 0;
    }
    usedBytes += capacity;
    return kept;
  }

  private Lease make(ByteBuffer kept, int capacity) {
    if (kept != null) {
      return new Lease(kept);
    }
    try {
      return new Lease(allocator.apply(capacity));
    } catch (OutOfMemoryError e) {
      // The JVM's own bound on direct memory is lower than ours: no more than overload either. Who
      // else uses it does not tell us when there is some again.
      LOG.warn("The JVM has no {} bytes of direct memory for a repair: {}", capacity,
          e.toString());
      giveBack(null, capacity);
      return null;
    }
  }

  private synchronized void giveBack(ByteBuffer buffer, int capacity) {
    usedBytes -= capacity;
    notifyAll();
    if (buffer != null) {
      free.computeIfAbsent(capacity, size -> new ArrayDeque<>()).addLast(buffer);
      freeBytes += capacity;
    }
  }

  /** Memory that was taken. Used by one thread. */
  public final class Lease implements AutoCloseable {
    private ByteBuffer buffer;
    private int used;

    private Lease(ByteBuffer buffer) {
      this.buffer = buffer;
    }

    /** The next {@code bytes} bytes of the lease as a buffer of their own. */
    public ByteBuffer carve(int bytes) {
      ByteBuffer part = buffer.duplicate();
      part.limit(used + bytes);
      part.position(used);
      used += bytes;
      return part.slice();
    }

    /** Gives the memory back. May be called twice. */
    @Override
    public void close() {
      if (buffer != null) {
        giveBack(buffer, buffer.capacity());
        buffer = null;
      }
    }
  }
}
