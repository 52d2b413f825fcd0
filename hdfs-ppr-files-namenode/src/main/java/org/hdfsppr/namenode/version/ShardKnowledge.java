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
package org.hdfsppr.namenode.version;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.manage.ManagerAddress;
import org.hdfsppr.operate.FeatureProtocol;
import org.hdfsppr.operate.PprClientProtocolPB;
import org.hdfsppr.operate.PprClientTranslator;
import org.hdfsppr.rpc.ProxyMaker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows whether all other NameNodes of the nameservice support a {@link VersionHome} with shards.
 * The active NameNode asks their plugins. If one of them has not answered since this NameNode
 * started, or is older, versions are put where that one looks for them. The last answer of a
 * NameNode that is down stays valid. Such a NameNode may be replaced by an older release, and
 * become active before it is asked again. Then it does not touch versions in homes that it does not
 * know, and these stay until it has this release again.
 *
 * <p>One thread calls {@link #begin} and {@link #step}; the other methods are thread-safe.
 */
@InterfaceAudience.Private
public final class ShardKnowledge {
  private static final Logger LOG = LoggerFactory.getLogger(ShardKnowledge.class);
  /**
   * The time limit for connecting, and again for an answer, ms. The thread that renews leases waits
   * for it, so that it is short.
   */
  private static final int TIMEOUT_MS = 2_000;
  /**
   * The time between two rounds of questions if not all other NameNodes are known to support
   * shards, ms.
   */
  static final long UNKNOWN_MS = 10_000;
  /** The time between two rounds of questions if all of them are, ms. */
  static final long KNOWN_MS = 60_000;
  /** The exceptions by which an older plugin shows that it does not know the question. */
  private static final Set<String> OLDER = Set.of(RpcNoSuchProtocolException.class.getName(),
      RpcNoSuchMethodException.class.getName());

  private static final String OLDER_OR_BASE = " (older, or without the jar of files)";

  /** The other NameNodes of the nameservice. */
  interface Others {
    /** Returns the ids of these NameNodes in the configuration. */
    Set<String> names();

    /**
     * Asks the plugin of a NameNode which features it has.
     *
     * @throws IOException if it does not answer, or is too old to know this question
     */
    Set<String> features(String name) throws IOException;
  }

  private final Others others;
  private final Map<String, Boolean> answers = new HashMap<>();
  private volatile boolean allKnow;
  private boolean hasSaid;
  private long nextMs = Long.MIN_VALUE;

  /**
   * Makes the next {@link #step} ask all other NameNodes, because answers of an earlier term may be
   * out of date.
   */
  void begin() {
    nextMs = Long.MIN_VALUE;
  }

  ShardKnowledge(Others others) {
    this.others = others;
    this.allKnow = others.names().isEmpty();
  }

  /** Returns an instance for a NameNode that is the only one of its nameservice. */
  static ShardKnowledge alone() {
    return new ShardKnowledge(new Others() {
      @Override
      public Set<String> names() {
        return Set.of();
      }

      @Override
      public Set<String> features(String name) {
        return Set.of();
      }
    });
  }

  /**
   * @param conf the NameNode's configuration, which names its nameservice and its id
   * @return an instance that asks the other NameNodes of the nameservice
   */
  public static ShardKnowledge of(Configuration conf) {
    String nameservice = DFSUtil.getNamenodeNameServiceId(conf);
    return nameservice == null || !HAUtil.isHAEnabled(conf, nameservice) ? alone()
        : new ShardKnowledge(
            new Pair(conf, nameservice, HAUtil.getNameNodeId(conf, nameservice)));
  }

  /** The other NameNodes of a nameservice with high availability. */
  private static final class Pair implements Others {
    private final Configuration conf;
    private final String nameservice;
    private final String own;
    private final ProxyMaker<PprClientProtocolPB> proxies;
    private final Set<String> names;

    Pair(Configuration configuration, String nameservice, String own) {
      this.conf = new Configuration(configuration);
      this.nameservice = nameservice;
      this.own = own;
      // The RPC client checks that the server has this principal.
      conf.set(CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY,
          conf.get(HdfsClientConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, ""));
      this.proxies = PprClientTranslator.proxies(conf, TIMEOUT_MS);
      this.names = new TreeSet<>(addresses().keySet());
      names.remove(own);
    }

    private Map<String, InetSocketAddress> addresses() {
      return DFSUtilClient.getHaNnRpcAddresses(conf).getOrDefault(nameservice, Map.of());
    }

    @Override
    public Set<String> names() {
      return names;
    }

    @Override
    public Set<String> features(String name) throws IOException {
      // The address of the other NameNode may have changed since the last call.
      Map<String, InetSocketAddress> now = addresses();
      try (PprClientTranslator plugin = PprClientTranslator.of(
          ManagerAddress.ofOther(conf, nameservice, name, now.get(own), now.get(name)),
          UserGroupInformation.getLoginUser(), proxies)) {
        return plugin.features();
      }
    }
  }

  /**
   * Asks all other NameNodes of the nameservice now whether they have a feature. Unlike {@link
   * #step}, this does not count earlier answers of a NameNode that is down now. Takes a few seconds
   * for each NameNode that does not answer. Thread-safe.
   *
   * @param feature a feature's name, see {@link FeatureProtocol}
   * @return the NameNodes that are not known to have the feature, each with the reason; empty if
   *     all have it
   */
  public List<String> lacking(String feature) {
    List<String> lacking = new ArrayList<>();
    for (String name : others.names()) {
      try {
        if (!others.features(name).contains(feature)) {
          lacking.add(name + OLDER_OR_BASE);
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("The plugin of NameNode {} does not say what it knows", name, e);
        lacking.add(name + (isOlder(e) ? OLDER_OR_BASE : " (no answer)"));
      }
    }
    return lacking;
  }

  /**
   * Returns whether versions may be put into homes with shards, because all other NameNodes know
   * them.
   */
  boolean allKnow() {
    return allKnow;
  }

  /**
   * Asks the other NameNodes, if it is time for that.
   *
   * @param nowMs the time, monotonic, ms
   */
  void step(long nowMs) {
    if (nowMs < nextMs || others.names().isEmpty()) {
      return;
    }
    List<String> missing = new ArrayList<>();
    for (String name : others.names()) {
      ask(name);
      if (!answers.getOrDefault(name, false)) {
        missing.add(name + (answers.containsKey(name) ? " (older)" : " (no answer yet)"));
      }
    }
    boolean all = missing.isEmpty();
    if (!hasSaid || all != allKnow) {
      hasSaid = true;
      if (all) {
        LOG.info("All NameNodes know shards, so that new versions of files lie in {} and {}",
            VersionHome.CONVERSIONS.root, VersionHome.COMMITS.root);
      } else {
        LOG.info("New versions of files lie in {}, which can have as many entries as"
            + " dfs.namenode.fs-limits.max-directory-items says, until hdfs-ppr on these NameNodes"
            + " knows shards: {}", VersionHome.FLAT.root, String.join(", ", missing));
      }
    }
    allKnow = all;
    nextMs = nowMs + (all ? KNOWN_MS : UNKNOWN_MS);
  }

  private void ask(String name) {
    try {
      answers.put(name, others.features(name).contains(FeatureProtocol.VERSION_SHARDS));
    } catch (IOException | RuntimeException e) {
      LOG.debug("The plugin of NameNode {} does not say what it knows", name, e);
      if (isOlder(e)) {
        answers.put(name, false);
      }
    }
  }

  private static boolean isOlder(Throwable e) {
    return e instanceof RpcNoSuchProtocolException || e instanceof RpcNoSuchMethodException
        || e instanceof RemoteException && OLDER.contains(((RemoteException) e).getClassName());
  }
}
