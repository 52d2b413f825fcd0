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
package org.hdfsppr.column;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.golden.Golden;
import org.hdfsppr.golden.RpcGolden;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** The bytes of all calls that ask a NameNode for columns of CORE groups. */
@InterfaceAudience.Private
class TestGoldenColumnCalls {
  private static final Token<BlockTokenIdentifier> TOKEN = new Token<>(new byte[] {1, 2},
      new byte[] {3, 4}, new Text("HDFS_BLOCK_TOKEN"), new Text("10.0.0.1:9866"));
  private static final String[] STORAGES = {"DS-0", "DS-1"};
  private static final StorageType[] TYPES = {StorageType.DISK, StorageType.SSD};

  /** Answers always the same. */
  private static final class Fixed implements ColumnProtocol {
    private final List<LocatedBlock> column;
    private final SquareBlocks square;

    Fixed(List<LocatedBlock> column, SquareBlocks square) {
      this.column = column;
      this.square = square;
    }

    @Override
    public List<LocatedBlock> column(GroupId group, int unit) {
      return column;
    }

    @Override
    public Optional<SquareBlocks> square(long blockGroup) {
      return Optional.ofNullable(square);
    }
  }

  private static DatanodeInfo[] nodes() {
    DatanodeInfo[] nodes = new DatanodeInfo[2];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = new DatanodeInfoWithStorage(new DatanodeInfoBuilder().setNodeID(new DatanodeID(
          "10.0.0." + i, "host-" + i, "uuid-" + i, 9866, 9864, 9865, 9867))
          .setNetworkLocation("/rack-" + i).build(), STORAGES[i], TYPES[i]);
    }
    return nodes;
  }

  private static LocatedBlock block() {
    LocatedBlock block = new LocatedBlock(new ExtendedBlock("BP-1", -31, 4_096, 1_001), nodes(),
        STORAGES, TYPES);
    block.setBlockToken(TOKEN);
    return block;
  }

  @SuppressWarnings("unchecked")
  private static SquareBlocks square() {
    LocatedStripedBlock group = new LocatedStripedBlock(
        new ExtendedBlock("BP-1", -48, 8_192, 1_002), nodes(), STORAGES, TYPES,
        new byte[] {0, 2}, 0, false, null);
    group.setBlockToken(TOKEN);
    group.setBlockTokens((Token<BlockTokenIdentifier>[]) new Token<?>[] {TOKEN, TOKEN});
    return new SquareBlocks(16_400, 3, new ErasureCodingPolicy(new ECSchema("rs", 3, 2), 1 << 20),
        List.of(new SquareBlocks.Row("/core/a", group), new SquareBlocks.Row("/core/b", group)));
  }

  @Test
  void calls() throws Exception {
    // Hadoop 3.5 has given its own message a field that the records of an earlier Hadoop lack.
    assumeTrue(DatanodeInfoProto.getDescriptor().findFieldByName("softwareVersion") == null,
        "the bytes were recorded with an earlier Hadoop");
    Golden golden = Golden.of("column/calls");
    RpcGolden<ColumnProtocolPB> calls = new RpcGolden<>(golden, ColumnProtocolPB.class,
        next -> new ColumnServerTranslator(new ColumnTranslator(next)));
    Fixed full = new Fixed(List.of(block(), block()), square());
    Fixed empty = new Fixed(List.of(), null);
    GroupId group = new GroupId("BP-1", -32, 1001);
    calls.call("column", new ColumnServerTranslator(full),
        proxy -> new ColumnTranslator(proxy).column(group, 4));
    calls.call("no column", new ColumnServerTranslator(empty),
        proxy -> new ColumnTranslator(proxy).column(group, 0));
    calls.call("square", new ColumnServerTranslator(full),
        proxy -> new ColumnTranslator(proxy).square(-48));
    calls.call("no square", new ColumnServerTranslator(empty),
        proxy -> new ColumnTranslator(proxy).square(-64));
    golden.check();
  }
}
