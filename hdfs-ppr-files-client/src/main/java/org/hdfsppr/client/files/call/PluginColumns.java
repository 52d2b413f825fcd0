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

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.plugin.PluginAddresses;
import org.hdfsppr.column.ColumnProtocol;
import org.hdfsppr.column.ColumnProtocolPB;
import org.hdfsppr.column.ColumnTranslator;
import org.hdfsppr.column.SquareBlocks;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.rpc.ProxyMaker;

/**
 * Asks the plugin of the active NameNode which blocks are in a column of a CORE group. It asks the
 * NameNode first that has answered last. Thread-safe.
 */
@InterfaceAudience.Private
public final class PluginColumns implements ColumnProtocol {
  /**
   * How long a connect to a plugin may take, and then its answer, ms. It is short, because a reader
   * waits meanwhile, and can often read in another way if there is no answer.
   */
  private static final int TIMEOUT_MS = 3_000;

  /**
   * The first pause before a busy NameNode is asked again, ms; each further pause is twice as long.
   */
  private static final long PAUSE_MS_FIRST = 20;
  /**
   * The longest pause before a busy NameNode is asked again, ms. All pauses together take 1.3 s.
   */
  private static final long PAUSE_MS_MOST = 640;

  private final Configuration conf;
  private final URI fileSystem;
  private final UserGroupInformation user;
  private final ProxyMaker<ColumnProtocolPB> proxies;
  /** The name of the NameNode that has answered last; null before the first answer. */
  private volatile String first;

  /**
   * @param configuration the client's configuration
   * @param fileSystem the URI of the file system
   * @param user the user that has opened the file system; a stream may be read by threads of other
   *     users
   */
  public PluginColumns(Configuration configuration, URI fileSystem, UserGroupInformation user) {
    this.user = user;
    this.conf = new Configuration(configuration);
    this.fileSystem = fileSystem;
    // The RPC client checks that the server has this principal. The plugin runs as the NameNode.
    conf.set(CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY,
        conf.get(HdfsClientConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, ""));
    this.proxies = ColumnTranslator.proxies(conf, TIMEOUT_MS);
  }

  @Override
  public List<LocatedBlock> column(GroupId group, int unit) throws IOException {
    return ofPool(group, ask(nameNode -> nameNode.column(group, unit)));
  }

  @Override
  public Optional<SquareBlocks> square(long blockGroup) throws IOException {
    return ask(nameNode -> nameNode.square(blockGroup));
  }

  /**
   * Refuses blocks of another namespace. This is needed because block groups of two namespaces may
   * have the same id, and on the host of a Router, the plugin of any NameNode may answer.
   */
  static List<LocatedBlock> ofPool(GroupId group, List<LocatedBlock> blocks) throws IOException {
    for (LocatedBlock block : blocks) {
      if (!block.getBlock().getBlockPoolId().equals(group.poolId)) {
        throw new IOException("The plugin that has answered knows blocks of pool "
            + block.getBlock().getBlockPoolId() + ", and the file is in " + group.poolId);
      }
    }
    return blocks;
  }

  /** Asks a NameNode's plugin something. */
  private interface Question<T> {
    T to(ColumnProtocol nameNode) throws IOException;
  }

  private <T> T ask(Question<T> question) throws IOException {
    Map<String, InetSocketAddress> nameNodes = PluginAddresses.nameNodes(conf, fileSystem);
    List<String> names = new ArrayList<>(nameNodes.keySet());
    String last = first;
    if (last != null && names.remove(last)) {
      names.add(0, last);
    }
    IOException failure = new IOException("The configuration names no NameNode of " + fileSystem);
    for (String name : names) {
      try {
        T answer = ask(name, nameNodes.get(name), question);
        first = name;
        return answer;
      } catch (AccessControlException | RetriableException e) {
        throw e;
      } catch (IOException e) {
        e.addSuppressed(failure);
        failure = e;
      }
    }
    throw failure;
  }

  /** Asks one NameNode's plugin. While it is busy, asks again after a pause. */
  private <T> T ask(String name, InetSocketAddress namenode, Question<T> question)
      throws IOException {
    InetSocketAddress plugin = PluginAddresses.plugin(conf, fileSystem, name, namenode);
    try (ColumnTranslator asked = ColumnTranslator.of(plugin,
        PluginTokens.user(user, conf, fileSystem, namenode, plugin), proxies)) {
      for (long pauseMs = PAUSE_MS_FIRST; ; pauseMs *= 2) {
        try {
          return question.to(asked);
        } catch (RetriableException e) {
          if (pauseMs > PAUSE_MS_MOST) {
            throw e;
          }
          TimeUnit.MILLISECONDS.sleep(pauseMs);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The reader does not wait for the NameNode any more");
    }
  }
}
