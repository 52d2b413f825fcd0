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
package org.hdfsppr.datanode.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.RequestFeatures;
import org.junit.jupiter.api.Test;

/** The features that a DataNode remembers of others, and the features that it announces. */
@InterfaceAudience.Private
class TestPeerFeatures {
  private static final NodeRef NODE =
      new NodeRef("uuid-1", "10.0.0.1", "h1", 9866, 9877, "/rack");

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

  @Test
  void aNodeThatLacksAFeatureIsReadAsStockReads() {
    try (PeerDirectory peers = new PeerDirectory(0, 1_000, false, clock::get)) {
      assertTrue(peers.asFarAsKnown(NODE, RequestFeatures.BLOCKS).runsExtension());
      peers.noteFeatures(NODE, RequestFeatures.UNSAID);
      assertFalse(peers.asFarAsKnown(NODE, RequestFeatures.BLOCKS).runsExtension());
      assertTrue(peers.asFarAsKnown(NODE, 0).runsExtension(), "for other repairs it helps");
      assertTrue(peers.asFarAsKnown(NODE).runsExtension());
      peers.noteFeatures(NODE, RequestFeatures.KNOWN);
      assertTrue(peers.asFarAsKnown(NODE, RequestFeatures.BLOCKS).runsExtension());
    }
  }

  @Test
  void aNodeThatRefusesAFeatureMayKnowAllOthers() {
    try (PeerDirectory peers = new PeerDirectory(0, 1_000, false, clock::get)) {
      assertTrue(peers.mayKnow(NODE, RequestFeatures.NARROW_LINKS));
      peers.noteLacks(NODE, RequestFeatures.NARROW_LINKS);
      assertFalse(peers.mayKnow(NODE, RequestFeatures.NARROW_LINKS));
      assertTrue(peers.asFarAsKnown(NODE, RequestFeatures.BLOCKS).runsExtension());
      clock.addAndGet(TimeUnit.MINUTES.toNanos(1) + 1);
      assertTrue(peers.mayKnow(NODE, RequestFeatures.NARROW_LINKS), "it may be newer by now");
    }
  }

  @Test
  void aRefusalDoesNotHideWhatElseANodeLacks() {
    try (PeerDirectory peers = new PeerDirectory(0, 1_000, false, clock::get)) {
      peers.noteFeatures(NODE, RequestFeatures.UNSAID);
      peers.noteLacks(NODE, RequestFeatures.NARROW_LINKS);
      assertFalse(peers.mayKnow(NODE, RequestFeatures.NARROW_LINKS));
      assertFalse(peers.mayKnow(NODE, RequestFeatures.PICKED), "said so itself");
      assertFalse(peers.asFarAsKnown(NODE, RequestFeatures.BLOCKS).runsExtension());
      assertTrue(peers.mayKnow(NODE, RequestFeatures.SUB_CHUNKS));
    }
  }

  @Test
  void whatANodeHasSaidIsForgotten() {
    try (PeerDirectory peers = new PeerDirectory(0, 1_000, false, clock::get)) {
      peers.noteFeatures(NODE, RequestFeatures.UNSAID);
      clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
      assertFalse(peers.asFarAsKnown(NODE, RequestFeatures.BLOCKS).runsExtension());
      clock.addAndGet(1);
      assertTrue(peers.asFarAsKnown(NODE, RequestFeatures.BLOCKS).runsExtension());
    }
  }

  @Test
  void whatANodeWithholds() {
    Configuration conf = new Configuration(false);
    assertEquals(RequestFeatures.KNOWN, RepairService.requestFeatures(conf));
    conf.set(PprKeys.DATANODE_FEATURES_WITHHELD_KEY, "60");
    assertEquals(RequestFeatures.UNSAID, RepairService.requestFeatures(conf));
    // 8 is a feature of 0.2.0, and configurations of 0.2.0 stay valid.
    conf.set(PprKeys.DATANODE_FEATURES_WITHHELD_KEY, "8");
    assertEquals(55, RepairService.requestFeatures(conf));
    conf.set(PprKeys.DATANODE_FEATURES_WITHHELD_KEY, "63");
    assertEquals(0, RepairService.requestFeatures(conf));
    for (String wrong : new String[] {"-1", "64", "four"}) {
      conf.set(PprKeys.DATANODE_FEATURES_WITHHELD_KEY, wrong);
      String message = assertThrows(IllegalArgumentException.class,
          () -> RepairService.requestFeatures(conf)).getMessage();
      assertTrue(message.contains(PprKeys.DATANODE_FEATURES_WITHHELD_KEY)
          && message.contains(wrong) && message.contains("0 to 63"), message);
    }
  }
}
