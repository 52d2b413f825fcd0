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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.Test;

/**
 * Tests which bytes a checksum covers. TestDegradedStreams tests that Hadoop computes the same
 * checksum.
 */
class TestComputedChecksum {
  private static final int DATA = 3;
  private static final int PARITY = 2;
  private static final int CELL = 1024;
  private static final int GROUP = 4 * DATA * CELL;
  private static final int BYTES = 2 * GROUP + 1234;
  private static final int SOME = 1000;

  private final byte[] bytes = new byte[BYTES];
  private final List<Integer> asked = new ArrayList<>();
  private final MemoryFile file = new MemoryFile();

  TestComputedChecksum() {
    new Random(1).nextBytes(bytes);
  }

  private static DataChecksum crc(int bytesPerChecksum) {
    return DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, bytesPerChecksum);
  }

  /**
   * A file of three groups. Its replicas can be set not to say which kind of checksum they have.
   */
  private final class MemoryFile implements ComputedChecksum.ChecksummedFile {
    private final DataChecksum[] checksums = {crc(512), crc(512), crc(512)};
    private int unitsBroken;

    @Override
    public LocatedGroup groupAt(long position) {
      int index = (int) (position / GROUP);
      DatanodeInfo[] nodes = new DatanodeInfo[DATA + PARITY - 1];
      String[] storages = new String[nodes.length];
      StorageType[] types = new StorageType[nodes.length];
      byte[] indices = new byte[nodes.length];
      for (int i = 0; i < nodes.length; i++) {
        // The first unit is lost.
        nodes[i] = new DatanodeInfo.DatanodeInfoBuilder().setNodeID(
            new DatanodeID("10.0.0." + i, "dn" + i, "dn" + i, 9866, 0, 0, 0)).build();
        storages[i] = "s" + i;
        types[i] = StorageType.DISK;
        indices[i] = (byte) (i + 1);
      }
      long start = (long) index * GROUP;
      return new LocatedGroup(new LocatedStripedBlock(
          new ExtendedBlock("pool", -1024 + 16 * index, Math.min(GROUP, BYTES - start), 1), nodes,
          storages, types, indices, start, false, null),
          new ErasureCodingPolicy(new ECSchema("rs", DATA, PARITY), CELL));
    }

    @Override
    public void readFully(long position, byte[] buffer, int length) {
      System.arraycopy(bytes, (int) position, buffer, 0, length);
    }

    @Override
    public DataChecksum replicaChecksum(LocatedGroup group, int unit) throws IOException {
      asked.add(unit);
      if (unit <= unitsBroken) {
        throw new IOException("unit " + unit + " is broken");
      }
      return checksums[(int) (group.start() / GROUP)];
    }
  }

  private FileChecksum checksum(int bufferBytes, long length, ChecksumCombineMode mode)
      throws IOException {
    return new ComputedChecksum(file, "/f", DATA, CELL, bufferBytes).of(length, mode);
  }

  private FileChecksum composite(int length) {
    DataChecksum all = crc(512);
    all.update(bytes, 0, length);
    return new CompositeCrcFileChecksum((int) all.getValue(), DataChecksum.Type.CRC32C, 512);
  }

  @Test
  void theBytesOfAllGroupsCount() throws IOException {
    for (int length : new int[] {1, SOME, CELL, GROUP - 1, GROUP, GROUP + 1, BYTES}) {
      assertEquals(composite(length),
          checksum(SOME, length, ChecksumCombineMode.COMPOSITE_CRC), length + " bytes");
    }
  }

  /** The size of the buffer affects only the memory that the computation takes, not its result. */
  @Test
  void theBufferMakesNoDifference() throws IOException {
    for (ChecksumCombineMode mode : ChecksumCombineMode.values()) {
      FileChecksum whole = checksum(BYTES, BYTES, mode);
      assertEquals(whole, checksum(1, BYTES, mode));
      assertEquals(whole, checksum(SOME, BYTES, mode));
      assertEquals(whole, checksum(GROUP, BYTES, mode));
      assertNotEquals(whole, checksum(BYTES, BYTES - 1, mode));
    }
  }

  @Test
  void oneReplicaOfAGroupIsEnough() throws IOException {
    file.unitsBroken = 2;
    assertEquals(composite(SOME), checksum(SOME, SOME, ChecksumCombineMode.COMPOSITE_CRC));
    assertEquals(List.of(1, 2, 3), asked,
        "only the replicas that are needed are asked, and no lost unit");
  }

  @Test
  void withoutAReplicaThereIsNoChecksum() {
    file.unitsBroken = DATA + PARITY;
    IOException failure = assertThrows(IOException.class,
        () -> checksum(SOME, BYTES, ChecksumCombineMode.MD5MD5CRC));
    assertTrue(failure.getMessage().startsWith("No unit of group"), failure.getMessage());
    assertEquals(DATA + PARITY - 1, failure.getSuppressed().length);
  }

  /** Hadoop has no checksum for such a file either. */
  @Test
  void groupsThatAreChecksummedInTwoWaysHaveNoChecksum() throws IOException {
    file.checksums[1] = crc(1024);
    IOException failure = assertThrows(IOException.class,
        () -> checksum(SOME, BYTES, ChecksumCombineMode.COMPOSITE_CRC));
    assertTrue(failure.getMessage().contains("/f"), failure.getMessage());
    assertTrue(failure.getMessage().contains(file.groupAt(GROUP).id().toString()),
        failure.getMessage());
    assertEquals(composite(GROUP), checksum(SOME, GROUP, ChecksumCombineMode.COMPOSITE_CRC),
        "the second group is not read");
  }
}
