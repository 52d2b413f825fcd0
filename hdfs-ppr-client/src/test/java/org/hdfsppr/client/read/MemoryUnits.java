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
package org.hdfsppr.client.read;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.gf.Kernels;
import org.hdfsppr.stream.UnreachableException;

/** A block group of RS(6,3) in memory. Reads of its units can be made to fail in any way. */
final class MemoryUnits implements UnitReader {
  static final int DATA = 6;
  static final int PARITY = 3;
  static final int CELL = 8 << 10;
  static final int STRIPES = 6;
  static final int BYTES = STRIPES * DATA * CELL;
  /** A key of this class: how many threads a client has. */
  static final String THREADS = "test.threads";
  /** A key of this class: after how long a DataNode is late at the latest, ms. */
  static final String HEDGE_MAX_MS = "test.hedge.max.ms";
  /** A key of this class: how many of a hundred reads a client may repeat. */
  static final String HEDGE_PERCENT = "test.hedge.percent";

  /** The action that takes the place of a read. */
  interface Fault {
    void happen(Cancel cancel) throws IOException;
  }

  final LinearCode code;
  final byte[] file = new byte[BYTES];
  final Map<Integer, Fault> faults = new ConcurrentHashMap<>();
  final AtomicInteger reads = new AtomicInteger();
  final AtomicInteger refreshes = new AtomicInteger();
  private final ErasureCodingPolicy policy =
      new ErasureCodingPolicy(new ECSchema("rs", DATA, PARITY), CELL);
  private final byte[][] units = new byte[DATA + PARITY][STRIPES * CELL];
  private volatile int validTokens;

  MemoryUnits(long seed) throws IOException {
    code = Codes.forCodec(new Configuration(), "rs", DATA, PARITY);
    new Random(seed).nextBytes(file);
    for (int cell = 0; cell < STRIPES * DATA; cell++) {
      System.arraycopy(file, cell * CELL, units[cell % DATA], cell / DATA * CELL, CELL);
    }
    ByteBuffer[] data = new ByteBuffer[DATA];
    ByteBuffer[] parity = new ByteBuffer[PARITY];
    for (int unit = 0; unit < DATA; unit++) {
      data[unit] = ByteBuffer.allocateDirect(STRIPES * CELL).put(units[unit]).flip();
    }
    for (int unit = 0; unit < PARITY; unit++) {
      parity[unit] = ByteBuffer.allocateDirect(STRIPES * CELL);
    }
    Kernels.select("java").prepare(code.parityCoefficients())
        .apply(data, parity, STRIPES * CELL, false);
    for (int unit = 0; unit < PARITY; unit++) {
      parity[unit].duplicate().get(units[DATA + unit]);
    }
  }

  /**
   * Reads settings. Besides those of clients, they may be {@link #THREADS}, {@link #HEDGE_MAX_MS}
   * and {@link #HEDGE_PERCENT}.
   */
  static ReadSettings settings(String... settings) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return ReadSettings.of(conf, conf.getInt(THREADS, ReadSettings.THREADS),
        conf.getInt(HEDGE_MAX_MS, ReadSettings.HEDGE_MAX_MS),
        conf.getInt(HEDGE_PERCENT, ReadSettings.HEDGE_PERCENT));
  }

  /** Makes the state of a client whose DataNodes serve no trees. */
  static ReadContext context(long waitNanosMost, String... settings) {
    return new ReadContext(settings(settings), (node, block, token) -> {
      throw new UnreachableException(new ConnectException("no node serves trees here"));
    }, System::nanoTime, waitNanosMost);
  }

  /** Keeps this number of the client's threads busy until {@code end} is open. */
  static void occupyThreads(ReadContext context, int threads, CountDownLatch end) {
    for (int i = 0; i < threads; i++) {
      assertTrue(context.tryExecute(() -> {
        try {
          end.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }));
    }
  }

  /** Makes every read of a unit take {@code millis}. */
  void allTake(long millis) {
    for (int unit = 0; unit < DATA + PARITY; unit++) {
      faults.put(unit, cancel -> {
        try {
          TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      });
    }
  }

  /** Makes all tokens that were given out before invalid. */
  void expireTokens() {
    validTokens++;
  }

  /**
   * @param lost the units for which the NameNode knows no node
   */
  LocatedGroup group(int... lost) {
    return groupOf(-1024, "dn", lost);
  }

  /** Returns another block group, which is on DataNodes with other names. */
  LocatedGroup groupOf(long groupId, String names, int... lost) {
    boolean[] gone = new boolean[DATA + PARITY];
    for (int unit : lost) {
      gone[unit] = true;
    }
    int live = DATA + PARITY - lost.length;
    DatanodeInfo[] nodes = new DatanodeInfo[live];
    String[] storages = new String[live];
    StorageType[] types = new StorageType[live];
    byte[] indices = new byte[live];
    int next = 0;
    for (int unit = 0; unit < DATA + PARITY; unit++) {
      if (!gone[unit]) {
        nodes[next] = new DatanodeInfo.DatanodeInfoBuilder().setNodeID(
            new DatanodeID("10.0.0." + unit, names + unit, names + unit, 9866, 0, 0, 0)).build();
        storages[next] = "s" + unit;
        types[next] = StorageType.DISK;
        indices[next++] = (byte) unit;
      }
    }
    LocatedStripedBlock located = new LocatedStripedBlock(
        new ExtendedBlock("pool", groupId, BYTES, 1), nodes, storages, types, indices, 0, false,
        null);
    @SuppressWarnings({"unchecked", "rawtypes"})
    Token<BlockTokenIdentifier>[] tokens = new Token[live];
    for (int i = 0; i < live; i++) {
      tokens[i] = new Token<>(new byte[] {(byte) validTokens}, new byte[0], new Text("kind"),
          new Text("service"));
    }
    located.setBlockTokens(tokens);
    return new LocatedGroup(located, policy);
  }

  @Override
  public void readUnit(LocatedGroup group, int unit, long offset, ByteBuffer dst, Reading reading)
      throws IOException {
    reads.incrementAndGet();
    Fault fault = faults.get(unit);
    if (fault != null) {
      fault.happen(reading);
    }
    LocatedBlock block = group.unit(unit);
    if (block.getBlockToken().getIdentifier()[0] != validTokens) {
      throw new InvalidBlockTokenException("the token of unit " + unit + " has expired");
    }
    int length = dst.remaining();
    dst.put(units[unit], (int) offset, length);
    reading.arrived(length);
  }

  @Override
  public LocatedGroup refresh(LocatedGroup group) {
    refreshes.incrementAndGet();
    int[] lost = new int[DATA + PARITY];
    int many = 0;
    for (int unit = 0; unit < DATA + PARITY; unit++) {
      if (group.holder(unit) == null) {
        lost[many++] = unit;
      }
    }
    return group(Arrays.copyOf(lost, many));
  }

  @Override
  public boolean isTokenExpired(IOException e) {
    return e instanceof InvalidBlockTokenException;
  }

  @Override
  public void received(long bytes) {
    throw new IllegalStateException("There are no trees here");
  }
}
