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
package org.hdfsppr.it.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Nodes start and stop between two readings of the counters. The work of the other nodes must still
 * count.
 */
class TestRepairCounters {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final List<ObjectName> registered = new ArrayList<>();

  /** The MBean of a node with the plugin. */
  public interface Counters {
    long getRepairsSucceeded();

    long getReceivedFromChildrenBytes();

    long getReceivedByStockReadsBytes();
  }

  private static final class Node implements Counters {
    private long repairs;
    private long received;

    private void repair(long bytes) {
      repairs++;
      received += bytes;
    }

    @Override
    public long getRepairsSucceeded() {
      return repairs;
    }

    @Override
    public long getReceivedFromChildrenBytes() {
      return received;
    }

    @Override
    public long getReceivedByStockReadsBytes() {
      return 0;
    }
  }

  private ObjectName start(int port, Node node) throws Exception {
    ObjectName name =
        new ObjectName("Hadoop:service=DataNode,name=PprDataNode-localhost-" + port);
    server.registerMBean(new StandardMBean(node, Counters.class), name);
    registered.add(name);
    return name;
  }

  private void stop(ObjectName name) throws Exception {
    server.unregisterMBean(name);
    registered.remove(name);
  }

  @AfterEach
  void stopAll() throws Exception {
    for (ObjectName name : List.copyOf(registered)) {
      stop(name);
    }
  }

  @Test
  void aStoppedNodeTakesNothingAlong() throws Exception {
    Node victim = new Node();
    Node survivor = new Node();
    ObjectName first = start(1, victim);
    start(2, survivor);
    victim.repair(7);
    victim.repair(7);
    survivor.repair(5);
    RepairCounters before = RepairCounters.read(Worker.PLUGIN);

    stop(first);
    survivor.repair(3);
    survivor.repair(3);
    RepairCounters after = before.awaitMore(2);
    assertEquals(2, after.repairsSince(before));
    assertEquals(6, after.busiestReceivedSince(before));
  }

  @Test
  void aNewNodeCountsFromNothing() throws Exception {
    Node old = new Node();
    start(1, old);
    old.repair(9);
    RepairCounters before = RepairCounters.read(Worker.PLUGIN);

    Node fresh = new Node();
    start(2, fresh);
    fresh.repair(4);
    RepairCounters after = before.awaitMore(1);
    assertEquals(1, after.repairsSince(before));
    assertEquals(4, after.busiestReceivedSince(before));
  }
}
