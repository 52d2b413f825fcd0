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

import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.util.Time;

/**
 * Decides which callers may send heartbeats. With Kerberos, a caller must be the DataNodes'
 * principal or a superuser of HDFS, and must have a Kerberos ticket of its own. A delegation token
 * is not enough, because any job has one. A call in which a permitted user impersonates another
 * user is refused, too. Without security, this class believes each user name, as Hadoop itself
 * does. Thread-safe.
 */
@InterfaceAudience.Private
final class CallerCheck {
  /**
   * The greatest number of principals in the cache. No cluster has as many DataNodes. The bound
   * limits the memory that callers from many addresses can use up.
   */
  private static final int PRINCIPALS_MAX = 100_000;

  /**
   * Makes the principal of the host at an address from a pattern, and may ask a name server for the
   * host's name.
   */
  @FunctionalInterface
  interface Names {
    String principal(String pattern, InetAddress address) throws IOException;
  }

  private final String datanodePrincipal;
  private final String owner;
  private final String superGroup;
  /**
   * How long the principal of an address is believed when a caller has another one, ms. The address
   * may have gone to another host. A caller cannot have the name server asked more often.
   */
  private static final long AGE_MS_LEAST = 60_000;

  /** A principal, and when a name server was asked for it. */
  private static final class Known {
    private final String principal;
    private final long atMs;

    Known(String principal, long atMs) {
      this.principal = principal;
      this.atMs = atMs;
    }
  }

  private final Names names;
  private final LongSupplier clockMs;
  /** The principals by address, cached because a look-up may take long. */
  private final Map<InetAddress, Known> principals = new ConcurrentHashMap<>();

  /** Makes the check for a NameNode that runs as the current user. */
  CallerCheck(Configuration conf) throws IOException {
    this(conf, SecurityUtil::getServerPrincipal, Time::monotonicNow);
  }

  /** @param clockMs the time, monotonic, ms */
  CallerCheck(Configuration conf, Names names, LongSupplier clockMs) throws IOException {
    this.names = names;
    this.clockMs = clockMs;
    datanodePrincipal = conf.getTrimmed(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY);
    owner = UserGroupInformation.getCurrentUser().getShortUserName();
    superGroup = conf.get(DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
        DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT);
  }

  /**
   * Accepts or refuses a caller. This method asks a name server last, and only about addresses of
   * live DataNodes. The answer may take seconds, and a handler waits for it.
   *
   * @param uuid UUID of the DataNode that the caller claims to be
   * @throws AccessControlException if the caller is refused, with the reason
   */
  void check(UserGroupInformation user, InetAddress address, String uuid,
      LiveDataNodes datanodes) throws IOException {
    boolean isSecure = UserGroupInformation.isSecurityEnabled();
    if (isSecure) {
      checkTicket(user, address);
    }
    if (!datanodes.isLive(uuid, address.getHostAddress())) {
      throw new AccessControlException("No live DataNode " + uuid + " is registered from "
          + address.getHostAddress());
    }
    if (isSecure) {
      checkName(user, address);
    }
  }

  private static void checkTicket(UserGroupInformation user, InetAddress address)
      throws AccessControlException {
    if (user.getAuthenticationMethod() != AuthenticationMethod.KERBEROS) {
      throw new AccessControlException(user + " at " + address.getHostAddress()
          + " may not send heartbeats of DataNodes: these need a Kerberos ticket of their own, not "
          + user.getAuthenticationMethod());
    }
  }

  private void checkName(UserGroupInformation user, InetAddress address) throws IOException {
    if (!isPrincipal(user.getUserName(), address) && !isSuperUser(user)) {
      throw new AccessControlException(user + " at " + address.getHostAddress() + " is neither "
          + datanodePrincipal + " (" + DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY
          + ") nor a superuser of HDFS, and may not send heartbeats of DataNodes");
    }
  }

  /** Returns whether a name is that of a DataNode at {@code address}. */
  private boolean isPrincipal(String name, InetAddress address) throws IOException {
    if (datanodePrincipal == null || !datanodePrincipal.contains("/_HOST@")) {
      return name.equals(datanodePrincipal);
    }
    Known known = principals.get(address);
    if (known == null
        || !name.equals(known.principal) && clockMs.getAsLong() - known.atMs >= AGE_MS_LEAST) {
      known = new Known(names.principal(datanodePrincipal, address), clockMs.getAsLong());
      if (principals.size() >= PRINCIPALS_MAX) {
        principals.clear();
      }
      principals.put(address, known);
    }
    return name.equals(known.principal);
  }

  private boolean isSuperUser(UserGroupInformation user) {
    return user.getShortUserName().equals(owner)
        || Arrays.asList(user.getGroupNames()).contains(superGroup);
  }
}
