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
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Opens files of any file system, to read them only. */
@InterfaceAudience.Private
public final class ReadOnlyFiles implements UpdatableFiles {
  private final FileSystem fs;

  /** @param fs has the files; the caller closes it after them */
  public ReadOnlyFiles(FileSystem fs) {
    this.fs = fs;
  }

  @Override
  public UpdatableBytes open(Path file) throws IOException {
    long length = fs.getFileStatus(file).getLen();
    return new ReadOnlyBytes(file, length, fs.open(file));
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
      // Reads at a position share a stream without a lock.
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
