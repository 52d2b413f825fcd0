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

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.manage.proto.ManagerProtos.AwaitOrdersRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.rpc.ProxyMaker;
import org.hdfsppr.rpc.RpcCalls;

/**
 * Sends calls of {@link RepairManagerProtocol} to a manager on another host. Each call is one
 * attempt with a time limit.
 */
@InterfaceAudience.Private
public final class RepairManagerClientTranslator implements RepairManagerProtocol, Closeable {
  private final RepairManagerProtocolPB proxy;

  RepairManagerClientTranslator(RepairManagerProtocolPB proxy) {
    this.proxy = proxy;
  }

  /**
   * Makes a client. The client connects when its first call is made.
   *
   * @param address address of the manager
   * @param user the user that makes the calls
   * @param timeoutMs milliseconds to wait for the connection; the wait for an answer may take as
   *     long again
   * @param configuration the configuration of the daemon; copied
   * @return the client
   * @throws IOException if Hadoop's RPC cannot make a proxy
   */
  public static RepairManagerClientTranslator of(InetSocketAddress address,
      UserGroupInformation user, Configuration configuration, int timeoutMs) throws IOException {
    return new RepairManagerClientTranslator(
        ProxyMaker.of(RepairManagerProtocolPB.class, configuration, timeoutMs)
            .proxy(address, user));
  }

  @Override
  public HeartbeatResponse heartbeat(HeartbeatRequest request) throws IOException {
    HeartbeatRequestProto message = request.toProto();
    return HeartbeatResponse.parse(RpcCalls.ask(() -> proxy.heartbeat(null, message)));
  }

  @Override
  public boolean awaitOrders(String uuid, int waitMs) throws IOException {
    AwaitOrdersRequestProto message = AwaitOrdersRequestProto.newBuilder().setUuid(uuid)
        .setWaitMs(waitMs).build();
    return RpcCalls.ask(() -> proxy.awaitOrders(null, message)).getHasOrders();
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
