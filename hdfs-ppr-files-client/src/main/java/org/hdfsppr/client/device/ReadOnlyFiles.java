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
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Opens the files of a read-only device, in any file system. The device shows each file as it was
 * at first: if a file was replaced or changed since, it cannot be opened again. HDFS files are
 * opened by their inode ids, because a stream may ask the NameNode for blocks later, when the path
 * may name another file. Thread-safe.
 */
@InterfaceAudience.Private
public final class ReadOnlyFiles implements UpdatableFiles {
  /** The directory in which the NameNode has each file by its inode id. */
  private static final String INODES = "/.reserved/.inodes/";

  private final FileSystem fs;
  /** The {@link #state} of each file of the device, by its path. */
  private final Map<String, String> states = new ConcurrentHashMap<>();

  /** @param fs the file system of the files; the caller closes it after the files */
  public ReadOnlyFiles(FileSystem fs) {
    this.fs = fs;
  }

  @Override
  public void found(FileStatus file) {
    states.put(name(file.getPath()), state(file));
  }

  private static String name(Path file) {
    return file.toUri().getPath();
  }

  /**
   * Returns a text that changes if the file is replaced or its bytes change: inode id, length and
   * modification time.
   */
  private static String state(FileStatus file) {
    return number(file) + " " + file.getLen() + " " + file.getModificationTime();
  }

  private static long number(FileStatus file) {
    return file instanceof HdfsFileStatus ? ((HdfsFileStatus) file).getFileId() : 0;
  }

  @Override
  public UpdatableBytes open(Path file) throws IOException {
    if (fs instanceof DistributedFileSystem && !((DistributedFileSystem) fs).isFileClosed(file)) {
      throw new IOException(name(file) + " is being written, so that its length is not known yet");
    }
    FileStatus status = fs.getFileStatus(file);
    String state = state(status);
    String before = states.putIfAbsent(name(file), state);
    if (before != null && !before.equals(state)) {
      throw new IOException(name(file) + " was replaced or changed while it was served; start the"
          + " block device again");
    }
    return new ReadOnlyBytes(file, status.getLen(), fs.open(lasting(file, status)));
  }

  /** Returns a path that never names another file. */
  private static Path lasting(Path file, FileStatus status) {
    // A file in a snapshot has the inode id of the live file, whose bytes may differ. So it keeps
    // its path.
    boolean isOfSnapshot = (name(file) + '/').contains("/.snapshot/");
    return status instanceof HdfsFileStatus && !isOfSnapshot
        ? new Path(INODES + number(status)) : file;
  }

  private static final class ReadOnlyBytes implements UpdatableBytes {
    private final Path file;
    private final long length;
    private final FSDataInputStream in;

    ReadOnlyBytes(Path file, long length, FSDataInputStream in) {
      this.file = file;
      this.length = length;
      this.in = in;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public void read(long position, ByteBuffer into) throws IOException {
      // A positional read can run while other threads read from the same stream.
      in.readFully(position, into.array(), into.arrayOffset() + into.position(),
          into.remaining());
      into.position(into.limit());
    }

    @Override
    public void write(long position, ByteBuffer from) throws IOException {
      throw new IOException(file + " is open for reading only");
    }

    @Override
    public void sync() {
      // Nothing was written.
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
