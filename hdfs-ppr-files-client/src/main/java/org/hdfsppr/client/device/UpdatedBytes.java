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
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.io.IOUtils;
import org.hdfsppr.operate.GroupReplacedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of a device that is changed through update logs. If a commit replaces the file's version,
 * this class opens it again. Thread-safe.
 */
final class UpdatedBytes implements UpdatableBytes {
  private static final Logger LOG = LoggerFactory.getLogger(UpdatedBytes.class);

  /** Writes into the file. Thread-safe. */
  interface Updater {
    long length();

    /** Returns when the bytes survive the loss of a node. */
    void write(long position, ByteBuffer from) throws IOException;

    /**
     * Syncs to disks all writes that have returned; the first call also syncs those of other
     * processes.
     */
    void sync() throws IOException;

    /**
     * Returns whether the updater knows which file it writes, and so can go on after a commit.
     * Before that, it has written nothing.
     */
    boolean knowsFile();

    boolean isDirty();

    boolean isSyncUrgent();
  }

  /** Opens the file for writing or reading; may be called several times. */
  interface Opener {
    Updater updater() throws IOException;

    FSDataInputStream stream() throws IOException;
  }

  private interface Use {
    void of(Updater updater) throws IOException;
  }

  /**
   * How often a write or a sync is tried at most if commits replace the file before its first
   * write.
   */
  static final int VERSIONS_MOST = 8;

  private final Opener file;
  private final long length;
  /** Runs when the file is closed. */
  private final Runnable atEnd;
  /** The updater that writes and syncs use. Guarded by this, like all fields below. */
  private Updater updater;
  private FSDataInputStream in;
  private boolean isClosed;

  private UpdatedBytes(Opener file, Updater updater, FSDataInputStream in, Runnable atEnd) {
    this.file = file;
    this.updater = updater;
    this.length = updater.length();
    this.in = in;
    this.atEnd = atEnd;
  }

  /**
   * Opens a file.
   *
   * @param file opens the updater and the stream of the file
   * @param atEnd runs when the file is closed
   */
  static UpdatedBytes open(Opener file, Runnable atEnd) throws IOException {
    return new UpdatedBytes(file, file.updater(), file.stream(), atEnd);
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
      // A stream may fail because the file has got a new version, or because its directory has
      // become updatable.
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
    check();
    return in;
  }

  private void check() throws IOException {
    if (isClosed) {
      throw new IOException(file + " is closed");
    }
  }

  /** Opens a new stream in place of one that has failed, unless another thread has done so. */
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
    use(now -> now.write(position, from));
  }

  @Override
  public void sync() throws IOException {
    use(Updater::sync);
  }

  private void use(Use what) throws IOException {
    Updater used = updater();
    for (int versions = 1; true; versions++) {
      try {
        what.of(used);
        return;
      } catch (GroupReplacedException e) {
        if (used.knowsFile() || versions == VERSIONS_MOST) {
          throw e;
        }
        // A commit of another client's writes has replaced the version before this updater has
        // written anything.
        used = reopen(used);
      }
    }
  }

  private synchronized Updater updater() throws IOException {
    check();
    return updater;
  }

  /**
   * Replaces an updater that has failed by a new one, and returns the updater to use now. If
   * another thread has replaced the failed updater already, that thread's updater is used.
   */
  private Updater reopen(Updater used) throws IOException {
    Updater opened = file.updater();
    if (opened.length() != length) {
      throw new IOException(file + " has " + opened.length() + " bytes now, and had " + length
          + "; start the block device again");
    }
    synchronized (this) {
      check();
      if (updater == used) {
        updater = opened;
      }
      return updater;
    }
  }

  /** Returns whether any write that has returned may not be on disks yet. */
  synchronized boolean isDirty() {
    return !isClosed && updater.isDirty();
  }

  synchronized boolean isSyncUrgent() {
    return !isClosed && updater.isSyncUrgent();
  }

  @Override
  public void close() throws IOException {
    Closeable closed;
    synchronized (this) {
      isClosed = true;
      closed = in;
    }
    atEnd.run();
    closed.close();
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
