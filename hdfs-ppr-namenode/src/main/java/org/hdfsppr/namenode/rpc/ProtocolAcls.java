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
package org.hdfsppr.namenode.rpc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.ServiceAuthorizationManager;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Checks the access control list of a protocol with each call. Hadoop's server checks the list of
 * the protocol that a connection names when it opens, but a call over the connection may be of any
 * protocol that the server has. Thread-safe.
 */
@InterfaceAudience.Private
final class ProtocolAcls {
  private final Configuration conf;
  /** Null until the server is there, and where Hadoop checks no authorization. */
  private volatile ServiceAuthorizationManager acls;

  /** @param conf the NameNode's configuration */
  ProtocolAcls(Configuration conf) {
    this.conf = conf;
  }

  /** Takes the lists of a server, which has read them. */
  void open(Server server) {
    acls = server.getServiceAuthorizationManager();
  }

  /**
   * Lets only those calls through whose callers may use a protocol.
   *
   * @param <T> the interface of the protocol's service
   * @param protocol that interface, which names the protocol
   * @param service answers the calls
   * @return answers the calls that are let through
   */
  <T> T checked(Class<T> protocol, T service) {
    return protocol.cast(Proxy.newProxyInstance(protocol.getClassLoader(),
        new Class<?>[] {protocol}, (proxy, method, arguments) -> {
          if (method.getDeclaringClass() != Object.class) {
            check(protocol);
          }
          try {
            return method.invoke(service, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        }));
  }

  private void check(Class<?> protocol) throws ServiceException {
    ServiceAuthorizationManager lists = acls;
    if (lists == null) {
      return;
    }
    UserGroupInformation user = Server.getRemoteUser();
    InetAddress address = Server.getRemoteIp();
    try {
      if (user == null || address == null) {
        throw new AuthorizationException("Calls of " + protocol.getName() + " come by RPC");
      }
      if (!mayCall(lists, protocol, user, address)) {
        // It refuses for the same reasons, and notes that in the audit log. It would note each call
        // that it lets through, too.
        lists.authorize(user, protocol, conf, address);
      }
    } catch (AuthorizationException e) {
      throw new ServiceException(e);
    }
  }

  private static boolean mayCall(ServiceAuthorizationManager lists, Class<?> protocol,
      UserGroupInformation user, InetAddress address) {
    String host = address.getHostAddress();
    return lists.getProtocolsAcls(protocol) != null
        && lists.getProtocolsAcls(protocol).isUserAllowed(user)
        && !lists.getProtocolsBlockedAcls(protocol).isUserAllowed(user)
        && lists.getProtocolsMachineList(protocol).includes(host)
        && !lists.getProtocolsBlockedMachineList(protocol).includes(host);
  }
}
