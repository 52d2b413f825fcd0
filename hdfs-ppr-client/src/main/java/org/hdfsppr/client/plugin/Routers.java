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
 * Tells a Router of Hadoop's federation from a NameNode. A Router passes on reads of many
 * namespaces under paths of its own. The plugin of a NameNode knows other paths, and a NameNode on
 * the Router's host would take a path for one of its own files. So what needs a plugin does not go
 * through a Router.
 *
 * <p>No call of HDFS's protocol says which of the two answers. Routers refuse the question for the
 * key of encrypted transfers as unsupported; NameNodes answer it to every user, without a lock and
 * without a line in the audit log, and have no key where transfers are not encrypted.
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
   * @param fileSystem the URI of the file system, for the sentence
   * @param what what does not work, for the sentence
   * @throws IOException if it is a Router, or if no server answers
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
   * Refuses to go on if a server of a file system is a Router. Servers that do not answer are left
   * out.
   *
   * @param configuration the client's configuration
   * @param fileSystem the URI of the file system
   * @param what what does not work, for the sentence
   * @throws IOException if one is a Router
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
        // Hadoop wraps an unknown host in a RuntimeException. The call that follows says what is
        // wrong.
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
