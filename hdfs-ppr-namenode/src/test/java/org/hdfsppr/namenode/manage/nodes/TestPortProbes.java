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
package org.hdfsppr.namenode.manage.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that ports are tried seldom, and only a few at a time. */
@InterfaceAudience.Private
@Timeout(60)
class TestPortProbes {
  private static final long PLENTY_MS = 30_000;

  private final AtomicLong now = new AtomicLong(100_000);
  private final List<String> called = Collections.synchronizedList(new ArrayList<>());
  private final Semaphore answers = new Semaphore(0);
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger waitingMost = new AtomicInteger();
  private final PortProbes probes = new PortProbes(this::call, now::get);

  private void call(NodeRef node, int timeoutMs) throws IOException {
    assertEquals(1_000, timeoutMs);
    called.add(node.uuid);
    waitingMost.accumulateAndGet(waiting.incrementAndGet(), Math::max);
    answers.acquireUninterruptibly();
    waiting.decrementAndGet();
    if (node.repairPort == 1) {
      throw new IOException("connect timed out");
    }
  }

  @AfterEach
  void close() {
    answers.release(1_000);
    probes.close();
  }

  private static NodeRef node(int number, int port) {
    return new NodeRef("u" + number, "127.0.0.1", "h", 9866, port, "");
  }

  @Test
  void aNodeIsTriedOnceAMinute() {
    List<NodeRef> nodes = List.of(node(0, 1), node(1, 2));
    probes.begin(nodes);
    probes.begin(nodes);
    assertEquals(2, probes.unchecked(nodes));
    probes.await(1);
    assertEquals(Map.of(), probes.closed());
    answers.release(100);
    probes.await(PLENTY_MS);
    assertEquals(Map.of("u0", "connect timed out"), probes.closed());
    assertEquals(0, probes.unchecked(nodes));
    now.addAndGet(PortProbes.AGAIN_MS - 1);
    probes.begin(nodes);
    probes.await(PLENTY_MS);
    assertEquals(2, called.size());
    now.incrementAndGet();
    probes.begin(List.of(node(0, 2)));
    probes.await(PLENTY_MS);
    assertEquals(List.of("u0"), called.subList(2, 3));
    assertEquals(Map.of(), probes.closed());
    probes.begin(List.of(node(0, 3)));
    probes.await(PLENTY_MS);
    assertEquals(4, called.size(), "another port is tried at once");
  }

  @Test
  void onlySomeAreTriedAtATime() {
    List<NodeRef> nodes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      nodes.add(node(i, 2));
    }
    probes.begin(nodes);
    while (waiting.get() < PortProbes.AT_A_TIME) {
      Thread.onSpinWait();
    }
    answers.release(100);
    probes.await(PLENTY_MS);
    assertEquals(100, called.size());
    assertTrue(waitingMost.get() <= PortProbes.AT_A_TIME, waitingMost + " at a time");
    assertEquals(0, probes.unchecked(nodes));
  }
}
