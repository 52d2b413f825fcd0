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
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;

/**
 * Calls a {@link RepairManagerProtocol} on another host. Each call is one attempt with a time
 * limit.
 */
@InterfaceAudience.Private
public final class RepairManagerClientTranslator implements RepairManagerProtocol, Closeable {
  private final RepairManagerProtocolPB proxy;

  private RepairManagerClientTranslator(RepairManagerProtocolPB proxy) {
    this.proxy = proxy;
  }

  /**
   * Makes a client. The client connects when its first call is made.
   *
   * @param address address of the manager
   * @param user the user that makes the calls
   * @param timeoutMs milliseconds to wait for a connection, and again for an answer
   * @param configuration the configuration of the daemon; copied
   * @return the client
   * @throws IOException if Hadoop's RPC cannot make a proxy
   */
  public static RepairManagerClientTranslator of(InetSocketAddress address,
      UserGroupInformation user, Configuration configuration, int timeoutMs) throws IOException {
    Configuration conf = new Configuration(configuration);
    RPC.setProtocolEngine(conf, RepairManagerProtocolPB.class, ProtobufRpcEngine2.class);
    // Hadoop's RPC must not retry, because the caller decides when to try again.
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    conf.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, timeoutMs);
    return new RepairManagerClientTranslator(RPC.getProtocolProxy(RepairManagerProtocolPB.class,
        RPC.getProtocolVersion(RepairManagerProtocolPB.class), address, user, conf,
        NetUtils.getDefaultSocketFactory(conf), timeoutMs, null).getProxy());
  }

  @Override
  public HeartbeatResponse heartbeat(HeartbeatRequest request) throws IOException {
    HeartbeatRequestProto message = HeartbeatRequestCodec.toProto(request);
    HeartbeatResponseProto answer;
    try {
      answer = proxy.heartbeat(null, message);
    } catch (ServiceException e) {
      throw cause(e);
    }
    return HeartbeatResponseCodec.parse(answer);
  }

  private static IOException cause(ServiceException e) {
    Throwable cause = e.getCause();
    if (cause instanceof RemoteException) {
      return ((RemoteException) cause).unwrapRemoteException();
    }
    return cause instanceof IOException ? (IOException) cause : new IOException(e);
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
