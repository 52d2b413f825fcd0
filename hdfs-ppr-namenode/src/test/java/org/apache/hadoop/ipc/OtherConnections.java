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
package org.apache.hadoop.ipc;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/** Calls of one protocol over connections that were opened for another one. */
@InterfaceAudience.Private
public final class OtherConnections {
  private static final int TIMEOUT_MS = 20_000;

  private OtherConnections() {
  }

  /** Makes a proxy of a protocol whose connections name another protocol of the server. */
  public static <T> T proxy(Class<T> protocol, Class<?> opened, InetSocketAddress address,
      UserGroupInformation user, Configuration conf) throws IOException {
    return new ProtobufRpcEngine2().getProxy(protocol, 1,
        Client.ConnectionId.getConnectionId(address, opened, user, TIMEOUT_MS, null, conf), conf,
        NetUtils.getDefaultSocketFactory(conf), null).getProxy();
  }
}
