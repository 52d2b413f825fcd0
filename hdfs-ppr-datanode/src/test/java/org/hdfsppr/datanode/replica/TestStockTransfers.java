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

import static org.hdfsppr.datanode.replica.ReplicaCluster.CRC32C_512;
import static org.hdfsppr.datanode.replica.ReplicaCluster.direct;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.test.MetricsAsserts;
import org.apache.hadoop.util.Daemon;
import org.junit.jupiter.api.Test;

/** Stock transfers without protection, and peers that fail to do their part. */
class TestStockTransfers extends StockTransferSuite {
  private static final int SHORT_TIMEOUT_MS = 500;
  private static final Duration BOUND = Duration.ofSeconds(20);

  @Override
  Configuration conf() {
    return ReplicaCluster.conf();
  }

  private static DatanodeInfo at(ServerSocket server) {
    return new DatanodeInfoBuilder().setNodeID(new DatanodeID("127.0.0.1", "localhost",
        "silent", server.getLocalPort(), 1, 1, 1)).build();
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
  }

  private long syncs() {
    return MetricsAsserts.getLongCounter("FsyncCount",
        MetricsAsserts.getMetrics(cluster.dn(1).getMetrics().name()));
  }

  /** The receiver of a unit of a new version forces it to its disk; that of a repair does not. */
  @Test
  void aReceiverForcesWhatIsToBeSynced() throws IOException {
    for (boolean isSynced : new boolean[] {false, true}) {
      long before = syncs();
      byte[] data = new byte[100_000];
      new Random(7).nextBytes(data);
      try (StockWriteSink sink = StockWriteSink.open(
          cluster.dn(0), ReplicaCluster.info(cluster.dn(1)), cluster.newBlock(data.length),
          StorageType.DISK, storageId(), CRC32C_512, new StockWriteSink.Timeouts(
              (int) BOUND.toMillis(), (int) BOUND.toMillis()), isSynced)) {
        sink.write(direct(data));
        sink.commit();
      }
      assertEquals(isSynced ? before + 1 : before, syncs());
    }
  }

  @Test
  void aSilentSourceIsGivenUpInTime() throws IOException {
    try (ServerSocket silent = listen()) {
      assertTimeoutPreemptively(BOUND, () -> assertThrows(SocketTimeoutException.class,
          () -> StockReadSource.open(cluster.dn(0), at(silent), cluster.newBlock(1000), 0,
              SHORT_TIMEOUT_MS)));
    }
  }

  @Test
  void aSilentTargetIsGivenUpInTime() throws IOException {
    try (ServerSocket silent = listen()) {
      assertTimeoutPreemptively(BOUND, () -> {
        try (StockWriteSink sink = StockWriteSink.open(
            cluster.dn(0), at(silent), cluster.newBlock(1000), StorageType.DISK, "s",
            CRC32C_512, new StockWriteSink.Timeouts(SHORT_TIMEOUT_MS, SHORT_TIMEOUT_MS), true)) {
          sink.write(direct(new byte[1000]));
          IOException e = assertThrows(IOException.class, sink::commit);
          assertTrue(e.getCause() instanceof SocketTimeoutException, e::toString);
        }
      });
    }
  }

  @Test
  void aTargetThatStopsTakingDataIsGivenUpInTime() throws IOException {
    try (ServerSocket silent = listen()) {
      assertTimeoutPreemptively(BOUND, () -> assertThrows(IOException.class, () -> {
        try (StockWriteSink sink = StockWriteSink.open(
            cluster.dn(0), at(silent), cluster.newBlock(1L << 30), StorageType.DISK, "s",
            CRC32C_512, new StockWriteSink.Timeouts(SHORT_TIMEOUT_MS, SHORT_TIMEOUT_MS), true)) {
          for (int i = 0; i < 1000; i++) {
            sink.write(direct(new byte[1 << 20]));
          }
        }
      }));
    }
  }

  /** Stock's writer would take this for success. */
  @Test
  void aTargetThatTakesEverythingAndStoresNothingIsFoundOut() throws IOException {
    try (ServerSocket sink = listen()) {
      Daemon taker = new Daemon(() -> {
        while (!sink.isClosed()) {
          takeOne(sink);
        }
      });
      taker.start();
      assertTimeoutPreemptively(BOUND, () -> {
        try (StockWriteSink writer = StockWriteSink.open(
            cluster.dn(0), at(sink), cluster.newBlock(1000), StorageType.DISK, "s",
            CRC32C_512, new StockWriteSink.Timeouts(SHORT_TIMEOUT_MS, SHORT_TIMEOUT_MS), true)) {
          writer.write(direct(new byte[1000]));
          assertThrows(IOException.class, writer::commit);
        }
      });
    }
  }

  /** A disk may need longer to sync its bytes than a node may stay without a byte. */
  @Test
  void aTargetMayTakeLongerToFinishThanToTakeAByte() throws IOException {
    try (ServerSocket proxy = listen()) {
      DatanodeID real = cluster.dn(1).getDatanodeId();
      Daemon slow = new Daemon(() -> {
        while (!proxy.isClosed()) {
          passOn(proxy, real.getXferPort());
        }
      });
      slow.start();
      ExtendedBlock block = cluster.newBlock(1000);
      byte[] data = new byte[1000];
      new Random(3).nextBytes(data);
      assertTimeoutPreemptively(BOUND, () -> {
        try (StockWriteSink sink = StockWriteSink.open(
            cluster.dn(0), at(proxy), block, StorageType.DISK, storageId(), CRC32C_512,
            new StockWriteSink.Timeouts(SHORT_TIMEOUT_MS, (int) BOUND.toMillis()), true)) {
          sink.write(direct(data));
          sink.commit();
        }
      });
    }
  }

  /**
   * Passes all bytes on, but the end of the DataNode's answer only when it is late. The time is the
   * fault that this test injects, and the test waits for its end and not for a time.
   */
  private static void passOn(ServerSocket proxy, int port) {
    try (Socket from = proxy.accept(); Socket to = new Socket("127.0.0.1", port)) {
      Daemon forward = new Daemon(() -> copy(from, to));
      forward.start();
      copy(to, from);
      TimeUnit.MILLISECONDS.sleep(3 * SHORT_TIMEOUT_MS);
    } catch (IOException | InterruptedException e) {
      // The test is over, or the other end has given up.
      return;
    }
  }

  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // The other end has gone; this end goes in a moment.
      return;
    }
  }

  private static void takeOne(ServerSocket server) {
    try (Socket socket = server.accept()) {
      socket.setSoTimeout(SHORT_TIMEOUT_MS / 5);
      InputStream in = socket.getInputStream();
      byte[] buffer = new byte[4096];
      while (in.read(buffer) >= 0) {
        // The peer drops what it has read.
      }
    } catch (IOException e) {
      // A quiet peer, or the end of the test: the socket is closed either way.
      return;
    }
  }
}
