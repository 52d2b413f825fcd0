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
package org.apache.hadoop.hdfs.server.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.File;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitShm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that this Hadoop has what the door to readers needs. */
@Timeout(120)
class TestOldReadsAccess {
  private static final int SLOTS = 8;

  @TempDir
  File directory;

  private static void set(Object shm, String name, Object value) throws Exception {
    Field field = ShortCircuitShm.class.getDeclaredField(name);
    field.setAccessible(true);
    field.set(shm, value);
  }

  /** Makes a segment as it is in the registry, which would need Hadoop's native library. */
  private static ShortCircuitRegistry.RegisteredShm segment(ExtendedBlockId... blocks)
      throws Exception {
    ShortCircuitRegistry.RegisteredShm segment = mock(ShortCircuitRegistry.RegisteredShm.class);
    when(segment.slotIterator()).thenCallRealMethod();
    Object slots = Array.newInstance(ShortCircuitShm.Slot.class, SLOTS);
    BitSet allocated = new BitSet();
    Constructor<ShortCircuitShm.Slot> make = ShortCircuitShm.Slot.class.getDeclaredConstructor(
        ShortCircuitShm.class, long.class, ExtendedBlockId.class);
    make.setAccessible(true);
    for (int i = 0; i < blocks.length; i++) {
      Array.set(slots, 2 * i, make.newInstance(segment, 0L, blocks[i]));
      allocated.set(2 * i);
    }
    set(segment, "slots", slots);
    set(segment, "allocatedSlots", allocated);
    return segment;
  }

  @Test
  void readersAreSeen() throws Exception {
    try (MiniDFSCluster mini =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), directory).numDataNodes(1).build()) {
      DataNode datanode = mini.getDataNodes().get(0);
      List<String> missing = new ArrayList<>();
      OldReadsAccess access = OldReadsAccess.of(datanode, missing);
      assertEquals(List.of(), missing);
      assertTrue(OldReadsAccess.traceLogger().isPresent());
      assertEquals(List.of(), access.slots());

      Field field = ShortCircuitRegistry.class.getDeclaredField("segments");
      field.setAccessible(true);
      Map<Object, Object> segments = new HashMap<>();
      segments.put(ShortCircuitShm.ShmId.createRandom(),
          segment(new ExtendedBlockId(1, "BP-1"), new ExtendedBlockId(2, "BP-2")));
      segments.put(ShortCircuitShm.ShmId.createRandom(), segment());
      segments.put(ShortCircuitShm.ShmId.createRandom(), segment(new ExtendedBlockId(3, "BP-1")));
      Object own = field.get(datanode.getShortCircuitRegistry());
      field.set(datanode.getShortCircuitRegistry(), segments);
      try {
        assertEquals("1 2 3", access.slots().stream().map(ExtendedBlockId::getBlockId).sorted()
            .map(String::valueOf).collect(Collectors.joining(" ")));
      } finally {
        field.set(datanode.getShortCircuitRegistry(), own);
      }

      Path file = new Path("/f");
      DFSTestUtil.createFile(mini.getFileSystem(), file, 16 << 20, (short) 1, 1);
      try (FSDataInputStream in = mini.getFileSystem().open(file)) {
        // The sockets do not hold what the DataNode sends.
        assertTrue(in.read() >= 0);
        assertTrue(access.threadNames().stream().anyMatch(name ->
            name.startsWith("DataXceiver for client ") && name.contains(" [Sending block BP-")),
            access.threadNames().toString());
      }
    }
  }
}
