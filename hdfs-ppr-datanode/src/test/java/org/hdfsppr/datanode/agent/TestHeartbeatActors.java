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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.command.HeartbeatNotes;
import org.hdfsppr.datanode.metrics.RepairMetrics;
import org.hdfsppr.datanode.server.DegradedReads;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which heartbeats begin and end when a DataNode's configuration changes. */
@Timeout(60)
class TestHeartbeatActors {
  private final RepairMetrics metrics =
      RepairMetrics.register(new Configuration(false), "TestManagerLinks");
  private final List<String> begun = new ArrayList<>();
  private final List<String> nameservices = new ArrayList<>();
  private final HeartbeatActors links = new HeartbeatActors(new HeartbeatActors.Factory() {
    @Override
    public Nameservice nameservice(String name, Runnable whenEnded) {
      nameservices.add(name);
      return new Nameservice(name, null, metrics, whenEnded, (percent, rate) -> { });
    }

    @Override
    public HeartbeatActor link(Configuration conf, HeartbeatActors.Target target,
        Nameservice nameservice) {
      begun.add(nameservice + " " + target);
      return new HeartbeatActor(target.toString(), nameservice, new Unregistered(), () -> {
        throw new IOException("no heartbeat is sent here");
      }, metrics, 10, new HeartbeatActor.Reports(
          new ResidentReport(pool -> Collections.emptyList()),
          new DegradedReport(new DegradedReads(System::nanoTime)), HeartbeatNotes.NONE));
    }

    @Override
    public HeartbeatActor.Clients waitClients(Configuration conf, HeartbeatActors.Target target) {
      return () -> {
        throw new IOException("no node waits here");
      };
    }
  });

  /** A node that does not know its identity yet, and therefore sends no heartbeat. */
  private static final class Unregistered implements HeartbeatActor.Self {
    @Override
    public NodeRef node() {
      return null;
    }

    @Override
    public NodeLoad load() {
      throw new IllegalStateException("asked without a node");
    }

    @Override
    public String softwareVersion() {
      return "0.1";
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    for (Thread thread : links.stop()) {
      thread.join(10_000);
      assertFalse(thread.isAlive(), thread::getName);
    }
    metrics.unregister();
    DefaultMetricsSystem.shutdown();
  }

  /**
   * Makes a configuration. Each argument is a nameservice and its NameNode's port, such as
   * {@code a:1}.
   */
  private static Configuration configuration(String... nameservices) {
    Configuration conf = new Configuration(false);
    List<String> ids = new ArrayList<>();
    for (String each : nameservices) {
      String[] parts = each.split(":");
      ids.add(parts[0]);
      conf.set(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY + "." + parts[0],
          "127.0.0.1:" + parts[1]);
    }
    conf.set(DFSConfigKeys.DFS_NAMESERVICES, String.join(",", ids));
    return conf;
  }

  private List<String> begunBy(Configuration conf) throws IOException {
    begun.clear();
    links.follow(conf);
    return begun;
  }

  @Test
  void onlyWhatChangedBegins() throws IOException {
    assertEquals(List.of("a 127.0.0.1:1"), begunBy(configuration("a:1")));
    assertEquals(List.of("b 127.0.0.1:2"), begunBy(configuration("a:1", "b:2")));
    assertEquals(List.of(), begunBy(configuration("b:2", "a:1")));
    assertEquals(List.of("b 127.0.0.1:3"), begunBy(configuration("a:1", "b:3")));

    Configuration managerMoved = configuration("a:1", "b:3");
    managerMoved.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY + ".a", "127.0.0.1:4");
    assertEquals(List.of("a 127.0.0.1:1"), begunBy(managerMoved));
  }

  /**
   * A job of the nameservice may still run after its removal. A repeated command must not start the
   * job again.
   */
  @Test
  void nameserviceThatComesBackIsTheOneThatWas() throws IOException {
    links.follow(configuration("a:1", "b:2"));
    assertEquals(List.of(), begunBy(configuration("a:1")));
    assertEquals(List.of("b 127.0.0.1:2"), begunBy(configuration("a:1", "b:2")));
    assertEquals(List.of("a", "b"), nameservices);
  }

  @Test
  void configurationThatMakesNoSenseChangesNothing() throws IOException {
    links.follow(configuration("a:1"));
    Configuration bad = configuration("b:2");
    bad.set(PprKeys.NAMENODE_RPC_ADDRESS_KEY + ".b", "nonsense");
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> links.follow(bad));
    assertTrue(e.getMessage().contains(PprKeys.NAMENODE_RPC_ADDRESS_KEY + ".b: 'nonsense'"),
        e.getMessage());
    assertThrows(IOException.class, () -> links.follow(new Configuration(false)));
    assertEquals(List.of(), begunBy(configuration("a:1")), "the link of this NameNode never ended");
  }

  @Test
  void nothingBeginsOnceItIsStopped() throws IOException {
    links.follow(configuration("a:1"));
    assertEquals(2, links.stop().size());
    assertEquals(List.of(), begunBy(configuration("a:1", "b:2")));
  }
}
