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
package org.hdfsppr.client.files.call;

import java.net.InetSocketAddress;
import java.net.URI;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;

/**
 * Lets a client use a delegation token of the NameNode at the port of the NameNode's plugin.
 * Hadoop's client chooses a token by the address of the server. A delegation token of the NameNode
 * names the address of the NameNode's RPC port, or the nameservice, and would not be found for the
 * plugin's port.
 */
@InterfaceAudience.Private
public final class PluginTokens {
  private PluginTokens() {
  }

  /**
   * Returns the user as which a client calls a plugin. This is the given user. Only if that user
   * has no Kerberos ticket but a token of the NameNode, it is one with the same name and a copy of
   * the token for the plugin's address.
   *
   * @param user the user whose rights the plugin checks
   * @param conf the client's configuration
   * @param fileSystem the URI of the file system
   * @param namenode the address of the NameNode's RPC server
   * @param plugin the address of the NameNode's plugin
   * @return the user as which the plugin has to be called
   */
  public static UserGroupInformation user(UserGroupInformation user, Configuration conf,
      URI fileSystem, InetSocketAddress namenode, InetSocketAddress plugin) {
    if (!UserGroupInformation.isSecurityEnabled() || user.hasKerberosCredentials()) {
      return user;
    }
    Text service = HAUtilClient.isLogicalUri(conf, fileSystem)
        ? HAUtilClient.buildTokenServiceForLogicalUri(fileSystem, HdfsConstants.HDFS_URI_SCHEME)
        : SecurityUtil.buildTokenService(namenode);
    for (Token<? extends TokenIdentifier> token : user.getTokens()) {
      if (token.getKind().equals(DelegationTokenIdentifier.HDFS_DELEGATION_KIND)
          && token.getService().equals(service)) {
        UserGroupInformation bearer =
            UserGroupInformation.createRemoteUser(user.getUserName(), AuthMethod.TOKEN);
        bearer.addToken(new Token<>(token.getIdentifier(), token.getPassword(), token.getKind(),
            SecurityUtil.buildTokenService(plugin)));
        return bearer;
      }
    }
    return user;
  }
}
