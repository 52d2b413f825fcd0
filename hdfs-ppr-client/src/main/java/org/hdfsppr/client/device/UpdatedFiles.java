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
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.client.update.UpdateLogFullException;

/** Opens files of a cluster to change them in place, through the update logs of DataNodes. */
@InterfaceAudience.Private
public final class UpdatedFiles implements UpdatableFiles, Closeable {
  /**
   * Syncs of writers that run at the same time; each one waits for disks of other nodes, and is
   * done there together with others.
   */
  private static final int SYNC_THREADS = 32;
  private static final long IDLE_S = 60;

  private final PprFileSystem fs;
  private final int writersMost;
  /** Its queue has one task for each writer of a file that is synced. */
  private final ThreadPoolExecutor syncs;

  /**
   * @param fs has the files, and sees updates; the caller closes it after this object
   * @param writersMost the most writes of one file that are under way at the same time
   */
  public UpdatedFiles(PprFileSystem fs, int writersMost) {
    this.fs = fs;
    this.writersMost = writersMost;
    this.syncs = new ThreadPoolExecutor(SYNC_THREADS, SYNC_THREADS, IDLE_S, TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(), new Daemon.DaemonFactory());
    syncs.allowCoreThreadTimeOut(true);
  }

  @Override
  public UpdatableBytes open(Path file) throws IOException {
    return UpdatedBytes.open(new OfFileSystem(file), writersMost, syncs);
  }

  private final class OfFileSystem implements UpdatedBytes.Opener {
    private final Path file;

    OfFileSystem(Path file) {
      this.file = file;
    }

    @Override
    public UpdatedBytes.Updater updater() throws IOException {
      return new OfUpdater(fs.openForUpdate(file));
    }

    @Override
    public FSDataInputStream stream() throws IOException {
      return fs.open(file);
    }

    @Override
    public String toString() {
      return file.toUri().getPath();
    }
  }

  private static final class OfUpdater implements UpdatedBytes.Updater {
    private final FileUpdater updater;

    OfUpdater(FileUpdater updater) {
      this.updater = updater;
    }

    @Override
    public long length() {
      return updater.length();
    }

    @Override
    public void write(long position, ByteBuffer from) throws IOException {
      try {
        updater.write(position, from);
        updater.hflush();
      } catch (IOException e) {
        throw isFull(e) ? new DeviceFullException(e.getMessage(), e) : e;
      }
    }

    private static boolean isFull(Throwable e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof UpdateLogFullException) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void sync() throws IOException {
      updater.hsync();
    }

    @Override
    public void close() throws IOException {
      updater.close();
    }
  }

  @Override
  public void close() {
    syncs.shutdown();
  }
}
