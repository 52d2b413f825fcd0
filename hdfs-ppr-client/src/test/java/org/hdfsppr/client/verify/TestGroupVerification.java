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
package org.hdfsppr.client.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.client.read.LocatedUnits;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.ReedSolomon;
import org.hdfsppr.coder.code.ZeroSums;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.plan.ZeroSumPlan;
import org.hdfsppr.plan.ZeroSumPlanner;
import org.hdfsppr.verify.WrongSlices;
import org.hdfsppr.verify.WrongUnitEvidence;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.junit.jupiter.api.Test;

/** What a check concludes from what it sees, and when it looks again. */
class TestGroupVerification {
  private static final int CELL = 4096;
  private static final LinearCode CODE = ReedSolomon.hadoop(6, 3);
  private static final ErasureCodingPolicy POLICY =
      new ErasureCodingPolicy(new ECSchema("rs", 6, 3), CELL);
  private static final GroupSpot SPOT = new GroupSpot("/f", 0, -1600);

  /** What the NameNode says and what the readings bring, one call after the other. */
  private static final class Script implements GroupLookup, Readings {
    private final List<SeenGroup> views = new ArrayList<>();
    private IntPredicate isWrong = reading -> false;
    private WrongUnitEvidence evidence = new WrongUnitEvidence(9, 1);
    private RepairException[] failures = {};
    private int looks;
    private int readings;
    private List<UnitHolder> live;
    private long paused;

    @Override
    public SeenGroup find(GroupSpot spot) {
      return views.get(Math.min(looks++, views.size() - 1));
    }

    @Override
    public WrongSlices sums(LocatedUnits group, ZeroSumPlan plan) throws IOException {
      int reading = readings++;
      live = new ArrayList<>();
      plan.root.forEach(node -> node.sources.forEach(source ->
          live.add(new UnitHolder(source.unit, source.holder))));
      if (reading < failures.length && failures[reading] != null) {
        throw failures[reading];
      }
      WrongSlices wrong = new WrongSlices();
      if (isWrong.test(reading)) {
        wrong.add(0);
      }
      return wrong;
    }

    @Override
    public WrongUnitEvidence oneByOne(LocatedUnits group, ZeroSumPlanner planner,
        List<UnitHolder> units,
        List<Integer> slices) {
      return evidence;
    }

    GroupFinding check() {
      return new GroupVerification(this, this, new HelperOrder(node -> 9867),
          millis -> paused += millis, false).check(SPOT);
    }
  }

  private static SeenGroup view(long generationStamp, long bytes, int movedUnit) {
    DatanodeInfo[] nodes = new DatanodeInfo[9];
    byte[] indices = new byte[9];
    for (int i = 0; i < 9; i++) {
      int number = i == movedUnit ? 77 : i;
      nodes[i] = new DatanodeInfoBuilder().setNodeID(new DatanodeID("10.0.0." + number,
          "dn" + number, "uuid" + number, 9866, 9864, 9865, 9868)).setNetworkLocation("/r").build();
      indices[i] = (byte) i;
    }
    ExtendedBlock block = new ExtendedBlock("bp", SPOT.groupId, bytes, generationStamp);
    LocatedStripedBlock located = new LocatedStripedBlock(block, nodes, new String[9],
        new StorageType[9], indices, 0, false, null);
    @SuppressWarnings({"unchecked", "rawtypes"})
    Token<BlockTokenIdentifier>[] tokens = new Token[9];
    Arrays.fill(tokens, BlockTokenSecretManager.DUMMY_TOKEN);
    located.setBlockTokens(tokens);
    return SeenGroup.there(new LocatedGroup(located, POLICY), CODE);
  }

  private static SeenGroup view() {
    return view(1001, 12 * CELL, -1);
  }

  private static WrongUnitEvidence against(int unit) {
    ZeroSums sums = ZeroSums.of(CODE);
    WrongUnitEvidence evidence = new WrongUnitEvidence(9, 1);
    byte[] syndrome = new byte[3];
    for (int row = 0; row < 3; row++) {
      syndrome[row] = (byte) sums.relations().get(row, unit);
    }
    evidence.wrong(sums, syndrome, (1 << 9) - 1, 17);
    return evidence;
  }

  private static RepairException failure(FailureCause cause, int node) {
    return new RepairException(cause, new NodeRef("uuid" + node, "10.0.0." + node, "dn" + node,
        9866, 9867, "/r"), "scripted", null);
  }

  @Test
  void aContradictionNamesItsUnit() {
    Script script = new Script();
    script.views.add(view());
    script.isWrong = reading -> true;
    script.evidence = against(4);
    GroupFinding finding = script.check();
    assertEquals(Verdict.CONTRADICTION, finding.verdict, finding.toString());
    assertTrue(finding.namesUnit());
    assertEquals("unit 4 (blk_-1596 on dn4:9866)", finding.suspects.get(0).toString());
    assertTrue(finding.next.contains("blk_-1596_1001.meta"), finding.next);
  }

  /** What was read came from different states of the group, so that it accuses nothing. */
  @Test
  void aGroupThatChangedIsReadAgain() {
    for (SeenGroup changed : new SeenGroup[] {view(1002, 12 * CELL, -1),
        view(1001, 13 * CELL, -1), view(1001, 12 * CELL, 4)}) {
      Script script = new Script();
      script.views.add(view());
      script.views.add(changed);
      script.isWrong = reading -> reading == 0;
      script.evidence = against(4);
      GroupFinding finding = script.check();
      assertEquals(Verdict.AGREES, finding.verdict, finding.toString());
      assertEquals(2, script.readings);
    }
  }

  @Test
  void aGroupThatNeverStaysTheSameIsNotAccused() {
    Script script = new Script();
    for (int i = 0; i < 100; i++) {
      script.views.add(view(1001 + i, 12 * CELL, -1));
    }
    script.isWrong = reading -> true;
    script.evidence = against(4);
    GroupFinding finding = script.check();
    assertEquals(Verdict.NOT_CHECKED, finding.verdict, finding.toString());
    assertTrue(finding.text.contains("changed while it was read"), finding.text);
    assertEquals(Collections.emptyList(), finding.suspects);
  }

  @Test
  void whatIsDeletedMeanwhileIsNotAccused() {
    Script script = new Script();
    script.views.add(view());
    script.views.add(SeenGroup.without(SeenGroup.State.GONE));
    script.isWrong = reading -> true;
    script.evidence = against(4);
    assertEquals(Verdict.GONE, script.check().verdict);
    Script open = new Script();
    open.views.add(SeenGroup.without(SeenGroup.State.OPEN));
    assertEquals(Verdict.OPEN, open.check().verdict);
    assertEquals(0, open.readings, "nothing was read of it");
  }

  /** A DataNode that adds up wrongly makes sums wrong, but the units themselves agree. */
  @Test
  void wrongSumsOfRightUnitsAccuseNoUnit() {
    Script once = new Script();
    once.views.add(view());
    once.isWrong = reading -> reading == 0;
    assertEquals(Verdict.AGREES, once.check().verdict);
    Script always = new Script();
    always.views.add(view());
    always.isWrong = reading -> true;
    GroupFinding finding = always.check();
    assertEquals(Verdict.NOT_CHECKED, finding.verdict, finding.toString());
    assertTrue(finding.text.contains("calculate wrongly"), finding.text);
    assertEquals(Collections.emptyList(), finding.suspects);
  }

  @Test
  void aNodeThatFailsTwiceIsLeftOut() {
    Script script = new Script();
    script.views.add(view());
    script.failures = new RepairException[] {failure(FailureCause.CORRUPT_REPLICA, 3),
        failure(FailureCause.CORRUPT_REPLICA, 3)};
    GroupFinding finding = script.check();
    assertEquals(Verdict.UNREADABLE, finding.verdict, finding.toString());
    assertEquals(Collections.singletonList(3), finding.missing);
    assertTrue(finding.text.contains("unit 3 (blk_-1597 on dn3:9866) could not be read"),
        finding.text);
    Script expired = new Script();
    expired.views.add(view());
    expired.failures = new RepairException[] {failure(FailureCause.ACCESS_TOKEN, 3)};
    assertEquals(Verdict.AGREES, expired.check().verdict);
    assertEquals(2, expired.readings);
  }

  @Test
  void aBusyNodeIsWaitedForWithinABound() {
    Script script = new Script();
    script.views.add(view());
    script.failures = new RepairException[] {failure(FailureCause.OVERLOADED, 3), null};
    assertEquals(Verdict.AGREES, script.check().verdict);
    assertEquals(100, script.paused);
    Script always = new Script();
    always.views.add(view());
    always.failures = Collections.nCopies(100, failure(FailureCause.OVERLOADED, 3))
        .toArray(new RepairException[0]);
    GroupFinding finding = always.check();
    assertEquals(Verdict.NOT_CHECKED, finding.verdict, finding.toString());
    assertEquals(24, always.readings);
  }

  /** Another node reads the unit as stock does; if that fails as well, the unit is unreadable. */
  @Test
  void aNodeWithoutItsPortIsReadByAnother() {
    Script script = new Script();
    script.views.add(view());
    script.failures = new RepairException[] {failure(FailureCause.UNREACHABLE, 5)};
    assertEquals(Verdict.AGREES, script.check().verdict);
    assertEquals(1, script.live.stream().filter(one -> !one.node.runsExtension()).count());
    Script dead = new Script();
    dead.views.add(view());
    dead.failures = new RepairException[] {failure(FailureCause.UNREACHABLE, 5),
        failure(FailureCause.UNREACHABLE, 5)};
    GroupFinding finding = dead.check();
    assertEquals(Verdict.UNREADABLE, finding.verdict, finding.toString());
    assertEquals(Collections.singletonList(5), finding.missing);
  }

  @Test
  void whatFailsIsASentence() {
    GroupFinding finding = new GroupVerification(spot -> {
      throw new AccessControlException("Permission denied: user=alice");
    }, new Script(), new HelperOrder(node -> 9867), millis -> { }, false)
        .check(SPOT);
    assertEquals(Verdict.NOT_CHECKED, finding.verdict);
    assertTrue(finding.text.endsWith("Permission denied: user=alice"), finding.text);
  }
}
