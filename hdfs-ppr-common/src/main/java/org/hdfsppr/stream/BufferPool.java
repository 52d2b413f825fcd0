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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Direct memory for repairs, bounded in total. The pool allocates a few large slabs when it first
 * needs them, and never drops them. The JVM frees a dropped direct buffer only at some later
 * garbage collection, or never with {@code -XX:+DisableExplicitGC}, so that a pool which drops
 * buffers could take more memory than its bound.
 *
 * <p>A helper does not wait for memory. If a helper waited while the other nodes of its tree hold
 * their memory, all nodes could wait for ever. The helper answers that it is overloaded instead.
 *
 * <p>Thread-safe.
 */
@InterfaceAudience.Private
public final class BufferPool implements BufferSource {
  private static final Logger LOG = LoggerFactory.getLogger(BufferPool.class);

  /**
   * The longest slab in bytes that the pool itself chooses; a caller of the constructor may choose
   * a longer one. The pool takes memory from the process one slab at a time, so a pool with few
   * leases takes no more than this.
   */
  private static final int SLAB_BYTES_MOST = 16 << 20;
  /**
   * The shortest slab in bytes. Each buffer of a lease lies within one slab. A repair with
   * sub-chunks needs long buffers, which may not fit into a shorter slab.
   */
  private static final int SLAB_BYTES_LEAST = 1 << 20;
  /**
   * The pool divides its memory into at least this many slabs, unless they would be shorter than
   * {@link #SLAB_BYTES_LEAST}. With several slabs, it takes memory from the process only as repairs
   * need it.
   */
  private static final int SLABS_LEAST = 4;
  /**
   * After the JVM has refused memory, the pool does not ask again for this time, nanoseconds. Each
   * further attempt costs a garbage collection and half a second of waiting inside the JVM. The
   * pause keeps most requests from waiting that long.
   */
  private static final long GROW_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The most bytes that all leases of the pool can hold at the same time */
  public final long bytesMost;
  private final int slabBytes;
  private final IntFunction<ByteBuffer> allocator;
  private final LongSupplier nanoClock;
  /**
   * A thread holds this monitor while it allocates a slab. A thread that needs both monitors takes
   * this one before the monitor of the pool.
   */
  private final Object growing = new Object();
  private final List<Slab> slabs = new ArrayList<>();
  private long allocatedBytes;
  private long usedBytes;
  private boolean refused;
  private long refusedNanos;

  /** @param bytesMost the most bytes of direct memory that the pool takes from the process */
  public BufferPool(long bytesMost) {
    this(bytesMost, slabBytes(bytesMost));
  }

  /**
   * @param bytesMost the most bytes of direct memory that the pool takes from the process
   * @param slabBytes length of a slab in bytes, which is also the length of the longest buffer that
   *     the pool can lease
   */
  public BufferPool(long bytesMost, int slabBytes) {
    this(bytesMost, slabBytes, ByteBuffer::allocateDirect, System::nanoTime);
  }

  BufferPool(long bytesMost, int slabBytes, IntFunction<ByteBuffer> allocator,
      LongSupplier nanoClock) {
    this.bytesMost = bytesMost / Slab.PAGE_BYTES * Slab.PAGE_BYTES;
    this.slabBytes = (int) Math.min(this.bytesMost, Slab.inPages(slabBytes));
    this.allocator = allocator;
    this.nanoClock = nanoClock;
  }

  /**
   * Returns the length of a slab in bytes for a pool of {@code bytesMost} bytes, if the caller does
   * not know the longest piece that it will lease.
   */
  static int slabBytes(long bytesMost) {
    long share = Long.highestOneBit(Math.max(1, bytesMost / SLABS_LEAST));
    return (int) Math.max(SLAB_BYTES_LEAST, Math.min(SLAB_BYTES_MOST, share));
  }

  /** Returns the length of the longest buffer that the pool can lease, bytes. */
  int pieceBytesMost() {
    return slabBytes;
  }

  /** @return bytes that leases hold at present, in whole pages */
  public synchronized long usedBytes() {
    return usedBytes;
  }

  /** Returns the bytes that the pool has taken from the process. */
  synchronized long allocatedBytes() {
    return allocatedBytes;
  }

  /** Returns how many bytes a lease of buffers with these lengths takes from the pool. */
  static long bytesFor(int... pieces) {
    long bytes = 0;
    for (int piece : pieces) {
      bytes += Slab.inPages(piece);
    }
    return bytes;
  }

  @Override
  public String refusal(int... pieces) {
    long bytes = bytesFor(pieces);
    if (bytes > bytesMost) {
      return "buffers of " + bytes + " bytes are needed, and there are " + bytesMost;
    }
    for (int piece : pieces) {
      if (Slab.inPages(piece) > slabBytes) {
        return "a buffer of " + piece + " bytes is needed, and the largest has " + slabBytes;
      }
    }
    return null;
  }

  @Override
  public Lease lease(int... pieces) {
    if (refusal(pieces) != null) {
      return null;
    }
    while (true) {
      synchronized (this) {
        Lease lease = place(pieces);
        if (lease != null || !canGrow()) {
          return lease;
        }
      }
      grow();
    }
  }

  @Override
  public Lease await(long msMost, int... pieces) throws InterruptedException {
    return awaitWithin(bytesMost, msMost, pieces);
  }

  /**
   * Like {@link #await}, but takes the lease only if all leases of the pool, including this one,
   * then hold at most {@code usedMost} bytes.
   */
  Lease awaitWithin(long usedMost, long msMost, int... pieces) throws InterruptedException {
    if (refusal(pieces) != null) {
      return null;
    }
    long deadline = nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(msMost);
    while (true) {
      synchronized (this) {
        boolean isWithin = usedBytes + bytesFor(pieces) <= usedMost;
        Lease lease = isWithin ? place(pieces) : null;
        if (lease != null) {
          return lease;
        }
        if (!isWithin || !canGrow()) {
          long ms = TimeUnit.NANOSECONDS.toMillis(deadline - nanoClock.getAsLong());
          // The JVM has refused the first slab, so that the pool itself has nothing to lease. Other
          // users of direct memory in this process may free some, but do not notify the pool.
          if (ms <= 0 || slabs.isEmpty()) {
            return null;
          }
          wait(ms);
          continue;
        }
      }
      grow();
    }
  }

  /**
   * Finds free memory for all buffers of a lease. Returns null, and takes nothing, if there is not
   * enough.
   */
  private PoolLease place(int[] pieces) {
    PoolLease lease = new PoolLease(pieces);
    for (int piece : pieces) {
      if (!place(lease, (int) Slab.inPages(piece))) {
        // No notifyAll() here: this only gives back what this call has taken, so that waiting
        // callers would find no more free memory than before.
        release(lease);
        return null;
      }
    }
    return lease;
  }

  private boolean place(PoolLease lease, int bytes) {
    for (Slab slab : slabs) {
      int offset = slab.take(bytes);
      if (offset >= 0) {
        lease.runs.add(new Run(slab, offset, bytes));
        usedBytes += bytes;
        return true;
      }
    }
    return false;
  }

  private void release(PoolLease lease) {
    for (Run run : lease.runs) {
      run.slab.give(run.offset, run.bytes);
      usedBytes -= run.bytes;
    }
    lease.runs.clear();
  }

  private boolean canGrow() {
    return allocatedBytes < bytesMost
        && (!refused || nanoClock.getAsLong() - refusedNanos >= GROW_AGAIN_NANOS);
  }

  /**
   * Adds a slab, unless another thread has added one in the meantime. The other thread's slab may
   * have room for this caller, too.
   */
  private void grow() {
    long before = allocatedBytes();
    synchronized (growing) {
      int bytes;
      synchronized (this) {
        if (allocatedBytes != before || !canGrow()) {
          return;
        }
        bytes = (int) Math.min(slabBytes, bytesMost - allocatedBytes);
      }
      ByteBuffer memory = null;
      try {
        memory = allocator.apply(bytes);
      } catch (OutOfMemoryError e) {
        // The JVM's bound on direct memory is lower than the pool's bound. The caller then gets no
        // lease, and treats this as overload.
        LOG.warn("The JVM has no {} bytes of direct memory for repairs besides the {} that they"
            + " have; -XX:MaxDirectMemorySize bounds it. The next try is in {} s: {}", bytes,
            before, TimeUnit.NANOSECONDS.toSeconds(GROW_AGAIN_NANOS), e.toString());
      }
      synchronized (this) {
        refused = memory == null;
        if (refused) {
          refusedNanos = nanoClock.getAsLong();
        } else {
          slabs.add(new Slab(memory));
          allocatedBytes += bytes;
        }
        notifyAll();
      }
    }
  }

  /** The place of one leased buffer in a slab. */
  private static final class Run {
    private final Slab slab;
    private final int offset;
    private final int bytes;

    Run(Slab slab, int offset, int bytes) {
      this.slab = slab;
      this.offset = offset;
      this.bytes = bytes;
    }
  }

  /**
   * A lease. Each of its buffers is a run of bytes in one slab. All runs go back to the pool
   * together.
   */
  private final class PoolLease implements Lease {
    private final int[] pieces;
    private final List<Run> runs = new ArrayList<>();
    private Runnable atEnd;
    private int carved;
    private boolean closed;

    PoolLease(int[] pieces) {
      this.pieces = pieces.clone();
    }

    @Override
    public ByteBuffer carve(int bytes) {
      if (carved == pieces.length || pieces[carved] != bytes) {
        throw new IllegalArgumentException("Piece " + carved + " of the lease has not " + bytes
            + " bytes");
      }
      if (closed) {
        throw new IllegalStateException("The lease has been given back");
      }
      Run run = runs.get(carved++);
      return run.slab.view(run.offset, bytes);
    }

    @Override
    public Lease whenClosed(Runnable action) {
      atEnd = action;
      return this;
    }

    @Override
    public void close() {
      if (closed) {
        return;
      }
      closed = true;
      synchronized (BufferPool.this) {
        release(this);
        BufferPool.this.notifyAll();
      }
      if (atEnd != null) {
        atEnd.run();
      }
    }
  }

  /**
   * One contiguous piece of direct memory of a {@link BufferPool}, with a list of its free pages.
   * The pool never frees a slab. Offsets and lengths are in bytes, multiples of a page. Not
   * thread-safe.
   */
  static final class Slab {
    /**
     * Length of a page, bytes. It is the size of the system's pages, so that no two leases share a
     * page.
     */
    static final int PAGE_BYTES = 4096;

    private final ByteBuffer memory;
    /** The length of each free run, by the run's offset. No two free runs are adjacent. */
    private final TreeMap<Integer, Integer> free = new TreeMap<>();

    /** @param memory the whole memory; its length is a multiple of a page */
    Slab(ByteBuffer memory) {
      this.memory = memory;
      free.put(0, memory.capacity());
    }

    /** Rounds a number of bytes up to whole pages. */
    static long inPages(long bytes) {
      return (Math.max(1, bytes) + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    }

    /**
     * Takes pages from the first free run that is long enough, so that the end of the slab remains
     * free for long runs.
     *
     * @return offset of the pages, or -1 if no free run is long enough
     */
    int take(int bytes) {
      for (Map.Entry<Integer, Integer> run : free.entrySet()) {
        int offset = run.getKey();
        int length = run.getValue();
        if (length >= bytes) {
          free.remove(offset);
          if (length > bytes) {
            free.put(offset + bytes, length - bytes);
          }
          return offset;
        }
      }
      return -1;
    }

    /** Gives back pages that {@link #take} returned, and joins them with adjacent free runs. */
    void give(int offset, int bytes) {
      int start = offset;
      int end = offset + bytes;
      Map.Entry<Integer, Integer> before = free.lowerEntry(offset);
      if (before != null && before.getKey() + before.getValue() == offset) {
        start = before.getKey();
      }
      Integer after = free.remove(end);
      if (after != null) {
        end += after;
      }
      free.put(start, end - start);
    }

    /** Returns the memory of a run as a buffer of its own. */
    ByteBuffer view(int offset, int bytes) {
      ByteBuffer view = memory.duplicate();
      view.limit(offset + bytes);
      view.position(offset);
      return view.slice();
    }
  }
}
