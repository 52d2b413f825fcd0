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
package org.hdfsppr.client.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** Tests that the blocks of a column are those of the file's namespace. */
class TestColumnPools {
  private static LocatedBlock block(String pool, long id) {
    return new LocatedBlock(new ExtendedBlock(pool, id, 10, 1001), new DatanodeInfo[0]);
  }

  @Test
  void blocksOfAnotherNamespaceAreRefused() throws IOException {
    GroupId group = new GroupId("BP-1", -9223372036854775792L, 1001);
    List<LocatedBlock> own = List.of(block("BP-1", 1), block("BP-1", 2));
    assertEquals(own, PluginColumns.ofPool(group, own));
    assertEquals(List.of(), PluginColumns.ofPool(group, List.of()));
    IOException e = assertThrows(IOException.class, () ->
        PluginColumns.ofPool(group, List.of(block("BP-1", 1), block("BP-2", 2))));
    assertTrue(e.getMessage().contains("BP-2") && e.getMessage().contains("BP-1"),
        e.getMessage());
  }
}
