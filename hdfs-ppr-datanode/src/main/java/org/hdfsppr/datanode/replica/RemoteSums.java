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

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockChecksumOptions;
import org.apache.hadoop.hdfs.protocol.BlockChecksumType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.OpBlockChecksumResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;

/**
 * The number and the MD5 of the checksums that another DataNode has stored for a replica. Stock's
 * BLOCK_CHECKSUM fetches them.
 */
@InterfaceAudience.Private
final class RemoteSums {
  private final int bytesPerChecksum;
  private final long count;
  private final byte[] md5;

  private RemoteSums(int bytesPerChecksum, long count, byte[] md5) {
    this.bytesPerChecksum = bytesPerChecksum;
    this.count = count;
    this.md5 = md5;
  }

  /**
   * Asks {@code node} for the checksums of a replica.
   *
   * @param timeoutMs the longest wait for the connection, ms
   * @param answerTimeoutMs the longest wait for the answer, ms; the node first reads the sums from
   *     its disk
   * @throws IOException if the node has no readable replica of {@code block} or does not answer
   */
  static RemoteSums ask(DataNode dn, DatanodeInfo node, ExtendedBlock block, int timeoutMs,
      int answerTimeoutMs) throws IOException {
    Token<BlockTokenIdentifier> token = dn.getBlockAccessToken(block,
        EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, new String[0]);
    try (StockConnection connection = StockConnection.open(dn, node, block, token, timeoutMs)) {
      new Sender(connection.out).blockChecksum(
          block, token, new BlockChecksumOptions(BlockChecksumType.MD5CRC));
      connection.peer.setReadTimeout(answerTimeoutMs);
      BlockOpResponseProto reply =
          BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(connection.in));
      DataTransferProtoUtil.checkBlockOpStatus(reply, "checksum of " + block + " at " + node);
      OpBlockChecksumResponseProto sums = reply.getChecksumResponse();
      return new RemoteSums(
          sums.getBytesPerCrc(), sums.getCrcPerBlock(), sums.getBlockChecksum().toByteArray());
    }
  }

  boolean matches(int expectedBytesPerChecksum, long expectedCount, byte[] expectedMd5) {
    return bytesPerChecksum == expectedBytesPerChecksum && count == expectedCount
        && Arrays.equals(md5, expectedMd5);
  }

  @Override
  public String toString() {
    return count + " sums of " + bytesPerChecksum + " bytes each";
  }
}
