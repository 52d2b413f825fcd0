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
package org.hdfsppr.client.plugin;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Distinguishes a Router of Hadoop's federation from a NameNode. A Router passes on reads of many
 * namespaces under paths of its own. The plugin of a NameNode knows other paths. If a NameNode runs
 * on the Router's host, it would take a path of the Router for a path of its own files. So commands
 * that need a plugin do not go through a Router.
 *
 * <p>No call of HDFS's protocol says whether a Router or a NameNode answers. So this class asks for
 * the key of encrypted transfers. Routers refuse this call as unsupported. NameNodes answer it to
 * every user, without a lock and without a line in the audit log, also if they have no such key
 * because transfers are not encrypted.
 */
@InterfaceAudience.Private
public final class Routers {
  private static final Logger LOG = LoggerFactory.getLogger(Routers.class);
  /** The time limit for connecting, and again for the answer, ms. */
  private static final int TIMEOUT_MS = 10_000;

  private Routers() {
  }

  /**
   * Refuses to go on if a server is a Router.
   *
   * @param server may be a Router
   * @param fileSystem the URI of the file system, for the exception's message
   * @param what what does not work through a Router, for the exception's message
   * @throws IOException if the server is a Router, or if no server answers
   */
  public static void refuse(ClientProtocol server, URI fileSystem, String what)
      throws IOException {
    try {
      server.getDataEncryptionKey();
    } catch (RemoteException e) {
      if (UnsupportedOperationException.class.getName().equals(e.getClassName())) {
        throw new RouterException(fileSystem.getScheme() + "://" + fileSystem.getAuthority()
            + " is a Router, through which " + what + "; name the nameservice of the file by -fs"
            + " hdfs://NAMESERVICE, or in its path", e);
      }
      throw e;
    }
  }

  /**
   * Refuses to go on if a server of a file system is a Router. Ignores servers that do not answer.
   *
   * @param configuration the client's configuration
   * @param fileSystem the URI of the file system, for the exception's message
   * @param what what does not work through a Router, for the exception's message
   * @throws IOException if a server is a Router
   */
  public static void refuseAny(Configuration configuration, URI fileSystem, String what)
      throws IOException {
    Configuration conf = new Configuration(configuration);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    conf.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, TIMEOUT_MS);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, TIMEOUT_MS);
    for (InetSocketAddress address : PluginAddresses.nameNodes(conf, fileSystem).values()) {
      try {
        ClientProtocol server = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(address,
            conf, UserGroupInformation.getCurrentUser(), false, new AtomicBoolean());
        try {
          refuse(server, fileSystem, what);
        } finally {
          RPC.stopProxy(server);
        }
      } catch (RouterException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        // Hadoop wraps an unknown host in a RuntimeException. No failure is reported here, because
        // the command's own call to the server will fail, too, and will say what is wrong.
        LOG.debug("{} does not say whether it is a Router", address, e);
      }
    }
  }

  /** A server is a Router. */
  private static final class RouterException extends IOException {
    private static final long serialVersionUID = 1L;

    RouterException(String sentence, Throwable cause) {
      super(sentence, cause);
    }
  }
}
