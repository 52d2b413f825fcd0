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
package org.hdfsppr.datanode.replica;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;

/**
 * Reads and writes the files of one replica through their channels, because only channels move
 * bytes between a file and a direct buffer without a copy on the heap.
 *
 * <p>Channels bypass the hooks of Hadoop's FileIoProvider. One hook matters to a running cluster:
 * an I/O error makes the DataNode check the volume. This class asks for that check itself. (The
 * other hook, the sampled profile of disk latencies, stays with stock's own reads and writes.)
 */
final class ReplicaFiles {
  private final DataNode dn;
  final FsVolumeSpi volume;

  ReplicaFiles(DataNode dn, FsVolumeSpi volume) {
    this.dn = dn;
    this.volume = volume;
  }

  static FileChannel channelOf(InputStream in, String what) throws IOException {
    InputStream file =
        in instanceof LengthInputStream ? ((LengthInputStream) in).getWrappedStream() : in;
    if (!(file instanceof FileInputStream)) {
      throw new IOException(what + " is not a local file but a " + file.getClass().getName());
    }
    return ((FileInputStream) file).getChannel();
  }

  static FileChannel channelOf(OutputStream out, String what) throws IOException {
    if (!(out instanceof FileOutputStream)) {
      throw new IOException(what + " is not a local file but a " + out.getClass().getName());
    }
    return ((FileOutputStream) out).getChannel();
  }

  /**
   * Fills {@code dst} with the bytes of {@code file} from {@code position} on.
   *
   * @return false if the file ends before {@code dst} is full
   */
  boolean readFully(FileChannel file, ByteBuffer dst, long position) throws IOException {
    try {
      long at = position;
      while (dst.hasRemaining()) {
        int n = file.read(dst, at);
        if (n < 0) {
          return false;
        }
        at += n;
      }
      return true;
    } catch (IOException e) {
      throw checked(e);
    }
  }

  /** Appends all bytes that remain in {@code src}. */
  void writeFully(FileChannel file, ByteBuffer src) throws IOException {
    try {
      while (src.hasRemaining()) {
        file.write(src);
      }
    } catch (IOException e) {
      throw checked(e);
    }
  }

  /**
   * Asks the DataNode to check the volume after the failure {@code e}, and returns {@code e}. An
   * interrupt that closed the channel is no fault of a disk, and causes no check.
   */
  private IOException checked(IOException e) {
    if (!(e instanceof ClosedChannelException)) {
      dn.checkDiskErrorAsync(volume);
    }
    return e;
  }
}
