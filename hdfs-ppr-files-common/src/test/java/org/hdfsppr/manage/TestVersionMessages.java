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
package org.hdfsppr.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.hdfsppr.digest.DigestKey;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.manage.proto.ManagerProtos.ResultProto;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.manage.version.proto.VersionProtos.BlockLinkProto;
import org.hdfsppr.manage.version.proto.VersionProtos.LinksProto;
import org.hdfsppr.manage.version.proto.VersionProtos.MakeProto;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RequestBounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the commands that make versions of files, and their results. */
@InterfaceAudience.Private
@Timeout(60)
class TestVersionMessages {
  /** These bytes must not change, because nodes of different versions exchange them. */
  private static final String LINKS =
      "CgRsaW5rEgl2ZXJzaW9uLTcYBSoyCgRCUC0xEigKEhCA/P////////8BGOkHIICAQBISEID4/////////wEY6gcg"
          + "gIBAGB8=";
  private static final String RESULT =
      "Cgl2ZXJzaW9uLTcQBRgBIAAgAzoAQICAgAFI2QJ6EAiAgIABEICAQBiACCACKAA=";

  private static BlockRef block(long id, long stamp, long length) {
    return new BlockRef("BP-1", id, stamp, length);
  }

  private static LinkCommand.Link link(int unit) {
    return new LinkCommand.Link(block(-512 + unit, 1001, 1 << 20), block(-1024 + unit, 1002,
        1 << 20));
  }

  private static LinkCommand links() {
    return new LinkCommand("version-7", 5, List.of(link(0), link(3)), 60_000);
  }

  private static NodeRef node(int i) {
    return new NodeRef("uuid-" + i, "10.0.0." + i, "h" + i, 9866, 9877, "/r");
  }

  /** Makes the last of 4 parity units over 10 data units and 4 older parity units. */
  private static MakeCommand making() {
    List<BlockRef> blocks = new ArrayList<>();
    List<UnitHolder> live = new ArrayList<>();
    for (int unit = 0; unit < 14; unit++) {
      blocks.add(block(-512 + unit, 1001, 1 << 20));
      live.add(new UnitHolder(unit, node(unit)));
    }
    for (int unit = 14; unit < 18; unit++) {
      blocks.add(block(-1024 + unit - 4, 1002, 1 << 20));
    }
    return new MakeCommand(new RepairCommand(RepairCommand.of("version-8", 5,
        new GroupId("BP-1", -1024, 1002), 10 << 20).setCodec("rs-10-4>other-10-4").setDataUnits(10)
        .setParityUnits(8).setCellBytes(1 << 20).setTopology("chain").setDoubted(true)
        .setDeadlineMs(60_000), blocks, live, List.of(new CommandTarget(17, node(13), "DS-1",
        StorageType.DISK))), 1 << 20);
  }

  private static HeartbeatResponse arrived(CommandProto command) throws Exception {
    HeartbeatResponseProto answer =
        new HeartbeatResponse(HeartbeatResponse.active(5, "BP-1")).toProto().toBuilder()
            .addCommands(command).build();
    return HeartbeatResponse.parse(answer);
  }

  private static RepairResult refusal(CommandProto command) throws Exception {
    HeartbeatResponse response = arrived(command);
    assertEquals(Collections.emptyList(), response.commands);
    RepairResult refused = response.unreadable.get(0);
    assertEquals(RepairOutcome.REFUSED, refused.outcome);
    assertEquals(command.getCommandId(), refused.repairId);
    return refused;
  }

  private static String wrong(LinksProto.Builder body) throws Exception {
    return contradiction(links().toProto(), body.build().toByteString());
  }

  private static String wrong(MakeProto.Builder body) throws Exception {
    return contradiction(making().toProto(), body.build().toByteString());
  }

  private static String contradiction(CommandProto command, ByteString body) throws Exception {
    RepairResult refused = refusal(command.toBuilder().setBody(body).build());
    assertEquals(FailureCause.PROTOCOL, refused.cause);
    return refused.message;
  }

  @Test
  void aNameNodeAsksForBlocksToWatch() throws Exception {
    HeartbeatResponse asks = HeartbeatResponse.parse(new HeartbeatResponse(
        HeartbeatResponse.active(5, "BP-1"), links().watchingOld(), links()).toProto());
    assertTrue(asks.commands(LinkCommand.class).get(0).watchesOld);
    assertFalse(asks.commands(LinkCommand.class).get(1).watchesOld);
    assertEquals(links().toString(), asks.commands(LinkCommand.class).get(0).toString());
  }

  @Test
  void textsListTheKindsInThisOrder() throws Exception {
    assertEquals(List.of("checks", "links", "makings", "patches"), CommandKind.all().stream()
        .map(kind -> kind.plural).collect(Collectors.toList()));
  }

  /** A node that lacks the feature refuses the command, and links nothing for it. */
  @Test
  void digestsOfBlocksThatStayArriveAsTheyWereAskedFor() throws Exception {
    List<BlockRef> blocks = List.of(link(7).from, link(8).from);
    DigestKey key = DigestKey.plain(-7);
    LinkCommand asking = LinkCommand.digests("version-7", 5, blocks, key, 1 << 20, 90_000);
    CommandProto sent = asking.toProto();
    assertEquals(CommandFeatures.BLOCK_DIGESTS, sent.getMustUnderstand());
    LinkCommand arrived = arrived(sent).commands(LinkCommand.class).get(0);
    assertEquals(blocks, arrived.digested);
    assertEquals(List.of(), arrived.links);
    assertEquals("BP-1", arrived.poolId);
    assertEquals(Optional.of(key), arrived.digestKey);
    DigestKey folded = DigestKey.folded(-7);
    assertEquals(Optional.of(folded), arrived(LinkCommand.digests("version-7", 5, blocks, folded,
        1 << 20, 90_000).toProto()).commands(LinkCommand.class).get(0).digestKey);
    assertEquals(1 << 20, arrived.digestBytesPerSecond);
    assertEquals(asking.toString(), arrived.toString());
    LinksProto body = LinksProto.parseFrom(sent.getBody());
    assertTrue(wrong(body.toBuilder().clearDigestSeed()).contains("digested"));
    assertTrue(wrong(body.toBuilder().setWatchOld(true)).contains("digested"));
    assertTrue(wrong(body.toBuilder().addLinks(
        LinksProto.parseFrom(links().toProto().getBody()).getLinks(0)))
        .contains("digested"));
    assertTrue(wrong(body.toBuilder().addDigested(body.getDigested(0))).contains("named twice"));
    LinksProto.Builder many = body.toBuilder();
    for (int i = 0; i < LinkCommand.LINKS_MAX; i++) {
      many.addDigested(body.getDigested(0));
    }
    assertTrue(wrong(many).contains("18 digested"), wrong(many));
  }

  @Test
  void linksArriveAsTheyWereSent() throws Exception {
    HeartbeatResponseProto answer = new HeartbeatResponse(HeartbeatResponse.active(5, "BP-1"),
        links(), making()).toProto();
    LinkCommand arrived = HeartbeatResponse.parse(answer).commands(LinkCommand.class).get(0);
    assertEquals(links().toString(), arrived.toString());
    assertEquals(5, arrived.term());
    assertEquals("BP-1", arrived.poolId);
    assertEquals(link(3).from, arrived.links.get(1).from);
    assertEquals(link(3).to, arrived.links.get(1).to);
    assertEquals(LINKS, Base64.getEncoder().encodeToString(
        new LinkCommand("version-7", 5, List.of(link(0)), 31).toProto()
            .toByteArray()));
  }

  @Test
  void aMakingArrivesAsItWasSent() throws Exception {
    MakeCommand arrived = arrived(making().toProto()).commands(MakeCommand.class).get(0);
    assertEquals(making().toString(), arrived.toString());
    assertEquals(making().work.blocks, arrived.work.blocks);
    assertEquals(1 << 20, arrived.bytesPerSecond);
    assertTrue(arrived.work.doubted);
    MakeCommand fast = new MakeCommand(making().work, MakeCommand.UNLIMITED);
    assertEquals(MakeCommand.UNLIMITED,
        arrived(fast.toProto()).commands(MakeCommand.class).get(0).bytesPerSecond);
    assertEquals(Optional.empty(), arrived.digestKey);
    for (long seed : new long[] {0, -1, 20_261_126}) {
      for (DigestKey key : List.of(DigestKey.plain(seed), DigestKey.folded(seed))) {
        assertEquals(Optional.of(key), arrived(making()
            .withDigestKey(key).toProto()).commands(MakeCommand.class).get(0).digestKey);
      }
    }
  }

  @Test
  void linksThatContradictThemselvesAreRefused() throws Exception {
    LinksProto valid = LinksProto.parseFrom(links().toProto().getBody());
    BlockLinkProto first = valid.getLinks(0);
    assertTrue(wrong(valid.toBuilder().setBlockPoolId("BP-2")).contains("block_pool_id"));
    assertTrue(wrong(valid.toBuilder().setDeadlineMs(0)).contains("0 ms until its deadline"));
    assertTrue(wrong(valid.toBuilder().clearLinks()).contains("has 0 links"));
    assertTrue(wrong(valid.toBuilder().addLinks(first)).contains("named twice"));
    // A chain of links would depend on the order in which the node makes them.
    assertTrue(wrong(valid.toBuilder().addLinks(first.toBuilder().setFrom(first.getTo())
        .setTo(first.getTo().toBuilder().setBlockId(-2048)))).contains("named twice"));
    assertTrue(wrong(valid.toBuilder().setLinks(0, first.toBuilder()
        .setTo(first.getTo().toBuilder().setLength(7)))).contains("to BP-1:blk_-1024_1002 of 7"));
    assertTrue(wrong(valid.toBuilder().setLinks(0, first.toBuilder().setTo(first.getFrom())))
        .contains("cannot be linked"));
    assertTrue(wrong(valid.toBuilder().setLinks(0, first.toBuilder()
        .setFrom(first.getFrom().toBuilder().setBlockPoolId("BP-2")))).contains("BP-2"));
    LinksProto.Builder many = valid.toBuilder();
    for (int i = 0; i < LinkCommand.LINKS_MAX; i++) {
      many.addLinks(first);
    }
    assertTrue(wrong(many).contains("18 links"));
  }

  @Test
  void aMakingThatContradictsItselfIsRefused() throws Exception {
    MakeProto valid = MakeProto.parseFrom(making().toProto().getBody());
    assertTrue(wrong(valid.toBuilder().setBytesPerS(1000)).contains("1000 bytes per second"));
    MakeProto.Builder other = valid.toBuilder();
    other.getWorkBuilder().setRepairId("version-9");
    assertTrue(wrong(other).contains("version-9"));
    MakeProto.Builder unlisted = valid.toBuilder();
    unlisted.getWorkBuilder().clearBlocks();
    wrong(unlisted);
    MakeProto.Builder hidden = valid.toBuilder();
    hidden.getWorkBuilder().setMustUnderstand(1L << 40);
    assertTrue(wrong(hidden).contains("must_understand"));
    MakeProto.Builder large = valid.toBuilder();
    large.getWorkBuilder().setParityUnits(RequestBounds.LISTED_UNITS_MAX - 9);
    assertTrue(wrong(large).contains("parity_units"));
    assertTrue(contradiction(making().toProto(),
        ByteString.copyFromUtf8("what is this")).contains("no make message"));
    assertEquals(FailureCause.UNSUPPORTED, refusal(making().toProto().toBuilder()
        .setMustUnderstand(1L << 40).build()).cause);
  }

  @Test
  void aWorkThatListsNoBlocksIsNoMaking() {
    RepairCommand repair = new RepairCommand(RepairCommand.of("repair-1", 5,
        new GroupId("BP-1", -1024, 1002), 2 << 20).setCodec("rs").setDataUnits(2).setParityUnits(1)
        .setCellBytes(1 << 20).setTopology("chain").setDeadlineMs(60_000), List.of(),
        List.of(new UnitHolder(0, node(0)), new UnitHolder(1, node(1))),
        List.of(new CommandTarget(2, node(2), "DS-1", StorageType.DISK)));
    assertTrue(assertThrows(IllegalArgumentException.class, () -> new MakeCommand(repair, 0))
        .getMessage().contains("does not list"));
  }

  @Test
  void theResultSaysWhatWasDone() {
    RepairResult sent = new RepairResult("version-7", 5, RepairOutcome.REBUILT, List.of(0, 3),
        2 << 20, 345).withVersion(new VersionReport(2 << 20, 1 << 20, 1024, 2, 0));
    ResultProto proto = sent.toProto();
    assertEquals(RESULT, Base64.getEncoder().encodeToString(proto.toByteArray()));
    RepairResult arrived = RepairResult.parse(proto);
    assertEquals(sent.toString(), arrived.toString());
    VersionReport report = arrived.version;
    assertEquals(List.of(2L << 20, 1L << 20, 1024L, 2L, 0L), List.of(report.linkedBytes,
        report.copiedBytes, report.madeBytes, report.readBytes, report.receivedBytes));
    assertNull(arrived.scrub);
    assertNull(RepairResult.parse(proto.toBuilder().clearVersion().build()).version);
  }

  @Test
  void theResultHasTheDigestsOfUnits() {
    Map<Integer, Integer> digests = Map.of(17, 0x80000001, 3, 0);
    ResultProto proto = new RepairResult("version-8", 5, RepairOutcome.REBUILT, List.of(3, 17), 1,
        1).withVersion(VersionReport.NOTHING
        .withDigests(digests)).toProto();
    assertEquals(digests, RepairResult.parse(proto).version.digests);
    ResultProto.Builder wrong = proto.toBuilder();
    wrong.getVersionBuilder().getDigestsBuilder(0).setUnit(RequestBounds.LISTED_UNITS_MAX);
    assertTrue(assertThrows(IllegalArgumentException.class,
        () -> RepairResult.parse(wrong.build())).getMessage().contains("unit of a digest"));
    ResultProto.Builder many = proto.toBuilder();
    while (many.getVersion().getDigestsCount() <= RequestBounds.LISTED_UNITS_MAX) {
      many.getVersionBuilder().addDigests(proto.getVersion().getDigests(0));
    }
    assertTrue(assertThrows(IllegalArgumentException.class,
        () -> RepairResult.parse(many.build())).getMessage().contains("digests"));
  }

  @Test
  void onlyAVersionHasMoreUnitsThanAGroup() {
    ResultProto proto = new RepairResult("version-8", 5, RepairOutcome.REBUILT, List.of(17), 1, 1)
        .withVersion(VersionReport.NOTHING).toProto();
    assertEquals(List.of(17), RepairResult.parse(proto).rebuiltUnits);
    assertThrows(IllegalArgumentException.class,
        () -> RepairResult.parse(proto.toBuilder().clearVersion().build()));
    ResultProto.Builder negative = proto.toBuilder();
    negative.getVersionBuilder().setMadeBytes(-1);
    assertTrue(assertThrows(IllegalArgumentException.class,
        () -> RepairResult.parse(negative.build())).getMessage().contains("made_bytes"));
    assertFalse(proto.hasScrub());
  }
}
