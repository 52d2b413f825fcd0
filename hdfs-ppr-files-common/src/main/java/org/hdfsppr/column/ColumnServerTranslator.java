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

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.column.proto.ColumnProtos.ColumnRequestProto;
import org.hdfsppr.column.proto.ColumnProtos.ColumnResponseProto;
import org.hdfsppr.column.proto.ColumnProtos.SquareRequestProto;
import org.hdfsppr.column.proto.ColumnProtos.SquareResponseProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.rpc.RpcCalls;
import org.hdfsppr.wire.MalformedRequestException;

/** Decodes incoming calls, passes them to a {@link ColumnProtocol}, and encodes the answers. */
@InterfaceAudience.Private
public final class ColumnServerTranslator implements ColumnProtocolPB {
  private final ColumnProtocol plugin;

  /** @param plugin answers the calls */
  public ColumnServerTranslator(ColumnProtocol plugin) {
    this.plugin = plugin;
  }

  @Override
  public ColumnResponseProto column(RpcController controller, ColumnRequestProto request)
      throws ServiceException {
    return RpcCalls.answer(() -> {
      if (request.getUnit() < 0 || request.getUnit() >= LinearCode.MAX_UNITS) {
        throw new MalformedRequestException("No block group has a unit " + request.getUnit());
      }
      ColumnResponseProto.Builder answer = ColumnResponseProto.newBuilder();
      for (LocatedBlock block : plugin.column(new GroupId(request.getPoolId(),
          request.getBlockGroup(), request.getGenerationStamp()), request.getUnit())) {
        answer.addBlocks(ByteString.copyFrom(
            PBHelperClient.convertLocatedBlock(block).toByteArray()));
      }
      return answer.build();
    });
  }

  @Override
  public SquareResponseProto square(RpcController controller, SquareRequestProto request)
      throws ServiceException {
    return RpcCalls.answer(() -> SquareBlocks.answer(plugin.square(request.getBlockGroup())));
  }
}
