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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.hdfsppr.client.update.SharedUpdater;
import org.hdfsppr.client.update.UpdateLogFullException;
import org.hdfsppr.operate.GroupReplacedException;

/**
 * Opens the files of a device, to change them in place through the update logs of DataNodes, or to
 * read files that other clients change in this way.
 */
@InterfaceAudience.Private
public final class UpdatedFiles implements UpdatableFiles, Closeable {
  private final PprFileSystem fs;
  private final boolean isReadOnly;
  /**
   * Whether the NameNode has confirmed that the user may write, so that it need not be asked again.
   */
  private final AtomicBoolean isChecked = new AtomicBoolean();
  private final Set<UpdatedBytes> open = ConcurrentHashMap.newKeySet();
  private final BackgroundSyncs syncs = new BackgroundSyncs(open);

  /**
   * @param fs the file system of the files, with reads that see updates; the caller closes it after
   *     this object
   * @param isReadOnly whether the files are only read; then their syncs do nothing
   */
  public UpdatedFiles(PprFileSystem fs, boolean isReadOnly) {
    this.fs = fs;
    this.isReadOnly = isReadOnly;
  }

  @Override
  public UpdatableBytes open(Path file) throws IOException {
    AtomicReference<UpdatedBytes> opened = new AtomicReference<>();
    // If the file is closed before it is in the set, its removal does nothing.
    opened.set(UpdatedBytes.open(new OfFileSystem(file), () -> open.remove(opened.get())));
    open.add(opened.get());
    syncs.start();
    return opened.get();
  }

  private final class OfFileSystem implements UpdatedBytes.Opener {
    private final Path file;

    OfFileSystem(Path file) {
      this.file = file;
    }

    @Override
    public UpdatedBytes.Updater updater() throws IOException {
      for (int versions = 1; true; versions++) {
        SharedUpdater updater = fs.openForSharedUpdate(file);
        if (isReadOnly || isChecked.get()) {
          return new OfUpdater(updater);
        }
        try {
          updater.requireRight();
          isChecked.set(true);
        } catch (GroupReplacedException e) {
          // A commit has replaced the file's groups after they were looked up.
          if (versions == UpdatedBytes.VERSIONS_MOST) {
            throw e;
          }
        }
      }
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

  private final class OfUpdater implements UpdatedBytes.Updater {
    private final SharedUpdater updater;

    OfUpdater(SharedUpdater updater) {
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
      } catch (UpdateLogFullException e) {
        throw new DeviceFullException(e.getMessage(), e);
      }
    }

    @Override
    public void sync() throws IOException {
      if (!isReadOnly) {
        updater.sync();
      }
    }

    @Override
    public boolean knowsFile() {
      return updater.knowsFile();
    }

    @Override
    public boolean isDirty() {
      return updater.isDirty();
    }

    @Override
    public boolean isSyncUrgent() {
      return updater.isSyncUrgent();
    }
  }

  @Override
  public void close() {
    syncs.close();
  }
}
