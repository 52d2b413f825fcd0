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

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.column.proto.ColumnProtos.ColumnRequestProto;
import org.hdfsppr.column.proto.ColumnProtos.ColumnResponseProto;
import org.hdfsppr.column.proto.ColumnProtos.SquareRequestProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.rpc.ProxyMaker;
import org.hdfsppr.rpc.RpcCalls;
import org.hdfsppr.wire.MalformedRequestException;

/** Calls a {@link ColumnProtocol} on a NameNode. Each call is tried once, with a time limit. */
@InterfaceAudience.Private
public final class ColumnTranslator implements ColumnProtocol, Closeable {
  private final ColumnProtocolPB proxy;

  ColumnTranslator(ColumnProtocolPB proxy) {
    this.proxy = proxy;
  }

  /**
   * Makes an object that a caller keeps if it will make many clients; they then share the RPC
   * configuration.
   *
   * @param timeoutMs milliseconds to wait for a connection, and again for an answer
   * @param configuration the configuration; copied
   * @return the object that makes the proxies of the clients
   */
  public static ProxyMaker<ColumnProtocolPB> proxies(Configuration configuration, int timeoutMs) {
    return ProxyMaker.of(ColumnProtocolPB.class, configuration, timeoutMs);
  }

  /**
   * Makes a client. The client connects at its first call. It does not repeat a call that fails: a
   * reader has other ways to get the bytes, and does not wait for retries.
   *
   * @param address address of the plugin
   * @param user the user that makes the calls
   * @param proxies {@link #proxies}
   * @return the client
   * @throws IOException if Hadoop's RPC cannot make a proxy
   */
  public static ColumnTranslator of(InetSocketAddress address, UserGroupInformation user,
      ProxyMaker<ColumnProtocolPB> proxies) throws IOException {
    return new ColumnTranslator(proxies.proxy(address, user));
  }

  @Override
  public List<LocatedBlock> column(GroupId group, int unit) throws IOException {
    ColumnRequestProto request = ColumnRequestProto.newBuilder().setPoolId(group.poolId)
        .setBlockGroup(group.groupId).setGenerationStamp(group.generationStamp)
        .setUnit(unit).build();
    ColumnResponseProto answer = RpcCalls.ask(() -> proxy.column(null, request));
    if (answer.getBlocksCount() > SquareBlocks.BLOCKS_MAX) {
      throw new MalformedRequestException("The NameNode names " + answer.getBlocksCount()
          + " blocks for a column, at most " + SquareBlocks.BLOCKS_MAX + " are allowed");
    }
    List<LocatedBlock> blocks = new ArrayList<>();
    for (ByteString bytes : answer.getBlocksList()) {
      LocatedBlock block = PBHelperClient.convertLocatedBlockProto(
          LocatedBlockProto.parseFrom(bytes.toByteArray()));
      if (block.getLocations() == null || block.getLocations().length == 0
          || block.getBlockSize() < 1) {
        throw new MalformedRequestException("The NameNode names " + block
            + " for a column, which has no bytes or no DataNode");
      }
      blocks.add(block);
    }
    return blocks;
  }

  @Override
  public Optional<SquareBlocks> square(long blockGroup) throws IOException {
    SquareRequestProto request =
        SquareRequestProto.newBuilder().setBlockGroup(blockGroup).build();
    return SquareBlocks.parse(RpcCalls.ask(() -> proxy.square(null, request)));
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
