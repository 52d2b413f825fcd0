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
package org.hdfsppr.client.command;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolClientSideTranslatorPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.plugin.PluginAddresses;
import org.hdfsppr.wire.PeerText;

/**
 * The NameNodes of a file system. A superuser's command goes to all of them, because each NameNode
 * records in its own memory which groups and DataNodes it doubts.
 */
final class NameNodes {
  /** The time limit for connecting to a NameNode, and again for the NameNode's answer. */
  private static final int TIMEOUT_MS = 10_000;
  /**
   * How many times a call goes on to another NameNode, in search of the active one. A cluster has
   * only a few NameNodes.
   */
  private static final int FAILOVERS_MAX = 4;
  /** The name under which the NameNode's plugin is registered. */
  private static final String IDENTIFIER = "ppr";

  /** A configuration with the time limits of this class for connections to NameNodes. */
  final Configuration conf;
  /** The addresses of the NameNodes, by their names in the configuration. */
  private final Map<String, InetSocketAddress> addresses;

  private NameNodes(Configuration conf, Map<String, InetSocketAddress> addresses) {
    this.conf = conf;
    this.addresses = addresses;
  }

  /**
   * Finds the NameNodes of the configuration's default file system.
   *
   * @throws IOException if the default file system is not an HDFS
   */
  static NameNodes of(Configuration configuration) throws IOException {
    Configuration conf = new Configuration(configuration);
    URI fileSystem = PluginAddresses.hdfs(conf);
    // The RPC client checks the server's principal, which has to be the NameNode's.
    conf.set(CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY,
        conf.get(HdfsClientConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, ""));
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    conf.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, TIMEOUT_MS);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, TIMEOUT_MS);
    conf.setInt(HdfsClientConfigKeys.Failover.MAX_ATTEMPTS_KEY, FAILOVERS_MAX);
    RPC.setProtocolEngine(conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
    return new NameNodes(conf, PluginAddresses.nameNodes(conf, fileSystem));
  }

  /** Returns the addresses of the NameNodes, by their names in the configuration. */
  Map<String, InetSocketAddress> addresses() {
    return Collections.unmodifiableMap(addresses);
  }

  /**
   * Sends a command to each NameNode, and returns the answers in the order of the NameNodes' names.
   */
  List<NameNodeAnswer> command(String... command) {
    List<NameNodeAnswer> answers = new ArrayList<>();
    for (Map.Entry<String, InetSocketAddress> one : addresses.entrySet()) {
      try {
        for (RefreshResponse response : ask(one.getValue(), command)) {
          answers.add(new NameNodeAnswer(one.getKey(), code(response), response.getMessage()));
        }
      } catch (IOException | RuntimeException e) {
        answers.add(new NameNodeAnswer(one.getKey(), ExitCode.FAILED, sentence(e)));
      }
    }
    return answers;
  }

  /**
   * Converts a NameNode's return code, which uses the numbers of {@link ExitCode}. A number that
   * this class does not know, for example from a newer NameNode, counts as a failure.
   */
  private static ExitCode code(RefreshResponse response) {
    int code = response.getReturnCode();
    return code == ExitCode.DONE.code ? ExitCode.DONE
        : code == ExitCode.USAGE.code ? ExitCode.USAGE : ExitCode.FAILED;
  }

  private Collection<RefreshResponse> ask(InetSocketAddress address, String... command)
      throws IOException {
    GenericRefreshProtocolPB proxy = RPC.getProxy(GenericRefreshProtocolPB.class,
        RPC.getProtocolVersion(GenericRefreshProtocolPB.class), address,
        UserGroupInformation.getCurrentUser(), conf, NetUtils.getDefaultSocketFactory(conf),
        TIMEOUT_MS);
    try (GenericRefreshProtocolClientSideTranslatorPB namenode =
        new GenericRefreshProtocolClientSideTranslatorPB(proxy)) {
      return namenode.refresh(IDENTIFIER, command);
    }
  }

  /** Explains in one line, without names of classes, why a NameNode has not done the command. */
  private static String sentence(Exception e) {
    if (e instanceof RemoteException
        && ((RemoteException) e).getClassName().equals(IllegalArgumentException.class.getName())) {
      return "hdfs-ppr does not run there (dfs.namenode.plugins), or takes no commands";
    }
    if (e instanceof RemoteException && ((RemoteException) e).getClassName()
        .equals(RpcNoSuchProtocolException.class.getName())) {
      return "it takes no commands, as it is a Router and no NameNode; name the nameservice by -fs"
          + " hdfs://NAMESERVICE";
    }
    if (e instanceof RemoteException) {
      return PeerText.firstLine(((RemoteException) e).unwrapRemoteException());
    }
    // Hadoop wraps a failure several times, and each wrapper repeats the message of the exception
    // that it wraps. So the innermost message is enough.
    Throwable first = e;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    // When a NameNode stops, a connection that was used before fails without a message.
    return "it has not answered: " + (first.getMessage() == null ? "the connection has ended"
        : PeerText.firstLine(first));
  }
}
