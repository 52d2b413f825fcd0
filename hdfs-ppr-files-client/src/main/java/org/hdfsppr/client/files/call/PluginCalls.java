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
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.plugin.PluginAddresses;
import org.hdfsppr.client.plugin.Routers;
import org.hdfsppr.operate.PprClientProtocol;
import org.hdfsppr.operate.PprClientProtocolPB;
import org.hdfsppr.operate.PprClientTranslator;
import org.hdfsppr.rpc.ProxyMaker;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the plugin of the active NameNode. It asks one NameNode after the other. If none of them is
 * active, or the active one is not ready yet, a failover may be under way, and this class asks all
 * of them again for a while. So a call may be made several times; all calls of the protocol allow
 * that. Thread-safe.
 */
@InterfaceAudience.Private
public final class PluginCalls {
  private static final Logger LOG = LoggerFactory.getLogger(PluginCalls.class);
  /** How long a connect to a plugin may take, and then its answer, ms. */
  private static final int TIMEOUT_MS = 10_000;
  /** How long the NameNodes are asked again and again, ms: as long as a failover may take. */
  private static final long FAILOVER_MS = 60_000;
  /** The pause before all NameNodes are asked again, s. */
  private static final long PAUSE_S = 1;
  /**
   * The exceptions by which the plugin of an older version answers a call that it does not know.
   */
  private static final List<String> UNKNOWN = List.of(RpcNoSuchProtocolException.class.getName(),
      RpcNoSuchMethodException.class.getName());

  /**
   * One call of the protocol.
   *
   * @param <T> the answer
   */
  public interface Call<T> {
    /**
     * @param plugin the plugin to call
     * @return the plugin's answer
     * @throws IOException if the plugin refuses the call, or does not answer
     */
    T of(PprClientProtocol plugin) throws IOException;
  }

  /** Waits before all NameNodes are asked again. */
  public interface Pause {
    /**
     * @param seconds how long to wait
     * @return false if the call has to fail now instead
     */
    boolean await(long seconds);
  }

  private final Configuration conf;
  private final Pause pause;
  /**
   * Whether a NameNode whose port refuses connections may only be starting, so that it is asked
   * again.
   */
  private final boolean isPatient;
  private final LongSupplier clockMs;
  private final URI fileSystem;
  private final ProxyMaker<PprClientProtocolPB> proxies;
  /**
   * The name of the NameNode that has answered last, which is asked first; null before the first
   * answer.
   */
  private volatile String first;
  /** Whether it was checked that the servers are NameNodes and not Routers. */
  private volatile boolean isChecked;

  private PluginCalls(Configuration configuration, Pause pause, LongSupplier clockMs,
      boolean isPatient) throws IOException {
    this.isPatient = isPatient;
    this.conf = new Configuration(configuration);
    this.pause = pause;
    this.clockMs = clockMs;
    this.fileSystem = PluginAddresses.hdfs(conf);
    // The RPC client checks that the server has this principal. The plugin runs as the NameNode.
    conf.set(CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY,
        conf.get(HdfsClientConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, ""));
    this.proxies = PprClientTranslator.proxies(conf, TIMEOUT_MS);
  }

  /**
   * Makes an object that calls the plugins of the default file system's NameNodes. A call fails at
   * once if the ports of all NameNodes refuse connections.
   *
   * @param conf the client's configuration
   * @param pause waits before all NameNodes are asked again
   * @param clockMs a monotonic clock, ms
   * @return the object
   * @throws IOException if the default file system is not an HDFS
   */
  public static PluginCalls of(Configuration conf, Pause pause, LongSupplier clockMs)
      throws IOException {
    return new PluginCalls(conf, pause, clockMs, false);
  }

  /**
   * Like {@link #of}, but a call also asks again if the ports of all NameNodes refuse connections,
   * because one of them may be starting. Streams and updaters use this.
   *
   * @param conf the client's configuration
   * @param pause waits before all NameNodes are asked again
   * @param clockMs a monotonic clock, ms
   * @return the object
   * @throws IOException if the default file system is not an HDFS
   */
  public static PluginCalls patient(Configuration conf, Pause pause, LongSupplier clockMs)
      throws IOException {
    return new PluginCalls(conf, pause, clockMs, true);
  }

  /**
   * Calls the active NameNode's plugin.
   *
   * @param call the call
   * @param <T> the answer
   * @return the answer
   * @throws IOException if the plugin refuses the call, or no NameNode answers; the message is a
   *     sentence that can be shown to users
   */
  public <T> T call(Call<T> call) throws IOException {
    checkRouters();
    long deadlineMs = clockMs.getAsLong() + FAILOVER_MS;
    while (true) {
      // The addresses are looked up again each time, because a host name may have another one after
      // a failover.
      Map<String, InetSocketAddress> nameNodes = PluginAddresses.nameNodes(conf, fileSystem);
      Map<String, String> failures = new LinkedHashMap<>();
      boolean mayRecover = false;
      for (String name : inOrder(nameNodes.keySet())) {
        try {
          T answer = ask(name, nameNodes.get(name), call);
          first = name;
          return answer;
        } catch (IOException e) {
          if (isFinal(e)) {
            throw e;
          }
          LOG.debug("{} does not answer this", name, e);
          failures.put(name, sentence(plugin(name, nameNodes.get(name)), e));
          mayRecover |= isPatient || !(e instanceof ConnectException);
        }
      }
      if (!mayRecover || clockMs.getAsLong() >= deadlineMs || !pause.await(PAUSE_S)) {
        List<String> all = new ArrayList<>();
        failures.forEach((name, why) -> all.add(name + ": " + why));
        throw new SilentPluginsException("No NameNode has answered. " + String.join("; ", all));
      }
    }
  }

  /**
   * Refuses to go on if a server is a Router. Commands need this at their first call; streams have
   * checked it already when they were opened.
   */
  private void checkRouters() throws IOException {
    if (!isPatient && !isChecked) {
      Routers.refuseAny(conf, fileSystem, "nothing works that needs the plugin of a NameNode");
      isChecked = true;
    }
  }

  private List<String> inOrder(Collection<String> nameNodes) throws IOException {
    List<String> names = new ArrayList<>(nameNodes);
    if (names.isEmpty()) {
      throw new IOException("The configuration names no NameNode of the default file system"
          + " (dfs.ha.namenodes)");
    }
    String last = first;
    if (last != null && names.remove(last)) {
      names.add(0, last);
    }
    return names;
  }

  private <T> T ask(String name, InetSocketAddress nameNode, Call<T> call) throws IOException {
    InetSocketAddress plugin = plugin(name, nameNode);
    try (PprClientTranslator client = PprClientTranslator.of(plugin,
        PluginTokens.user(UserGroupInformation.getCurrentUser(), conf, fileSystem, nameNode,
            plugin),
        proxies)) {
      return call.of(client);
    }
  }

  private InetSocketAddress plugin(String name, InetSocketAddress nameNode) {
    return PluginAddresses.plugin(conf, fileSystem, name, nameNode);
  }

  /**
   * Returns whether this failure is an answer that neither another try nor another NameNode would
   * change.
   */
  private static boolean isFinal(IOException e) {
    if (e instanceof StandbyException || e instanceof RetriableException
        || isOfProtocol(e)) {
      return false;
    }
    boolean isAnswer = e instanceof RemoteException || e.getCause() instanceof RemoteException;
    Throwable innermost = innermost(e);
    return isAnswer || innermost instanceof AccessControlException;
  }

  private static boolean isOfProtocol(IOException e) {
    return e instanceof RpcNoSuchProtocolException || e instanceof RpcNoSuchMethodException
        || e instanceof RemoteException && UNKNOWN.contains(((RemoteException) e).getClassName());
  }

  private static boolean isWithoutProtocol(IOException e) {
    return e instanceof RpcNoSuchProtocolException || e instanceof RemoteException
        && RpcNoSuchProtocolException.class.getName().equals(((RemoteException) e).getClassName());
  }

  private static Throwable innermost(Throwable e) {
    Throwable inner = e;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }

  private static String sentence(InetSocketAddress plugin, IOException e) {
    if (isOfProtocol(e)) {
      return isWithoutProtocol(e)
          ? "its hdfs-ppr has no files part (hdfs-ppr-files-namenode), or is older than this"
              + " command"
          : "its hdfs-ppr is older than this command; upgrade it";
    }
    if (e instanceof StandbyException) {
      return "it is not the active one";
    }
    if (e instanceof RetriableException) {
      return PeerText.firstLine(e);
    }
    Throwable inner = innermost(e);
    return "hdfs-ppr does not answer at " + plugin + " (dfs.namenode.plugins,"
        + " dfs.namenode.ppr.rpc-address): " + (inner.getMessage() == null
            ? inner.getClass().getSimpleName() : PeerText.firstLine(inner));
  }
}
