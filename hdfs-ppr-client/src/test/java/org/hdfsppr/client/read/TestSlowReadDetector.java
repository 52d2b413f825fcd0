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
package org.hdfsppr.client.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.client.patience.LinkShares;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.stream.UnreachableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how the client distinguishes slow DataNodes from slow links. The test sets the clock. */
class TestSlowReadDetector {
  private static final long MS = 1_000_000;
  private static final int CELL = 1 << 20;
  private static final int PACKET = 64 << 10;
  private static final long MOST_MS = 60_000;

  private long now = 1;
  private final ReadContext context = context();
  private final LinkShares shares = context.shares;

  private ReadContext context() {
    Configuration conf = new Configuration(false);
    conf.set(PprKeys.CLIENT_HEDGE_MIN_MS_KEY, "50");
    return new ReadContext(ReadSettings.of(conf), (node, block, token) -> {
      throw new UnreachableException(new ConnectException("no node serves trees here"));
    }, () -> now, MOST_MS * MS);
  }

  @AfterEach
  void close() {
    context.close();
  }

  private void learn(int bytes, long millis) {
    for (int i = 0; i < 50; i++) {
      context.delay.took(bytes, millis * MS);
    }
  }

  private List<LinkShares.Flow> flows(int many) {
    List<LinkShares.Flow> flows = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      flows.add(shares.flow().open());
    }
    return flows;
  }

  private void passes(SlowReadDetector watch) {
    now += watch.patienceNanos();
  }

  /**
   * The stripe takes its link six seconds, as one of ten cells does at 14 Mbit/s. No DataNode is
   * slow.
   */
  @Test
  void aSlowLinkMakesNoDataNodeSlow() {
    learn(1, 1);
    List<LinkShares.Flow> flows = flows(10);
    List<SlowReadDetector> watches = new ArrayList<>();
    flows.forEach(flow -> watches.add(new SlowReadDetector(context, CELL, flow)));
    assertEquals(1000 * MS, watches.get(0).patienceNanos(),
        "no time is learnt for reads of this size");
    for (int second = 0; second < 6; second++) {
      passes(watches.get(0));
      for (int i = 0; i < 10; i++) {
        // The flows get different shares, because not all links are fair.
        flows.get(i).arrived(CELL / 10 + i * CELL / 100);
      }
      context.delay.took(1, MS);
      for (SlowReadDetector watch : watches) {
        assertFalse(watch.isSlow(false), "second " + second);
      }
    }
    // The other flows have ended, so the last flow has the link to itself and is not slow.
    flows.subList(1, 10).forEach(LinkShares.Flow::close);
    learn(CELL, 6000);
    passes(watches.get(0));
    flows.get(0).arrived(CELL / 3);
    assertFalse(watches.get(0).isSlow(false));
  }

  @Test
  void whoSendsNothingWhileOthersDoIsSlow() {
    List<LinkShares.Flow> flows = flows(10);
    SlowReadDetector watch = new SlowReadDetector(context, CELL, flows.get(0));
    passes(watch);
    flows.subList(1, 10).forEach(flow -> flow.arrived(8 * PACKET));
    assertTrue(watch.isSlow(false));
  }

  @Test
  void whoSendsLittleWhileOthersDoIsSlow() {
    List<LinkShares.Flow> flows = flows(10);
    SlowReadDetector watch = new SlowReadDetector(context, 4 * CELL, flows.get(0));
    passes(watch);
    flows.get(0).arrived(PACKET);
    flows.subList(1, 10).forEach(flow -> flow.arrived(CELL));
    assertTrue(watch.isSlow(false));
  }

  /**
   * A DataNode that sends nothing is slow if others have sent all that they were asked for, however
   * little that was.
   */
  @Test
  void whoSendsNothingOfLittleIsSlow() {
    List<LinkShares.Flow> flows = flows(9);
    SlowReadDetector watch = new SlowReadDetector(context, PACKET, flows.get(0));
    passes(watch);
    flows.subList(1, 9).forEach(flow -> {
      flow.arrived(PACKET);
      flow.close();
    });
    assertTrue(watch.isSlow(false));
  }

  /**
   * A DataNode that sends half as fast as others is slow once its read has taken longer than usual.
   */
  @Test
  void whoIsHalfAsFastIsSlowBeyondWhatIsUsual() {
    learn(CELL, 700);
    List<LinkShares.Flow> flows = flows(2);
    SlowReadDetector watch = new SlowReadDetector(context, CELL, flows.get(0));
    for (int second = 1; second <= 3; second++) {
      passes(watch);
      flows.get(0).arrived(4 * PACKET);
      flows.get(1).arrived(9 * PACKET);
      assertEquals(second == 3, watch.isSlow(true), second + " of 2.1 s");
    }
  }

  /** A difference of one packet says nothing at first. But the wait for this packet has a bound. */
  @Test
  void whereLittleComesForAllReadsNoneIsSlowAtOnce() {
    List<LinkShares.Flow> flows = flows(3);
    SlowReadDetector watch = new SlowReadDetector(context, CELL, flows.get(0));
    passes(watch);
    flows.get(1).arrived(PACKET);
    assertFalse(watch.isSlow(true));
    passes(watch);
    flows.get(2).arrived(PACKET);
    assertFalse(watch.isSlow(true));
    passes(watch);
    assertTrue(watch.isSlow(true), "the watch decides as before");
  }

  @Test
  void whatIsMissingAtFirstComesTogether() {
    List<LinkShares.Flow> flows = flows(2);
    SlowReadDetector watch = new SlowReadDetector(context, CELL, flows.get(0));
    passes(watch);
    flows.get(1).arrived(3 * PACKET);
    assertFalse(watch.isSlow(false));
    passes(watch);
    flows.get(1).arrived(3 * PACKET);
    assertTrue(watch.isSlow(false));
  }

  /**
   * When all others are done, a DataNode that sends little is judged by the usual time of a read.
   */
  @Test
  void whoIsLastIsSlowWhenMostAreFaster() {
    learn(CELL, 700);
    List<LinkShares.Flow> flows = flows(2);
    SlowReadDetector watch = new SlowReadDetector(context, CELL, flows.get(0));
    flows.get(1).close();
    assertEquals(1000 * MS, watch.patienceNanos(), "bounded");
    for (int i = 0; i < 2; i++) {
      passes(watch);
      flows.get(0).arrived(1000);
      assertFalse(watch.isSlow(false), "the read has not yet taken three times 700 ms");
    }
    passes(watch);
    flows.get(0).arrived(1000);
    assertTrue(watch.isSlow(false));
  }

  @Test
  void whoIsLastAndUnknownIsSlowSoon() {
    LinkShares.Flow flow = shares.flow().open();
    SlowReadDetector watch = new SlowReadDetector(context, CELL, flow);
    for (int i = 1; i < 3; i++) {
      passes(watch);
      flow.arrived(1000);
      assertFalse(watch.isSlow(true), "too few reads of this size have ended");
    }
    passes(watch);
    flow.arrived(1000);
    assertTrue(watch.isSlow(true));
  }

  /**
   * If no DataNode sends anything, the cause may be the link. If only one DataNode is read, the
   * read counts as slow.
   */
  @Test
  void whereNothingComes() {
    LinkShares.Flow flow = shares.flow().open();
    SlowReadDetector watch = new SlowReadDetector(context, CELL, flow);
    passes(watch);
    assertFalse(watch.isSlow(false));
    passes(watch);
    assertFalse(watch.isSlow(false));
    passes(watch);
    assertTrue(watch.isSlow(false), "the wait has a bound");
    assertTrue(new SlowReadDetector(context, CELL, flow).isSlow(true),
        "the watch does not wait if asked not to");
    assertTrue(new SlowReadDetector(context, 1, null).isSlow(false),
        "the watch is for opening a block");
    SlowReadDetector another = new SlowReadDetector(context, CELL, flow);
    assertFalse(another.othersWereFaster());
    context.delay.took(1, MS);
    assertTrue(another.othersWereFaster());
    assertTrue(another.isSlow(false), "other reads were faster");
    learn(CELL, 10);
    assertTrue(new SlowReadDetector(context, CELL, flow).isSlow(false),
        "the usual time of such a read is known");
  }

  @Test
  void noNodeIsWaitedForForEver() {
    List<LinkShares.Flow> flows = flows(2);
    SlowReadDetector watch = new SlowReadDetector(context, CELL, flows.get(0));
    while (watch.waitedNanos() <= MOST_MS * MS) {
      flows.forEach(flow -> flow.arrived(PACKET));
      assertFalse(watch.isSlow(true));
      passes(watch);
    }
    flows.forEach(flow -> flow.arrived(PACKET));
    assertTrue(watch.isSlow(false));
  }
}
