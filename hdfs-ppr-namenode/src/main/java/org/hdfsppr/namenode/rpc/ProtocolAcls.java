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
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.ServiceAuthorizationManager;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.LoggerFactory;

/**
 * Checks the access control list of a protocol with each call. Hadoop's server checks the list of
 * the protocol that a connection names when it opens, but a call over the connection may be of any
 * protocol that the server has. Refusals go to the audit log of Hadoop's own checks, but a user
 * that calls again and again cannot fill it: each user gets one line a minute for each protocol,
 * which states how many were left out. Thread-safe.
 */
final class ProtocolAcls {
  private final PeerLog audit = new PeerLog(
      LoggerFactory.getLogger("SecurityLogger." + ServiceAuthorizationManager.class.getName()));
  /** Null until the server is made, or if Hadoop's service authorization is off. */
  private volatile ServiceAuthorizationManager acls;

  /** Takes the access control lists of a server. The server must have read them. */
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
    if (user == null || address == null) {
      throw refusal("Calls of " + protocol.getName() + " come by RPC");
    }
    if (!hasUser(lists, protocol, user)) {
      note(user, protocol, "Authorization failed for {} for protocol={}: denied by configured ACL",
          PeerText.oneLine(user.toString()), protocol);
      throw refusal("User " + user + " is not authorized for protocol " + protocol
          + ": denied by configured ACL");
    }
    String host = address.getHostAddress();
    if (!hasHost(lists, protocol, host)) {
      note(user, protocol, "Authorization failed for {} for protocol={} from unauthorized host {}",
          PeerText.oneLine(user.toString()), protocol, host);
      throw refusal("Host " + host + " is not authorized for protocol " + protocol);
    }
  }

  private void note(UserGroupInformation user, Class<?> protocol, String line,
      Object... arguments) {
    audit.warn(protocol.getSimpleName() + " " + PeerText.oneLine(user.getUserName()), line,
        arguments);
  }

  private static ServiceException refusal(String why) {
    return new ServiceException(new AuthorizationException(why));
  }

  private static boolean hasUser(ServiceAuthorizationManager lists, Class<?> protocol,
      UserGroupInformation user) {
    return lists.getProtocolsAcls(protocol) != null
        && lists.getProtocolsAcls(protocol).isUserAllowed(user)
        && !lists.getProtocolsBlockedAcls(protocol).isUserAllowed(user);
  }

  private static boolean hasHost(ServiceAuthorizationManager lists, Class<?> protocol,
      String host) {
    return lists.getProtocolsMachineList(protocol).includes(host)
        && !lists.getProtocolsBlockedMachineList(protocol).includes(host);
  }
}
