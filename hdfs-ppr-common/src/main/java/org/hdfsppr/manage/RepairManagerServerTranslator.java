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
package org.hdfsppr.manage;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.rpc.RpcCalls;

/**
 * Decodes incoming calls, passes them to a {@link RepairManagerProtocol}, and encodes the answers.
 */
@InterfaceAudience.Private
public final class RepairManagerServerTranslator implements RepairManagerProtocolPB {
  private final RepairManagerProtocol manager;

  /** @param manager answers the calls */
  public RepairManagerServerTranslator(RepairManagerProtocol manager) {
    this.manager = manager;
  }

  @Override
  public HeartbeatResponseProto heartbeat(RpcController controller, HeartbeatRequestProto request)
      throws ServiceException {
    return RpcCalls.answer(() -> HeartbeatResponseCodec.toProto(
        manager.heartbeat(HeartbeatRequestCodec.parse(request))));
  }
}
