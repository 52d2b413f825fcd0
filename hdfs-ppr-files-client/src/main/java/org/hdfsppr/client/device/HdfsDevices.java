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

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.Daemon;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the device that a path names: a file, or a directory that {@link DeviceMaker} has made. */
@InterfaceAudience.Private
public final class HdfsDevices {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsDevices.class);

  private final FileSystem fs;
  private final UpdatableFiles files;
  private final boolean isReadOnly;

  /**
   * @param fs the file system of the path
   * @param files opens the device's files
   * @param isReadOnly whether the device refuses changes
   */
  public HdfsDevices(FileSystem fs, UpdatableFiles files, boolean isReadOnly) {
    this.fs = fs;
    this.files = files;
    this.isReadOnly = isReadOnly;
  }

  /**
   * Opens a device.
   *
   * @param path a file, or a directory that {@link DeviceMaker} has made
   * @return the device; the caller closes it
   * @throws IOException if an object is missing or has a wrong length, or the user lacks a right
   */
  public BlockDevice open(Path path) throws IOException {
    FileStatus status = fs.getFileStatus(path);
    if (!status.isDirectory()) {
      return new FileDevice(files.open(path), isReadOnly);
    }
    DeviceLayout layout = layout(path);
    checkObjects(path, layout);
    ObjectsDevice device = new ObjectsDevice(layout, isReadOnly,
        object -> files.open(new Path(path, DeviceLayout.nameOf(object))));
    boolean isOpen = false;
    try {
      // This opens an object and syncs it, so that a missing right makes the open fail, and not the
      // first request of a client.
      device.persist(0, 1);
      isOpen = true;
      return device;
    } finally {
      if (!isOpen) {
        IOUtils.cleanupWithLogger(LOG, device);
      }
    }
  }

  private DeviceLayout layout(Path path) throws IOException {
    Path record = new Path(path, DeviceRecord.NAME);
    if (!fs.exists(record)) {
      throw new IOException(path.toUri().getPath() + " is a directory, and no device: "
          + record.getName() + " is missing in it; 'hdfs ppr -nbd -create' makes devices");
    }
    byte[] bytes = new byte[(int) Math.min(fs.getFileStatus(record).getLen(),
        DeviceRecord.BYTES_MOST)];
    try (FSDataInputStream in = fs.open(record)) {
      in.readFully(0, bytes);
    }
    try {
      return DeviceRecord.decode(bytes);
    } catch (IOException e) {
      throw new IOException(record.toUri().getPath() + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Checks that each object exists and has the right length. */
  private void checkObjects(Path path, DeviceLayout layout) throws IOException {
    BitSet there = new BitSet(layout.objects());
    RemoteIterator<FileStatus> all = fs.listStatusIterator(path);
    while (all.hasNext()) {
      FileStatus one = all.next();
      int object = DeviceLayout.objectOf(one.getPath().getName());
      if (object < 0 || object >= layout.objects()) {
        continue;
      }
      if (one.isDirectory() || one.getLen() != layout.bytesOf(object)) {
        throw new IOException(one.getPath().toUri().getPath() + " has " + one.getLen()
            + " bytes, and the device wants " + layout.bytesOf(object));
      }
      files.found(one);
      there.set(object);
    }
    int missing = there.nextClearBit(0);
    if (missing < layout.objects()) {
      throw new IOException(path.toUri().getPath() + " lacks "
          + (layout.objects() - there.cardinality()) + " of " + layout.objects()
          + " objects of the device, the first of them " + DeviceLayout.nameOf(missing));
    }
  }

  /** A device whose bytes are those of one file. Thread-safe. */
  public static final class FileDevice implements BlockDevice {
    private final SyncedBytes bytes;
    private final boolean isReadOnly;

    /**
     * @param bytes the file; this object closes it
     * @param isReadOnly whether the file may only be read
     */
    public FileDevice(UpdatableBytes bytes, boolean isReadOnly) {
      this.bytes = new SyncedBytes(bytes, new SyncHistory());
      this.isReadOnly = isReadOnly;
    }

    @Override
    public long size() {
      return bytes.length();
    }

    @Override
    public boolean isReadOnly() {
      return isReadOnly;
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
      bytes.read(offset, into);
    }

    @Override
    public void write(long offset, ByteBuffer from) throws IOException {
      bytes.write(offset, from);
    }

    @Override
    public void zero(long offset, long length) throws IOException {
      bytes.zero(offset, length);
    }

    @Override
    public boolean isZeroFast() {
      return false;
    }

    @Override
    public void flush() throws IOException {
      bytes.sync();
    }

    @Override
    public void persist(long offset, long length) throws IOException {
      bytes.sync();
    }

    @Override
    public void close() throws IOException {
      bytes.close();
    }
  }

  /**
   * A device whose bytes are in many files, which are called objects. With many files, a commit
   * makes new versions only of those that were written. Thread-safe.
   */
  public static final class ObjectsDevice implements BlockDevice {
    /**
     * How many objects are open at most. The stream and the writers of an object take some 100 KiB.
     */
    private static final int OPEN_MOST = 128;
    /**
     * How many objects are synced at the same time at most; each sync waits for the disks of
     * DataNodes.
     */
    private static final int SYNC_THREADS = 16;
    private static final long IDLE_S = 60;

    private final DeviceLayout layout;
    private final boolean isReadOnly;
    private final OpenObjects objects;
    /**
     * Runs the syncs. Its queue is bounded: only one flush runs at a time, and it adds at most two
     * tasks for each object.
     */
    private final ThreadPoolExecutor syncs;
    private final SharedSync sharedFlush = new SharedSync(this::flushNow);

    /**
     * @param layout says which object has which bytes
     * @param isReadOnly whether the objects may only be read
     * @param opener opens objects by their indices
     */
    ObjectsDevice(DeviceLayout layout, boolean isReadOnly, OpenObjects.Opener opener) {
      this(layout, isReadOnly, opener, OPEN_MOST, System::nanoTime);
    }

    ObjectsDevice(DeviceLayout layout, boolean isReadOnly, OpenObjects.Opener opener,
        int openMost, LongSupplier nanoClock) {
      this.layout = layout;
      this.isReadOnly = isReadOnly;
      this.objects = new OpenObjects(opener, openMost, nanoClock);
      this.syncs = new ThreadPoolExecutor(SYNC_THREADS, SYNC_THREADS, IDLE_S, TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(), new Daemon.DaemonFactory());
      syncs.allowCoreThreadTimeOut(true);
    }

    @Override
    public long size() {
      return layout.size;
    }

    @Override
    public boolean isReadOnly() {
      return isReadOnly;
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
      each(offset, into, SyncedBytes::read);
    }

    @Override
    public void write(long offset, ByteBuffer from) throws IOException {
      each(offset, from, SyncedBytes::write);
    }

    /** Reads or writes those bytes of a buffer that are in one object. */
    private interface BufferPart {
      void run(SyncedBytes object, long position, ByteBuffer part) throws IOException;
    }

    private void each(long offset, ByteBuffer buffer, BufferPart what) throws IOException {
      int limit = buffer.limit();
      try {
        each(offset, buffer.remaining(), (object, position, bytes) -> {
          int end = buffer.position() + (int) bytes;
          buffer.limit(end);
          what.run(object, position, buffer);
          buffer.limit(limit);
          buffer.position(end);
        });
      } finally {
        buffer.limit(limit);
      }
    }

    private interface RangePart {
      void run(SyncedBytes object, long position, long bytes) throws IOException;
    }

    private void each(long offset, long length, RangePart what) throws IOException {
      long end = offset + length;
      for (long at = offset; at < end;) {
        int object = layout.objectAt(at);
        long position = layout.inObject(at);
        long bytes = Math.min(end - at, layout.objectBytes - position);
        try (OpenObjects.Lease lease = objects.lease(object)) {
          what.run(lease.bytes(), position, bytes);
        }
        at += bytes;
      }
    }

    @Override
    public void zero(long offset, long length) throws IOException {
      each(offset, length, SyncedBytes::zero);
    }

    @Override
    public boolean isZeroFast() {
      return false;
    }

    @Override
    public void flush() throws IOException {
      if (!isReadOnly) {
        sharedFlush.await();
      }
    }

    /**
     * Syncs all objects with unsynced writes, and returns when all syncs have ended. Another server
     * of the same device, before this one or beside it, may have left unsynced writes in any
     * object. So the first flush also opens and syncs all objects that this process has not synced
     * yet.
     */
    private void flushNow() throws IOException {
      List<Future<?>> running = new ArrayList<>();
      for (int object = 0; object < layout.objects(); object++) {
        int one = object;
        if (!objects.isSynced(one)) {
          running.add(syncs.submit(() -> {
            try (OpenObjects.Lease lease = objects.lease(one)) {
              lease.bytes().sync();
            }
            return null;
          }));
        }
      }
      for (OpenObjects.Lease lease : objects.dirty()) {
        running.add(syncs.submit(() -> {
          try (lease) {
            lease.bytes().sync();
          }
          return null;
        }));
      }
      IOException failure = null;
      for (Future<?> one : running) {
        try {
          one.get();
        } catch (ExecutionException e) {
          IOException why = e.getCause() instanceof IOException ? (IOException) e.getCause()
              : new IOException("A sync ended with an error: " + e.getCause(), e.getCause());
          if (failure == null) {
            failure = why;
          } else if (failure != why) {
            // Tasks that share a sync throw the same exception, and Java does not allow an
            // exception to suppress itself.
            failure.addSuppressed(why);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("The caller does not wait for the disks any more");
        }
      }
      if (failure != null) {
        throw failure;
      }
    }

    /** Syncs the objects of the range. If one is not open, it was synced before it was closed. */
    @Override
    public void persist(long offset, long length) throws IOException {
      each(offset, length, (object, position, bytes) -> object.sync());
    }

    @Override
    public void close() {
      syncs.shutdown();
      objects.close();
    }
  }
}
