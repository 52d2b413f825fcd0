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
package org.hdfsppr.client.device;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is changed through update logs. Each write has an updater for itself while it is
 * under way, so that it waits for its own acknowledgements and not for those of others.
 *
 * <p>An updater that has failed cannot say any more whether its earlier updates are on disks. If
 * there are such updates, the file takes no writes and no syncs until it is opened anew: each flush
 * then fails, whatever client wants it, and none of them can believe its writes safe that are not.
 * If there are none, another updater takes its place. Thread-safe.
 */
@InterfaceAudience.Private
final class UpdatedBytes implements UpdatableBytes {
  private static final Logger LOG = LoggerFactory.getLogger(UpdatedBytes.class);

  /** Writes into the file; used by one thread at a time, but for {@link #sync}. */
  interface Updater extends Closeable {
    long length();

    /** Returns when the bytes survive the loss of a node. If it fails, so do all later calls. */
    void write(long position, ByteBuffer from) throws IOException;

    /** Brings all writes of this updater that have returned onto disks. */
    void sync() throws IOException;
  }

  /** Opens the file, as often as is wanted. */
  interface Opener {
    Updater updater() throws IOException;

    FSDataInputStream stream() throws IOException;
  }

  /** An updater, and whether it has acknowledged updates that may not be on disks. */
  private static final class Writer {
    private final Updater updater;
    /** Grows with each update. Guarded by the file, like the other one. */
    private long written;
    private long synced;

    Writer(Updater updater) {
      this.updater = updater;
    }
  }

  private final Opener file;
  private final int writersMost;
  private final ExecutorService threads;
  private final long length;
  /** Guarded by this, like all fields below. */
  private final List<Writer> writers = new ArrayList<>();
  private final Deque<Writer> idle = new ArrayDeque<>();
  /** Updaters that are being opened. */
  private int opening;
  private FSDataInputStream in;
  private IOException failure;
  private boolean isClosed;

  private UpdatedBytes(Opener file, int writersMost, ExecutorService threads,
      FSDataInputStream in, Updater first) {
    this.file = file;
    this.writersMost = writersMost;
    this.threads = threads;
    this.in = in;
    this.length = first.length();
    Writer writer = new Writer(first);
    writers.add(writer);
    idle.add(writer);
  }

  /**
   * Opens a file.
   *
   * @param file opens it
   * @param writersMost the most writes that are under way at the same time
   * @param threads sync writers beside each other
   */
  static UpdatedBytes open(Opener file, int writersMost, ExecutorService threads)
      throws IOException {
    Updater first = file.updater();
    boolean isOpen = false;
    try {
      FSDataInputStream in = file.stream();
      isOpen = true;
      return new UpdatedBytes(file, writersMost, threads, in, first);
    } finally {
      if (!isOpen) {
        IOUtils.cleanupWithLogger(LOG, first);
      }
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void read(long position, ByteBuffer into) throws IOException {
    FSDataInputStream used = stream();
    try {
      readFully(used, position, into);
    } catch (IOException e) {
      // A stream ends when the file gets a new version, or its directory becomes updatable.
      LOG.debug("{} is opened anew", file, e);
      readFully(reopen(used), position, into);
    }
    into.position(into.limit());
  }

  private static void readFully(FSDataInputStream in, long position, ByteBuffer into)
      throws IOException {
    in.readFully(position, into.array(), into.arrayOffset() + into.position(), into.remaining());
  }

  private synchronized FSDataInputStream stream() throws IOException {
    if (isClosed) {
      throw new IOException(file + " is closed");
    }
    return in;
  }

  /** Opens the stream anew, unless another thread has done so. */
  private FSDataInputStream reopen(FSDataInputStream used) throws IOException {
    FSDataInputStream now = stream();
    if (now != used) {
      return now;
    }
    FSDataInputStream opened = file.stream();
    FSDataInputStream unused = opened;
    synchronized (this) {
      if (in == used && !isClosed) {
        in = opened;
        unused = used;
      }
    }
    IOUtils.cleanupWithLogger(LOG, unused);
    return stream();
  }

  @Override
  public void write(long position, ByteBuffer from) throws IOException {
    Writer writer = take();
    boolean isDone = false;
    try {
      writer.updater.write(position, from);
      isDone = true;
    } finally {
      end(writer, isDone);
    }
  }

  /** Returns an updater that no other thread uses. */
  private Writer take() throws IOException {
    synchronized (this) {
      while (true) {
        check();
        if (!idle.isEmpty()) {
          return idle.pop();
        }
        if (writers.size() + opening < writersMost) {
          opening++;
          break;
        }
        try {
          wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("The caller does not wait for a write any more");
        }
      }
    }
    Writer opened = null;
    try {
      opened = new Writer(file.updater());
      return opened;
    } finally {
      synchronized (this) {
        opening--;
        if (opened != null) {
          writers.add(opened);
        }
        notifyAll();
      }
    }
  }

  private void check() throws IOException {
    if (failure != null) {
      throw failure;
    }
    if (isClosed) {
      throw new IOException(file + " is closed");
    }
  }

  private void end(Writer writer, boolean isDone) {
    boolean isDropped = false;
    synchronized (this) {
      if (isDone) {
        writer.written++;
        idle.push(writer);
      } else if (writer.written == writer.synced) {
        writers.remove(writer);
        isDropped = true;
      } else {
        fail();
      }
      notifyAll();
    }
    if (isDropped) {
      IOUtils.cleanupWithLogger(LOG, writer.updater);
    }
  }

  /** Takes note that updates may be lost. */
  private void fail() {
    if (failure == null) {
      failure = new IOException("Writes to " + file + " may be lost after a failure; it takes no"
          + " more of them until the block device is started again");
      LOG.error("Writes to {} since the last flush may be lost, and the block device takes no more"
          + " of them until it is started again", file);
    }
  }

  @Override
  public void sync() throws IOException {
    List<Writer> dirty = new ArrayList<>();
    synchronized (this) {
      check();
      writers.stream().filter(writer -> writer.written != writer.synced).forEach(dirty::add);
    }
    List<Future<?>> running = new ArrayList<>();
    for (Writer writer : dirty.subList(Math.min(1, dirty.size()), dirty.size())) {
      running.add(threads.submit(() -> {
        sync(writer);
        return null;
      }));
    }
    try {
      if (!dirty.isEmpty()) {
        sync(dirty.get(0));
      }
    } finally {
      await(running);
    }
  }

  private void sync(Writer writer) throws IOException {
    long covered;
    synchronized (this) {
      covered = writer.written;
    }
    writer.updater.sync();
    synchronized (this) {
      writer.synced = Math.max(writer.synced, covered);
    }
  }

  /** Waits for all, and fails if one of them has failed. */
  private static void await(List<Future<?>> running) throws IOException {
    IOException failure = null;
    for (Future<?> one : running) {
      try {
        one.get();
      } catch (ExecutionException e) {
        failure = e.getCause() instanceof IOException ? (IOException) e.getCause()
            : new IOException("A sync ended with an error: " + e.getCause(), e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failure = new InterruptedIOException("The caller does not wait for the disks any more");
        break;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() throws IOException {
    List<Closeable> all = new ArrayList<>();
    synchronized (this) {
      isClosed = true;
      notifyAll();
      writers.forEach(writer -> all.add(writer.updater));
      all.add(in);
    }
    IOUtils.cleanupWithLogger(LOG, all.toArray(new Closeable[0]));
  }
}
