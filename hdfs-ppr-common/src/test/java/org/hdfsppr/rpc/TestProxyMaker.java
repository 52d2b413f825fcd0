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
package org.hdfsppr.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.manage.RepairManagerProtocolPB;
import org.junit.jupiter.api.Test;

/** Tests the addresses of proxies. */
@InterfaceAudience.Private
class TestProxyMaker {
  private static InetSocketAddress addressOfProxy(InetAddress address) throws IOException {
    RepairManagerProtocolPB proxy = ProxyMaker.of(RepairManagerProtocolPB.class,
        new Configuration(false), 1_000).proxy(new InetSocketAddress(address, 1),
            UserGroupInformation.getCurrentUser());
    try {
      return RPC.getServerAddress(proxy);
    } finally {
      RPC.stopProxy(proxy);
    }
  }

  /** The name service would say localhost. */
  @Test
  void anAddressWithoutANameIsNotLookedUp() throws IOException {
    InetSocketAddress address =
        addressOfProxy(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    assertEquals("127.0.0.1", address.getHostName());
  }

  @Test
  void aNameStays() throws IOException {
    InetSocketAddress address =
        addressOfProxy(InetAddress.getByAddress("nn1.example.org", new byte[] {127, 0, 0, 1}));
    assertEquals("nn1.example.org", address.getHostName());
    assertEquals("127.0.0.1", address.getAddress().getHostAddress());
  }
}
