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

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hdfsppr.manage.proto.ManagerProtos.AwaitOrdersRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.AwaitOrdersResponseProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.rpc.RpcCalls;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.WireRules;

/**
 * Decodes incoming calls, passes them to a {@link RepairManagerProtocol}, and encodes the answers.
 */
@InterfaceAudience.Private
public final class RepairManagerServerTranslator implements RepairManagerProtocolPB {
  /** Answers the calls. Thread-safe. */
  public interface Manager {
    /**
     * Answers a heartbeat, like {@link RepairManagerProtocol#heartbeat}.
     *
     * @param request the DataNode's report
     * @return the answer
     * @throws IOException why the call is refused
     */
    HeartbeatResponse heartbeat(HeartbeatRequest request) throws IOException;

    /**
     * Like {@link RepairManagerProtocol#awaitOrders}, but returns at once. The implementation keeps
     * the call of Hadoop's RPC that this thread carries out, and answers it later.
     *
     * @param uuid the UUID of the DataNode that calls
     * @param waitMs how long the call may be held, ms
     * @throws IOException why the call is refused
     */
    void awaitOrders(String uuid, int waitMs) throws IOException;
  }

  private final Manager manager;

  /** @param manager answers the calls */
  public RepairManagerServerTranslator(Manager manager) {
    this.manager = manager;
  }

  /**
   * Makes the message that answers a DataNode which waits for orders.
   *
   * @param hasOrders whether there are orders
   * @return the message
   */
  public static Message ordersAnswer(boolean hasOrders) {
    return AwaitOrdersResponseProto.newBuilder().setHasOrders(hasOrders).build();
  }

  @Override
  public HeartbeatResponseProto heartbeat(RpcController controller, HeartbeatRequestProto request)
      throws ServiceException {
    return RpcCalls.answer(() -> manager.heartbeat(HeartbeatRequest.parse(request)).toProto());
  }

  /** Returns null, because the manager answers the call later. */
  @Override
  public AwaitOrdersResponseProto awaitOrders(RpcController controller,
      AwaitOrdersRequestProto request) throws ServiceException {
    return RpcCalls.answer(() -> {
      try {
        WireRules.name("uuid", request.getUuid());
        WireRules.within("wait_ms", request.getWaitMs(), 1, HeartbeatResponse.ORDER_WAIT_MS_MAX);
      } catch (IllegalArgumentException e) {
        throw new MalformedRequestException("The call that waits for orders contradicts itself: "
            + e.getMessage(), e);
      }
      manager.awaitOrders(request.getUuid(), request.getWaitMs());
      return null;
    });
  }
}
