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
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.util.Daemon;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a new device: a directory of files, which are called objects. It writes all bytes of the
 * objects, because HDFS has no holes, and an update can only change bytes that exist. If this
 * fails, or the process ends, it deletes what it has made. An instance makes one device.
 */
@InterfaceAudience.Private
public final class DeviceMaker {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceMaker.class);
  /**
   * How many objects are written at the same time. Each needs a stream to all DataNodes of a block
   * group.
   */
  private static final int AT_A_TIME = 4;
  /**
   * How long to wait for the threads that write objects to end after a failure, seconds: a bit
   * longer than a call of the NameNode takes.
   */
  private static final long END_S = 60;
  /**
   * How long the end of the process waits, seconds: for the writing threads to end, and for as long
   * again to delete the files.
   */
  private static final long GIVE_UP_S = 2 * END_S;
  /**
   * The priority of the shutdown hook that deletes the objects: it runs before Hadoop's own hook,
   * which closes file systems.
   */
  private static final int PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 1;
  private static final byte[] ZEROES = new byte[1 << 20];

  /**
   * The permissions of a new device. It is like the disk of a machine, so only its owner may read
   * it.
   */
  private static final FsPermission OWN_DIRECTORY = new FsPermission((short) 0700);
  private static final FsPermission OWN_FILE = new FsPermission((short) 0600);

  private final DistributedFileSystem fs;
  private final Path directory;
  private final CountDownLatch hasEnded = new CountDownLatch(1);
  private volatile Thread maker;

  /**
   * @param fs the cluster
   * @param directory the directory of the device; it must not exist, or must be empty
   */
  public DeviceMaker(DistributedFileSystem fs, Path directory) {
    this.fs = fs;
    this.directory = directory;
  }

  /** Shows the sizes of a device before its objects are made. */
  public interface Plan {
    /**
     * @param layout the sizes, rounded up
     * @throws IOException if the caller does not want the device with these sizes
     */
    void show(DeviceLayout layout) throws IOException;
  }

  /**
   * Makes the device.
   *
   * @param size how many bytes the device has to have at least
   * @param objectBytes how many bytes each object has to have at least
   * @param plan is called with the sizes, rounded up to whole stripes
   * @param progress is called with the number of objects that were made
   * @throws IllegalArgumentException if the sizes are not valid; the message is a sentence that can
   *     be shown to users
   * @throws IOException if the directory is in use, or not erasure-coded, or a write fails
   */
  public void make(long size, long objectBytes, Plan plan, IntConsumer progress)
      throws IOException {
    maker = Thread.currentThread();
    Runnable hook = this::giveUp;
    ShutdownHookManager.get().addShutdownHook(hook, PRIORITY, GIVE_UP_S, TimeUnit.SECONDS);
    try {
      makeOrClearUp(size, objectBytes, plan, progress);
    } finally {
      hasEnded.countDown();
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().removeShutdownHook(hook);
      }
    }
  }

  /**
   * Interrupts {@link #make}, which runs in another thread, and waits until it has deleted what it
   * has made.
   */
  public void giveUp() {
    LOG.info("The device {} is not made any more, and what there is of it is deleted", name());
    maker.interrupt();
    try {
      if (!hasEnded.await(GIVE_UP_S, TimeUnit.SECONDS)) {
        LOG.warn("What was made of the device {} may be there still", name());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void makeOrClearUp(long size, long objectBytes, Plan plan, IntConsumer progress)
      throws IOException {
    boolean isNew = !fs.exists(directory);
    if (!isNew && fs.listStatusIterator(directory).hasNext()) {
      throw new FileAlreadyExistsException(name()
          + " is not empty; a device is made in a directory of its own");
    }
    if (isNew) {
      // Parents that are missing are made by a call of their own, so that they get the usual
      // permissions.
      fs.mkdirs(directory.getParent());
      fs.mkdirs(directory, OWN_DIRECTORY);
    }
    // In a directory that existed before, files get the permissions that its default ACL and the
    // user's umask give.
    FsPermission files = isNew ? OWN_FILE : FsPermission.getFileDefault();
    Queue<Path> made = new ConcurrentLinkedQueue<>();
    boolean isDone = false;
    try {
      ErasureCodingPolicy policy = fs.getErasureCodingPolicy(directory);
      if (policy == null) {
        throw new IOException(name() + " has no erasure coding policy, and only erasure-coded files"
            + " are updated in place: 'hdfs ec -setPolicy' on a directory above gives it one");
      }
      DeviceLayout layout = DeviceLayout.rounded(size, objectBytes,
          (long) policy.getCellSize() * policy.getNumDataUnits());
      plan.show(layout);
      makeObjects(layout, layout.objectBytes / policy.getNumDataUnits(), files, made, progress);
      writeRecord(layout, files, made);
      isDone = true;
    } finally {
      if (!isDone) {
        clearUp(isNew, made);
      }
    }
  }

  private String name() {
    return directory.toUri().getPath();
  }

  private void makeObjects(DeviceLayout layout, long blockBytes, FsPermission permission,
      Queue<Path> made, IntConsumer progress) throws IOException {
    ExecutorService threads =
        Executors.newFixedThreadPool(AT_A_TIME, new Daemon.DaemonFactory());
    List<Future<?>> running = new ArrayList<>();
    try {
      for (int object = 0; object < layout.objects(); object++) {
        if (object >= AT_A_TIME) {
          await(running.get(object - AT_A_TIME));
          progress.accept(object - AT_A_TIME + 1);
        }
        Path file = new Path(directory, DeviceLayout.nameOf(object));
        long bytes = layout.bytesOf(object);
        running.add(threads.submit(() -> {
          write(file, bytes, blockBytes, permission, made);
          return null;
        }));
      }
      for (Future<?> one : running) {
        await(one);
      }
      progress.accept(layout.objects());
    } finally {
      end(threads);
    }
  }

  /**
   * Ends all threads that write objects, and waits for their end, so that none of them makes a file
   * after the clean-up.
   */
  private static void end(ExecutorService threads) {
    threads.shutdownNow();
    boolean isInterrupted = Thread.interrupted();
    try {
      if (!threads.awaitTermination(END_S, TimeUnit.SECONDS)) {
        LOG.debug("Writers of objects have not ended");
      }
    } catch (InterruptedException e) {
      isInterrupted = true;
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void await(Future<?> one) throws IOException {
    try {
      one.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException ? (IOException) e.getCause()
          : new IOException("An object could not be written: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The device is not made any more");
    }
  }

  private void write(Path file, long bytes, long blockBytes, FsPermission permission,
      Queue<Path> made) throws IOException {
    FsServerDefaults defaults = fs.getServerDefaults(file);
    // The path is recorded before the call, because a call that is interrupted may have made the
    // file all the same.
    made.add(file);
    try (OutputStream out = fs.create(file, permission, false, defaults.getFileBufferSize(),
        defaults.getReplication(), blockBytes, null)) {
      for (long left = bytes; left > 0;) {
        int part = (int) Math.min(left, ZEROES.length);
        out.write(ZEROES, 0, part);
        left -= part;
      }
    } catch (FileAlreadyExistsException e) {
      // This process has not made the file, so the clean-up must not delete it.
      made.remove(file);
      throw e;
    }
  }

  /**
   * Writes the record under another name, and then renames it, so that no incomplete record ever
   * has the right name.
   */
  private void writeRecord(DeviceLayout layout, FsPermission permission, Queue<Path> made)
      throws IOException {
    Path part = new Path(directory, DeviceRecord.NAME + ".new");
    FsServerDefaults defaults = fs.getServerDefaults(part);
    try (OutputStream out = fs.create(part, permission, false, defaults.getFileBufferSize(),
        defaults.getReplication(), defaults.getBlockSize(), null)) {
      made.add(part);
      out.write(DeviceRecord.encode(layout));
    }
    if (!fs.rename(part, new Path(directory, DeviceRecord.NAME))) {
      throw new IOException(part + " could not get its name");
    }
  }

  private void clearUp(boolean isNew, Queue<Path> made) {
    // Calls of an interrupted thread would fail. So this clears the interrupt, and restores it in
    // the end.
    boolean isInterrupted = Thread.interrupted();
    try {
      for (Path file : made) {
        fs.delete(file, false);
      }
      if (isNew) {
        // This fails if others have put files into the directory meanwhile.
        fs.delete(directory, false);
      }
    } catch (IOException e) {
      LOG.warn("What was made of the device {} could not be deleted again: {}", name(),
          e.toString());
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
