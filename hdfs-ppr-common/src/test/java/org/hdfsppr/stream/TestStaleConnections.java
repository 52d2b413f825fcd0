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
package org.hdfsppr.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kept connections whose other end has left: the node was restarted, or its version answers only
 * one request on each connection. A read then makes a new connection, and blames no node.
 */
@Timeout(120)
class TestStaleConnections {
  private static final int FROM = 3000;
  private static final int TO = 9000;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

  @AfterEach
  void allThreadsEnd() throws InterruptedException {
    timer.shutdownNow();
    threads.shutdown();
    assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS));
  }

  private void assertReads(SimRepair repair, TransferConnector connector) throws Exception {
    byte[] got = new byte[TO - FROM];
    try (RangeRead read = repair.prepareRange(threads, FROM, TO)) {
      read.run(connector, repair.lost().length, (offset, bytes) -> {
        for (long at = offset; bytes.hasRemaining(); at++) {
          byte one = bytes.get();
          if (at >= FROM && at < TO) {
            got[(int) (at - FROM)] = one;
          }
        }
      });
    }
    assertArrayEquals(Arrays.copyOfRange(repair.lost(), FROM, TO), got);
  }

  /** The other end has closed it, in one of the ways in which that shows. */
  private static final class Stale implements TransferConnection {
    private final int how;

    Stale(int how) {
      this.how = how;
    }

    @Override
    public InputStream in() {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          if (how == 1) {
            throw new IOException("Connection reset by peer");
          }
          return -1;
        }
      };
    }

    @Override
    public OutputStream out() {
      return new OutputStream() {
        @Override
        public void write(int b) throws IOException {
          if (how == 2) {
            throw new IOException("Broken pipe");
          }
        }
      };
    }

    @Override
    public void setTimeout(int timeoutMs) throws IOException {
      if (how == 3) {
        throw new IOException("Socket closed");
      }
    }

    @Override
    public boolean isReused() {
      return true;
    }

    @Override
    public void abort() {
      // It is closed.
    }

    @Override
    public void close() {
      // It is closed.
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"star", "ppr", "chain"})
  void whoHasLeftIsConnectedToAnew(String topology) throws Exception {
    for (int how = 0; how < 4; how++) {
      SimRepair repair = new SimRepair().topology(topology).checkOneIn(1);
      AtomicInteger number = new AtomicInteger();
      int closed = how;
      assertReads(repair, new TransferConnector() {
        @Override
        public TransferConnection connect(NodeRef node, ExtendedBlock block,
            Token<BlockTokenIdentifier> token) throws IOException {
          return number.getAndIncrement() % 2 == 0 ? new Stale(closed)
              : connectAnew(node, block, token);
        }

        @Override
        public TransferConnection connectAnew(NodeRef node, ExtendedBlock block,
            Token<BlockTokenIdentifier> token) throws IOException {
          return repair.cluster().connect(node, block, token);
        }
      });
      assertEquals(Collections.emptyList(), repair.cluster().leftovers(30_000));
    }
  }

  /** The nodes of the simulation are such ones. */
  @Test
  void nodesThatAnswerOnceAreAskedAgain() throws Exception {
    SimRepair repair = new SimRepair().topology("ppr");
    try (KeptConnections kept = new KeptConnections(
        (node, block, token) -> repair.cluster().connect(node, block, token), timer,
        System::nanoTime)) {
      for (int i = 0; i < 5; i++) {
        assertReads(repair, kept);
      }
      assertTrue(kept.reused() >= 4 * 3, kept.reused() + " times");
    }
    assertEquals(Collections.emptyList(), repair.cluster().leftovers(30_000));
  }
}
