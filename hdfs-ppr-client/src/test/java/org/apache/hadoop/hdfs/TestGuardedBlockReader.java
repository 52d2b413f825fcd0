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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.client.read.ReadContext;
import org.hdfsppr.client.read.ReadSettings;
import org.hdfsppr.client.read.SlowGuard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which thread closes a block reader for which no caller waits any more. */
@Timeout(120)
class TestGuardedBlockReader {
  private static final long LIMIT_SECONDS = 60;

  private final CountDownLatch go = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean reading;
  private volatile boolean closedWhileReading;

  /** A block reader that blocks before it reads, and records that it was closed. */
  private final class Stuck implements BlockReader {
    @Override
    public int read(byte[] buf, int off, int len) throws IOException {
      reading = true;
      try {
        if (!go.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
          throw new IOException("The test has forgotten it");
        }
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      buf[off] = 42;
      reading = false;
      return 1;
    }

    @Override
    public void close() {
      closedWhileReading = reading;
      closed.countDown();
    }

    @Override
    public int read(ByteBuffer buf) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long skip(long n) {
      return n;
    }

    @Override
    public int available() {
      return 1;
    }

    @Override
    public void readFully(byte[] buf, int readOffset, int amtToRead) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int readAll(byte[] buf, int offset, int len) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isShortCircuit() {
      return false;
    }

    @Override
    public ClientMmap getClientMmap(EnumSet<ReadOption> opts) {
      return null;
    }

    @Override
    public DataChecksum getDataChecksum() {
      return null;
    }

    @Override
    public int getNetworkDistance() {
      return 0;
    }
  }

  private static ReadContext context() {
    Configuration conf = new Configuration(false);
    return new ReadContext(ReadSettings.of(conf), (node, block, token) -> {
      throw new IOException("a node without a connection");
    }, System::nanoTime);
  }

  private GuardedBlockReader guarded(ReadContext context) {
    DatanodeInfo node = new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("10.0.0.1", "dn1", "dn1", 9866, 0, 0, 0)).build();
    return new GuardedBlockReader(new Stuck(), node, new SlowGuard(context));
  }

  /**
   * Hadoop gives the buffers of a closed reader to other readers. So an interrupted thread must not
   * close a reader that another thread reads from.
   */
  @Test
  void anInterruptedReaderDoesNotCloseWhatIsBeingRead() throws Exception {
    try (ReadContext context = context()) {
      GuardedBlockReader reader = guarded(context);
      byte[] read = new byte[1];
      Thread.currentThread().interrupt();
      assertThrows(InterruptedIOException.class, () -> reader.read(read, 0, 1));
      assertTrue(Thread.interrupted(), "the interrupt was swallowed");
      reader.close();
      assertEquals(1, closed.getCount(), "closed while another thread reads from it");
      assertThrows(IOException.class, () -> reader.skip(1));
      assertThrows(IOException.class, () -> reader.read(read, 0, 1));
      assertEquals(0, reader.available());
      go.countDown();
      assertTrue(closed.await(LIMIT_SECONDS, TimeUnit.SECONDS), "the reader was never closed");
      assertFalse(closedWhileReading);
      assertArrayEquals(new byte[1], read, "the buffer was written to after the read had ended");
    }
  }

  @Test
  void aReaderThatIsWaitedForIsClosedByItsOwner() throws Exception {
    try (ReadContext context = context()) {
      GuardedBlockReader reader = guarded(context);
      go.countDown();
      byte[] read = new byte[1];
      assertEquals(1, reader.read(read, 0, 1));
      assertEquals(42, read[0]);
      assertEquals(1, closed.getCount());
      reader.close();
      assertEquals(0, closed.getCount());
    }
  }
}
