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
package org.hdfsppr.datanode.agent;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.util.Daemon;
import org.hdfsppr.manage.ManagerAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends heartbeats to all NameNodes that a configuration names. If a new configuration adds or
 * removes NameNodes, this class begins or ends the heartbeats to these NameNodes. The heartbeats to
 * all other NameNodes go on.
 */
final class HeartbeatActors {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatActors.class);

  /** Makes the parts that this class connects. */
  interface Factory {
    /** @param whenEnded the nameservice runs it when there is a result to report */
    Nameservice nameservice(String name, Runnable whenEnded);

    HeartbeatActor link(Configuration conf, Target target, Nameservice nameservice);

    /** Makes the clients for {@link OrderWait}, whose connections carry no heartbeats. */
    HeartbeatActor.Clients waitClients(Configuration conf, Target target);
  }

  /** A NameNode, and the configured address of its repair manager. */
  static final class Target {
    /** The id of the nameservice; null if the cluster has only one. */
    final String nameserviceId;
    /** The id of the NameNode in its nameservice; null without HA. */
    final String namenodeId;
    final InetSocketAddress namenode;
    private final String configured;

    private Target(Configuration conf, String nameserviceId, String namenodeId,
        InetSocketAddress namenode) {
      this.nameserviceId = nameserviceId;
      this.namenodeId = namenodeId;
      this.namenode = namenode;
      // This call throws an exception if the value of a setting is not allowed. Only the text is
      // kept, because each new connection looks the host name up again.
      this.configured = text(ManagerAddress.configured(conf, nameserviceId, namenodeId));
    }

    static Set<Target> of(Configuration conf) throws IOException {
      Set<Target> targets = new LinkedHashSet<>();
      DFSUtil.getNNServiceRpcAddressesForCluster(conf).forEach((nameserviceId, namenodes) ->
          namenodes.forEach((namenodeId, namenode) ->
              targets.add(new Target(conf, nameserviceId, namenodeId, namenode))));
      return targets;
    }

    /**
     * Returns the configured text and not the resolved address, because the address of a host name
     * may change.
     */
    private static String text(InetSocketAddress address) {
      return address.getHostString() + ":" + address.getPort();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Target
          && Objects.equals(nameserviceId, ((Target) other).nameserviceId)
          && Objects.equals(namenodeId, ((Target) other).namenodeId)
          && toString().equals(other.toString())
          && configured.equals(((Target) other).configured);
    }

    @Override
    public int hashCode() {
      return Objects.hash(nameserviceId, namenodeId, toString(), configured);
    }

    @Override
    public String toString() {
      return text(namenode);
    }
  }

  /** The heartbeats to one NameNode, and the calls that wait for its orders. */
  private static final class Running {
    final HeartbeatActor link;
    private final OrderWait wait;
    private final List<Thread> threads;

    Running(HeartbeatActor link, HeartbeatActor.Clients waitClients) {
      this.link = link;
      this.wait = new OrderWait(link.toString(), link::orderWaitMs, link::node, waitClients,
          link::wake, System::nanoTime, link.services());
      Thread heartbeats = new Daemon(link);
      heartbeats.setName("ppr-heartbeat to " + link);
      Thread waits = new Daemon(wait);
      waits.setName("ppr-orders of " + link);
      this.threads = List.of(heartbeats, waits);
    }

    void start() {
      threads.forEach(Thread::start);
    }

    /**
     * Makes the threads end, and returns them. Each ends after its call under way at the latest.
     */
    List<Thread> end() {
      link.close();
      wait.close();
      threads.forEach(Thread::interrupt);
      return threads;
    }
  }

  private final Factory factory;
  /**
   * The nameservices of all configurations so far, by id. An entry stays when a configuration drops
   * its nameservice. Otherwise a job that still runs could start a second time if a later
   * configuration names the nameservice again. The map stays small, because operators configure few
   * nameservices.
   */
  private final Map<String, Nameservice> nameservices = new HashMap<>();
  /**
   * The heartbeats that run now, by NameNode. Each change replaces the whole map, because a thread
   * that has a result reads the map without a lock.
   */
  private volatile Map<Target, Running> running = Collections.emptyMap();
  /** Threads that have been asked to end. Each ends after its call under way at the latest. */
  private final List<Thread> ending = new ArrayList<>();
  private boolean stopped;

  HeartbeatActors(Factory factory) {
    this.factory = factory;
  }

  /**
   * From now on, sends heartbeats to the NameNodes that {@code conf} names, and to no others.
   *
   * @throws IOException if {@code conf} names no NameNode, or a NameNode without an address;
   *     nothing has changed then
   * @throws IllegalArgumentException if a setting has a value that is not allowed; the message
   *     names the setting, and nothing has changed then
   */
  void follow(Configuration conf) throws IOException {
    // This thread looks host names up before it takes the lock, because the look-up may block.
    Set<Target> wanted = Target.of(conf);
    synchronized (this) {
      if (!stopped) {
        begin(conf, wanted);
      }
    }
  }

  private void begin(Configuration conf, Set<Target> wanted) {
    Map<Target, Running> next = new LinkedHashMap<>();
    List<Running> begun = new ArrayList<>();
    for (Target target : wanted) {
      Running each = running.get(target);
      if (each == null) {
        each = new Running(factory.link(conf, target, nameservice(target.nameserviceId)),
            factory.waitClients(conf, target));
        begun.add(each);
      }
      next.put(target, each);
    }
    Map<Target, Running> before = running;
    running = next;
    ending.removeIf(thread -> !thread.isAlive());
    before.forEach((target, each) -> {
      if (!next.containsKey(target)) {
        LOG.info("This DataNode takes no orders from {} ({}) any more: its configuration does not"
            + " name that NameNode", target, name(target.nameserviceId));
        ending.addAll(each.end());
      }
    });
    begun.forEach(Running::start);
  }

  private Nameservice nameservice(String id) {
    return nameservices.computeIfAbsent(id,
        key -> factory.nameservice(name(key), () -> wake(key)));
  }

  private static String name(String nameserviceId) {
    return nameserviceId == null ? "the cluster" : nameserviceId;
  }

  private void wake(String nameserviceId) {
    running.forEach((target, each) -> {
      if (Objects.equals(target.nameserviceId, nameserviceId)) {
        each.link.wake();
      }
    });
  }

  /**
   * Ends all heartbeats; {@link #follow} does nothing after that. Returns the threads, which end
   * soon.
   */
  synchronized List<Thread> stop() {
    stopped = true;
    running.values().forEach(each -> ending.addAll(each.end()));
    running = Collections.emptyMap();
    return new ArrayList<>(ending);
  }
}
