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
package org.hdfsppr.conf;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings that earlier versions read and that this version ignores. If an operator has set such a
 * key, a process logs what is in effect instead, and starts. Each kind of process (DataNode,
 * NameNode, client) speaks only of the keys that this kind used to read, because one hdfs-site.xml
 * often serves all of them.
 */
@InterfaceAudience.Private
public final class RemovedKeys {
  private static final Logger LOG = LoggerFactory.getLogger(RemovedKeys.class);

  /** By removed key, what is in effect now, as the end of a log line. */
  private static final Map<String, String> OF_DATANODES = new TreeMap<>();
  private static final Map<String, String> OF_NAMENODES = new TreeMap<>();
  private static final Map<String, String> OF_CLIENTS = new TreeMap<>();

  /** Whether {@link #sayClient} has already logged its lines in this JVM. */
  private static final AtomicBoolean CLIENT_SAID = new AtomicBoolean();

  static {
    OF_DATANODES.put("dfs.datanode.ppr.inner.targets",
        "the DataNode that leads a repair writes all its units itself; nothing replaces it");
    OF_DATANODES.put("dfs.datanode.ppr.repair.queue.length",
        "64 repairs wait, and further ones go to the stock worker;"
            + " dfs.datanode.ppr.repair.threads says how many run");
    OF_DATANODES.put("dfs.datanode.ppr.repair.attempts",
        "a repair is tried eight times; nothing replaces it");
    OF_DATANODES.put("dfs.datanode.ppr.update.old.bytes",
        "old bytes take a quarter of dfs.datanode.ppr.update.log.bytes");
    OF_DATANODES.put("dfs.datanode.ppr.request.timeout.ms",
        "callers have dfs.datanode.ppr.stall.timeout.ms to send their request, 60 seconds at"
            + " most");
    OF_DATANODES.put("dfs.datanode.ppr.connect.timeout.ms",
        "half of dfs.datanode.ppr.stall.timeout.ms holds, 30 seconds at most");
    OF_DATANODES.put("dfs.ppr.slice.bytes", "slices have 64 KiB; nothing replaces it");

    OF_NAMENODES.put("dfs.namenode.ppr.convert.ended.ms",
        "ended conversion jobs are kept for seven days; nothing replaces it");
    OF_NAMENODES.put("dfs.namenode.ppr.convert.ended.max",
        "the last 100 ended conversion jobs are kept; nothing replaces it");
    OF_NAMENODES.put("dfs.namenode.ppr.convert.concurrent-files",
        "a job works on 128 files at a time, within dfs.namenode.ppr.version.concurrent;"
            + " 'hdfs ppr -convert -concurrency' says another number");
    OF_NAMENODES.put("dfs.namenode.ppr.convert.jobs.max",
        "64 jobs may be open, half of them one user's;"
            + " dfs.namenode.ppr.convert.concurrent-jobs says how many run");
    OF_NAMENODES.put("dfs.namenode.ppr.commit.look.ms",
        "logs of updated files are looked at every ten seconds; dfs.namenode.ppr.commit.age.ms,"
            + " dfs.namenode.ppr.commit.bytes and dfs.namenode.ppr.commit.stripes say what brings"
            + " a commit");
    OF_NAMENODES.put("dfs.namenode.ppr.core.slack.percent",
        "a parity file may be a quarter longer than the mean of its members; nothing replaces it");
    OF_NAMENODES.put("dfs.namenode.ppr.core.walk.interval.ms",
        "half of dfs.namenode.ppr.core.settle.ms holds, from one second to five minutes");
    OF_NAMENODES.put("dfs.namenode.ppr.core.check.interval.ms",
        "a sixtieth of dfs.namenode.ppr.core.settle.ms holds, from one second to ten");
    OF_NAMENODES.put("dfs.namenode.ppr.web.menu",
        "the menu has the link wherever there are pages; dfs.namenode.ppr.web.enabled switches"
            + " both off");
    OF_NAMENODES.put("dfs.namenode.ppr.scrub.interval.ms",
        "a pass begins seven days after the one before, or when that ends;"
            + " dfs.namenode.ppr.scrub.bytes.per-second says how fast it is");
    OF_NAMENODES.put("dfs.namenode.ppr.rpc.handlers",
        "there are eight, or dfs.namenode.handler.count if that is more than 10, 64 at most");
    OF_NAMENODES.put("dfs.namenode.ppr.order.wait.ms",
        "DataNodes wait 20 seconds for orders; dfs.datanode.ppr.heartbeat.ms holds where they"
            + " cannot");
    OF_NAMENODES.put("dfs.namenode.ppr.update.check.interval.ms",
        "records of updated files are looked at every ten minutes; nothing replaces it");

    OF_CLIENTS.put("dfs.client.ppr.connect.timeout.ms",
        "half of dfs.client.ppr.stall.timeout.ms holds, five seconds at most");
    OF_CLIENTS.put("dfs.client.ppr.hedge.max.ms",
        "a second holds, or dfs.client.ppr.hedge.min.ms if that is longer");
    OF_CLIENTS.put("dfs.client.ppr.hedge.percent",
        "it is ten percent; dfs.client.ppr.hedge.min.ms = 0 ends it for reads of units");
    OF_CLIENTS.put("dfs.client.ppr.buffer.bytes",
        "they are 64 MiB, and reads beyond them are served the stock way; nothing replaces it");
    OF_CLIENTS.put("dfs.client.ppr.threads", "64 units are read at a time; nothing replaces it");

    for (Map<String, String> each : List.of(OF_DATANODES, OF_NAMENODES, OF_CLIENTS)) {
      each.put("dfs.ppr.verify.sampled.one.in",
          "sampled checks one slice in 64; dfs.ppr.verify = full checks all");
    }
  }

  private RemovedKeys() {
  }

  /** @return by removed key of any kind of process, what is in effect now */
  public static Map<String, String> all() {
    Map<String, String> all = new TreeMap<>(OF_DATANODES);
    all.putAll(OF_NAMENODES);
    all.putAll(OF_CLIENTS);
    return all;
  }

  /**
   * Warns of each removed key that an operator has set. A plugin calls this method only when it has
   * started. If a plugin cannot start, its log then has the cause only, without these warnings.
   *
   * @param conf the configuration of a DataNode
   */
  public static void warnDataNode(Configuration conf) {
    ofDataNode(conf).forEach(LOG::warn);
  }

  /**
   * Like {@link #warnDataNode}, but for a NameNode, and also for values that have been removed.
   *
   * @param conf the configuration of a NameNode
   */
  public static void warnNameNode(Configuration conf) {
    ofNameNode(conf).forEach(LOG::warn);
  }

  /**
   * Like {@link #warnDataNode}, but for a client, once in this JVM and at level DEBUG. A warning
   * from each command would disturb scripts that read the output of commands.
   *
   * @param conf the configuration of a client
   */
  public static void sayClient(Configuration conf) {
    if (LOG.isDebugEnabled() && CLIENT_SAID.compareAndSet(false, true)) {
      ofClient(conf).forEach(LOG::debug);
    }
  }

  static List<String> ofDataNode(Configuration conf) {
    return lines(conf, OF_DATANODES);
  }

  static List<String> ofNameNode(Configuration conf) {
    List<String> lines = lines(conf, OF_NAMENODES);
    String key = PprKeys.NAMENODE_COMMIT_STRATEGY_KEY;
    String name = new SettingsReader(conf).name(key, PprKeys.NAMENODE_COMMIT_STRATEGY_DEFAULT);
    String current = RemovedValues.current(key, name);
    if (!current.equals(name)) {
      lines.add(key + " is '" + name + "', which is no longer a strategy: commits use '" + current
          + "', which sends the fewer bytes of both");
    }
    return lines;
  }

  /**
   * @param conf the configuration of a client
   * @return a line for each removed key that is set
   */
  public static List<String> ofClient(Configuration conf) {
    return lines(conf, OF_CLIENTS);
  }

  private static List<String> lines(Configuration conf, Map<String, String> removed) {
    SettingsReader reader = new SettingsReader(conf);
    List<String> lines = new ArrayList<>();
    removed.forEach((key, now) -> {
      if (reader.isSet(key)) {
        lines.add(key + " is set and no longer read: " + now);
      }
    });
    return lines;
  }
}
