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
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.client.read.SlowGuard;

/**
 * A block reader that fails when its DataNode is slow, so that stock's stream reads a parity unit
 * instead. When the stream gives up a slow read, it reuses its own buffer, although another thread
 * still runs that read. So each read fills a buffer of this object instead, which has at most the
 * length of a cell. If the bytes arrive in time, this object copies them to the stream's buffer.
 * Used by one thread.
 */
final class GuardedBlockReader implements BlockReader {
  /** Opens a reader of stock. */
  interface Opening {
    BlockReader open() throws IOException;
  }

  private final BlockReader reader;
  private final DatanodeInfo node;
  private final SlowGuard guard;
  private byte[] buffer = new byte[0];
  /**
   * True once the stream closes this reader or gives up a slow read. After a slow read was given
   * up, the thread that still reads closes the inner reader.
   */
  private boolean abandoned;

  GuardedBlockReader(BlockReader reader, DatanodeInfo node, SlowGuard guard) {
    this.reader = reader;
    this.node = node;
    this.guard = guard;
  }

  /**
   * Opens a reader, unless the node takes so long that the stream should read other units instead.
   *
   * @param guard stops waiting if the node is slow
   * @param datanode the node
   * @param opening opens stock's reader
   * @return the reader
   * @throws SlowGuard.SlowException if the node is too slow
   * @throws IOException if the reader cannot be opened
   */
  static BlockReader open(SlowGuard guard, DatanodeInfo datanode, Opening opening)
      throws IOException {
    AtomicReference<BlockReader> made = new AtomicReference<>();
    try {
      guard.run(datanode.getDatanodeUuid(), 1, nothing -> {
        made.set(opening.open());
        return null;
      }, () -> closeLate(made.get()));
    } catch (SlowGuard.SlowException | SlowGuard.LeftException e) {
      // The thread that still opens the reader will close it.
      throw e;
    } catch (IOException e) {
      closeLate(made.get());
      throw e;
    }
    return new GuardedBlockReader(made.get(), datanode, guard);
  }

  private static void closeLate(BlockReader reader) {
    if (reader == null) {
      return;
    }
    try {
      reader.close();
    } catch (IOException e) {
      DFSClient.LOG.debug("The reader of a slow DataNode did not close cleanly", e);
    }
  }

  private int fill(byte[] into, int length, IntConsumer arrived) throws IOException {
    int filled = 0;
    while (filled < length) {
      int read = reader.read(into, filled, length - filled);
      if (read < 0) {
        return filled == 0 ? read : filled;
      }
      filled += read;
      arrived.accept(read);
    }
    return filled;
  }

  private void checkMine() throws IOException {
    if (abandoned) {
      throw new IOException("The reader of DataNode " + node + " is closed, or was given up because"
          + " the DataNode was slow or the reading thread was interrupted");
    }
  }

  private int guarded(int length) throws IOException {
    checkMine();
    if (buffer.length < length) {
      buffer = new byte[length];
    }
    byte[] into = buffer;
    SlowGuard.Work<Integer> work = arrived -> fill(into, length, arrived);
    try {
      return guard.run(node.getDatanodeUuid(), length, work, this::closeReader);
    } catch (SlowGuard.SlowException | SlowGuard.LeftException e) {
      abandoned = true;
      throw e;
    }
  }

  private void closeReader() {
    try {
      reader.close();
    } catch (IOException e) {
      DFSClient.LOG.debug("The reader of a slow DataNode did not close cleanly", e);
    }
  }

  @Override
  public int read(byte[] buf, int off, int len) throws IOException {
    int read = guarded(len);
    if (read > 0) {
      System.arraycopy(buffer, 0, buf, off, read);
    }
    return read;
  }

  @Override
  public int read(ByteBuffer buf) throws IOException {
    int read = guarded(buf.remaining());
    if (read > 0) {
      buf.put(buffer, 0, read);
    }
    return read;
  }

  @Override
  public void readFully(byte[] buf, int readOffset, int amtToRead) throws IOException {
    int done = 0;
    while (done < amtToRead) {
      int read = read(buf, readOffset + done, amtToRead - done);
      if (read < 0) {
        throw new IOException("The block ends before " + amtToRead + " bytes");
      }
      done += read;
    }
  }

  @Override
  public int readAll(byte[] buf, int offset, int len) throws IOException {
    int done = 0;
    while (done < len) {
      int read = read(buf, offset + done, len - done);
      if (read < 0) {
        return done;
      }
      done += read;
    }
    return done;
  }

  @Override
  public long skip(long n) throws IOException {
    checkMine();
    return reader.skip(n);
  }

  @Override
  public int available() {
    return abandoned ? 0 : reader.available();
  }

  @Override
  public void close() throws IOException {
    buffer = new byte[0];
    if (!abandoned) {
      abandoned = true;
      reader.close();
    }
  }

  @Override
  public boolean isShortCircuit() {
    return reader.isShortCircuit();
  }

  @Override
  public ClientMmap getClientMmap(EnumSet<ReadOption> opts) {
    return reader.getClientMmap(opts);
  }

  @Override
  public DataChecksum getDataChecksum() {
    return reader.getDataChecksum();
  }

  @Override
  public int getNetworkDistance() {
    return reader.getNetworkDistance();
  }
}
