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
package org.hdfsppr.datanode.update.log;

import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;

/** Opens logs on a disk. */
@InterfaceAudience.Private
public final class DiskLog {
  private DiskLog() {
  }

  /**
   * Opens a log on a disk, and makes it if there is none.
   *
   * @param folder the folder; no other log may use it
   * @param limits how much the log may hold
   * @return the log
   * @throws CorruptLogException if bytes are not those that were written; no file has changed then
   * @throws IOException if the disk fails
   */
  public static UpdateLog open(Path folder, LogLimits limits) throws IOException {
    SecureRandom random = new SecureRandom();
    DiskFolder disk = DiskFolder.open(folder);
    boolean done = false;
    try {
      UpdateLog log = UpdateLog.open(disk, limits, MachineBoot.id(random::nextLong),
          random::nextLong, System::nanoTime);
      done = true;
      return log;
    } finally {
      if (!done) {
        disk.close();
      }
    }
  }

  /**
   * A folder on a disk. Files are {@link RandomAccessFile}s and not channels: an interrupt of a
   * thread that uses a channel closes the channel for all threads, and a server interrupts its
   * threads.
   */
  static final class DiskFolder implements LogFolder {
    /**
     * The file that the process locks while it uses the folder, as HDFS does in its storage
     * directories.
     */
    static final String LOCK = "in_use.lock";

    /**
     * As in the storage directories of HDFS, other users of the host must not read the data of
     * HDFS's users.
     */
    private static final Set<PosixFilePermission> OWNER_ONLY =
        PosixFilePermissions.fromString("rwx------");

    private final Path path;
    private final FileChannel lock;

    private DiskFolder(Path path, FileChannel lock) {
      this.path = path;
      this.lock = lock;
    }

    /**
     * Makes the folder and its parents if they are missing, and locks it.
     *
     * @throws IOException if another log uses it
     */
    static DiskFolder open(Path path) throws IOException {
      for (Path changed : make(path)) {
        sync(changed);
      }
      FileChannel lock = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE,
          StandardOpenOption.WRITE);
      boolean locked = false;
      try {
        locked = lock.tryLock() != null;
      } catch (OverlappingFileLockException e) {
        throw new IOException("Another update log of this process uses " + path, e);
      } finally {
        if (!locked) {
          lock.close();
        }
      }
      if (!locked) {
        throw new IOException("Another process uses " + path);
      }
      return new DiskFolder(path, lock);
    }

    /**
     * Makes a folder that only the owner of this process may use, and its missing parents.
     *
     * @return the folders in which this method has made, or could have made, an entry. The caller
     *     has to sync them: otherwise a loss of power could remove the folder of the log with all
     *     records, even synced ones
     */
    static List<Path> make(Path path) throws IOException {
      List<Path> changed = new ArrayList<>();
      Path parent = path.getParent();
      if (parent != null) {
        if (!Files.isDirectory(parent)) {
          changed.addAll(make(parent));
        }
        changed.add(parent);
      }
      boolean hasPermissions = path.getFileSystem().supportedFileAttributeViews().contains("posix");
      if (!Files.isDirectory(path)) {
        if (hasPermissions) {
          Files.createDirectory(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } else {
          Files.createDirectory(path);
        }
      } else if (hasPermissions && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(path))) {
        Files.setPosixFilePermissions(path, OWNER_ONLY);
      }
      return changed;
    }

    @Override
    public List<String> names() throws IOException {
      List<String> names = new ArrayList<>();
      try (Stream<Path> files = Files.list(path)) {
        files.forEach(file -> names.add(file.getFileName().toString()));
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      names.remove(LOCK);
      return names;
    }

    @Override
    public LogFile create(String name) throws IOException {
      File file = path.resolve(name).toFile();
      if (!file.createNewFile()) {
        throw new FileAlreadyExistsException(file.toString());
      }
      return new DiskFile(file);
    }

    @Override
    public LogFile open(String name) throws IOException {
      File file = path.resolve(name).toFile();
      if (!file.isFile()) {
        throw new NoSuchFileException(file.toString());
      }
      return new DiskFile(file);
    }

    @Override
    public void delete(String name) throws IOException {
      Files.delete(path.resolve(name));
    }

    @Override
    public void sync() throws IOException {
      sync(path);
    }

    private static void sync(Path folder) throws IOException {
      // Only a channel can sync a directory. If an interrupt closes the channel, this loop syncs
      // the directory through another one, and restores the interrupt afterwards.
      boolean interrupted = Thread.interrupted();
      try {
        while (true) {
          try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
            return;
          } catch (ClosedByInterruptException e) {
            interrupted |= Thread.interrupted();
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void close() throws IOException {
      lock.close();
    }

    @Override
    public String toString() {
      return path.toString();
    }

    /**
     * A file that is open twice, for writes and for reads, so that reads do not wait for writes.
     */
    private static final class DiskFile implements LogFile {
      private final RandomAccessFile writes;
      private final RandomAccessFile reads;

      DiskFile(File file) throws IOException {
        writes = new RandomAccessFile(file, "rw");
        boolean done = false;
        try {
          reads = new RandomAccessFile(file, "r");
          done = true;
        } finally {
          if (!done) {
            writes.close();
          }
        }
      }

      @Override
      public long length() throws IOException {
        return reads.length();
      }

      @Override
      public void read(long position, byte[] into, int offset, int length) throws IOException {
        synchronized (reads) {
          if (position + length > reads.length()) {
            throw new EOFException("The file ends before byte " + (position + length));
          }
          reads.seek(position);
          reads.readFully(into, offset, length);
        }
      }

      @Override
      public void write(long position, byte[] bytes) throws IOException {
        synchronized (writes) {
          writes.seek(position);
          writes.write(bytes);
        }
      }

      @Override
      public void truncate(long length) throws IOException {
        synchronized (writes) {
          writes.setLength(length);
        }
      }

      @Override
      public void sync() throws IOException {
        writes.getFD().sync();
      }

      @Override
      public void close() throws IOException {
        try {
          writes.close();
        } finally {
          reads.close();
        }
      }
    }
  }
}
