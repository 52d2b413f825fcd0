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
package org.hdfsppr.operate;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.golden.Golden;
import org.hdfsppr.golden.RpcGolden;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.Test;

/** The bytes of all calls between users' commands and a NameNode. */
@InterfaceAudience.Private
class TestGoldenClientCalls {
  private static final Token<BlockTokenIdentifier> TOKEN = new Token<>(new byte[] {1, 2},
      new byte[] {3, 4}, new Text("HDFS_BLOCK_TOKEN"), new Text("10.0.0.1:9866"));

  private Golden golden;
  private RpcGolden<PprClientProtocolPB> calls;

  private interface Call {
    void make(PprClientProtocol plugin) throws IOException;
  }

  private void begin(String file) throws IOException {
    golden = Golden.of(file);
    calls = new RpcGolden<>(golden, PprClientProtocolPB.class,
        next -> new PprClientServerTranslator(new PprClientTranslator(next)));
  }

  private void call(String sample, Object answer, Call call) throws Exception {
    PprClientProtocol plugin = (PprClientProtocol) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {PprClientProtocol.class},
        (proxy, method, arguments) -> answer);
    calls.call(sample, new PprClientServerTranslator(plugin),
        proxy -> call.make(new PprClientTranslator(proxy)));
  }

  private static ConversionOptions options() {
    return ConversionOptions.of("RS-10-4-1024k").with(o -> o.setDryRun(true).setFilesOnly(true)
        .setForce(true).setFullCheck(false).setIdleMs(60_000).setGraceMs(120_000).setConcurrency(7)
        .setBytesPerS(1 << 20));
  }

  private static ConversionOptions plain() {
    return ConversionOptions.of("RS-6-3-1024k");
  }

  private static ConversionCounts counts() {
    ConversionCounts counts =
        ConversionCounts.NONE.plusRefused("open", 3).plusRefused("encrypted", 4);
    for (ConversionCounts.Number number : ConversionCounts.Number.values()) {
      counts = counts.plus(number, 101 + number.ordinal());
    }
    return counts;
  }

  private static ConversionStatus status(ConversionState state) {
    return ConversionStatus.of("job-1", state, options()).with(s -> s
        .setWhy("waits for a window")
        .setSubmittedMs(1_700_000_000_001L)
        .setStartedMs(1_700_000_000_002L)
        .setEndedMs(1_700_000_000_003L)
        .setCounts(counts().toProto())
        .setTotalFiles(1_000).setTotalBytes(1L << 40)
        .setBytesPerS(1234.5).setLeftMs(9_876).setRunningFiles(5)
        .setUser("alice").addPaths("/a").addPaths("/b c")
        .addFailures(
            new ConversionFailure("/a/x", "refused", "open", "The file is open.").toProto())
        .addFailures(new ConversionFailure("/a/y", "failed", "", "A unit was lost.").toProto()));
  }

  private static ConversionStatus least() {
    return ConversionStatus.of("job-2", ConversionState.QUEUED, plain());
  }

  @Test
  void conversions() throws Exception {
    begin("client/conversions");
    ConversionStatus full =
        status(ConversionState.RUNNING).withUnseenReads(new UnseenReads(2, 9));
    call("submit", full, plugin -> plugin.submitConversion(
        new ConversionRequest("job-1", options(), List.of("/a", "/b c"))));
    call("submit, plain", least(), plugin -> plugin.submitConversion(
        new ConversionRequest("job-2", plain(), List.of("/c"))));
    call("list all", List.of(full, status(ConversionState.FAILED), least()),
        plugin -> plugin.conversions(null));
    call("list one", List.of(), plugin -> plugin.conversions("job-1"));
    List<ConversionStatus> inEachState = Arrays.stream(ConversionState.values()).map(state ->
        ConversionStatus.of("job-3", state, plain())).collect(Collectors.toList());
    call("list each state", inEachState, plugin -> plugin.conversions(null));
    for (ConversionAction action : ConversionAction.values()) {
      call("steer: " + action.word(), least(), plugin -> plugin.steerConversion("job-2", action));
    }
    golden.check();
  }

  private static CoreDirectory directory() {
    return CoreDirectory.of("/core", 5, true).with(directory -> {
      directory.setUser("bob").addAllWaiting(ReasonCounts.toProtos(Map.of("too-short", 6L)))
          .setFailure("No DataNode has room.").setWalkedMs(1_700_000_000_004L);
      for (CoreDirectory.Number number : CoreDirectory.Number.values()) {
        directory.setField(number.field, 201L + number.ordinal());
      }
    });
  }

  private static CoreDirectory leastDirectory() {
    return CoreDirectory.of("/core/inner", 3, false);
  }

  private static LocatedBlock move() {
    DatanodeInfo[] nodes = new DatanodeInfo[2];
    for (int i = 0; i < nodes.length; i++) {
      DatanodeInfo node = new DatanodeInfoBuilder().setNodeID(new DatanodeID("10.0.0." + i,
          "host-" + i, "uuid-" + i, 9866, 9864, 9865, 9867)).setNetworkLocation("/rack-" + i)
          .build();
      nodes[i] = new DatanodeInfoWithStorage(node, "DS-" + i, StorageType.SSD);
    }
    LocatedBlock block = new LocatedBlock(new ExtendedBlock("BP-1", -31, 4_096, 1_001), nodes,
        new String[] {"DS-0", "DS-1"}, new StorageType[] {StorageType.DISK, StorageType.SSD});
    block.setBlockToken(TOKEN);
    return block;
  }

  @Test
  void core() throws Exception {
    // Hadoop 3.5 has given its own message a field that the records of an earlier Hadoop lack.
    assumeTrue(DatanodeInfoProto.getDescriptor().findFieldByName("softwareVersion") == null,
        "the bytes were recorded with an earlier Hadoop");
    begin("client/core");
    call("protect", directory(),
        plugin -> plugin.protectDirectory("/core", true, OptionalInt.of(5)));
    call("protect, plain", leastDirectory(),
        plugin -> plugin.protectDirectory("/core/inner", false, OptionalInt.empty()));
    call("unprotect", directory(), plugin -> plugin.unprotectDirectory("/core"));
    call("status of all", new CoreStatus("off", List.of(directory(), leastDirectory()), 11,
        Map.of("member-gone", 12L), 13)
        .withUnused(List.of(new UnusedGroup(16_400, "damaged", "delete it")), 14).withKept(15)
        .withLosses(16, 17), plugin -> plugin.coreStatus(null));
    call("status of one", CoreStatus.NONE, plugin -> plugin.coreStatus("/core"));
    call("begin submission", new SubmissionTerms(directory(), 20, 3_600_000, 64,
        List.of(leastDirectory())), plugin -> plugin.beginSubmission("/core", true,
            OptionalInt.of(5)));
    call("begin submission, plain", new SubmissionTerms(leastDirectory(), 0, 0, 1, List.of()),
        plugin -> plugin.beginSubmission("/core", false, OptionalInt.empty()));
    Map<Long, String> unfit = new LinkedHashMap<>();
    unfit.put(16_401L, "open");
    unfit.put(16_400L, "gone");
    call("submit groups", List.of(GroupAnswer.TAKEN, GroupAnswer.refused("full"),
        GroupAnswer.later("busy"), GroupAnswer.unfit(unfit)),
        plugin -> plugin.submitGroups(new GroupSubmission("/core", List.of(
            List.of(1L, 2L), List.of(3L, 300L), List.of(5L, 6L), List.of(16_400L, 16_401L)))));
    call("plan spread", new SpreadAnswer(List.of(new SpreadMove(move(), 16_400, 3, 1)), 18, 19,
        Map.of("no-room", 20L), new SpreadPlace(16_500, 2)),
        plugin -> plugin.planSpread("/core", new SpreadPlace(16_400, 1)));
    call("plan spread, plain", new SpreadAnswer(List.of(), 0, 0, Map.of(), null),
        plugin -> plugin.planSpread(null, SpreadPlace.START));
    golden.check();
  }

  private static SignedTicket ticket(boolean isSealed) {
    NodeRef node = new NodeRef("uuid-1", "10.0.0.1", "host-1", 9866, 9877, "/rack-1");
    UpdateTicket ticket = new UpdateTicket(new UnitId(new UUID(3, -4), 5, 6),
        new BlockRef("BP-1", -16, 1001, 1_000), 8, 7, 9, List.of(node));
    return SignedTicket.of(isSealed ? ticket.withSeal() : ticket, TOKEN);
  }

  @Test
  void updates() throws Exception {
    begin("client/updates");
    call("set updatable", true, plugin -> plugin.setUpdatable("/u", true, "cau"));
    call("set updatable, plain", false, plugin -> plugin.setUpdatable("/u", false, null));
    call("is updatable", true, plugin -> plugin.isUpdatable("/u/file"));
    GroupId group = new GroupId("BP-1", -16, 1001);
    FileIdentity file = FileIdentity.of(new UUID(3, -4), new TreeSet<>(Arrays.asList(5L, 6L)));
    call("tickets", List.of(UnitGrant.of(0, ticket(true)).of(file),
        UnitGrant.of(1, ticket(false)), UnitGrant.refused(2, "no right"),
        UnitGrant.later(3, "a holder is gone"), UnitGrant.noLog(4, 1_500).of(file),
        UnitGrant.noLog(5, 0).of(FileIdentity.of(null, Set.of(7L)))),
        // One unit: a message has them in any order.
        plugin -> plugin.tickets(new TicketRequest("/u/file", group, true, Map.of(3, 8L))));
    call("tickets, plain", List.of(), plugin -> plugin.tickets(
        new TicketRequest("/u/file", group, false, Map.of())));
    for (CommitStatus.State state : CommitStatus.State.values()) {
      boolean isFirst = state == CommitStatus.State.WAITING;
      call("commit: " + state, CommitStatus.of("c-1", "/u/file", state, commit -> commit
          .setCommit(isFirst ? 0 : 4).setUpdates(21).setBytes(22).setGroups(23)
          .setMessage(isFirst ? "" : "a log is silent")),
          plugin -> plugin.commit("/u/file", isFirst ? null : "c-1"));
    }
    WaitingUpdates.Numbers numbers = new WaitingUpdates.Numbers();
    numbers.units = 31;
    numbers.silentUnits = 32;
    numbers.updates = 33;
    numbers.loggedBytes = 34;
    numbers.changedBytes = 35;
    numbers.stripes = 36;
    call("pending updates", new WaitingUpdates("/u/file", 2, 4, 1, numbers),
        plugin -> plugin.pendingUpdates("/u/file"));
    golden.check();
  }

  @Test
  void others() throws Exception {
    begin("client/others");
    call("features", Set.of("version-shards"), PprClientProtocol::features);
    call("no features", Set.of(), PprClientProtocol::features);
    Leftovers.Builder left = new Leftovers.Builder();
    left.cleared = 41;
    left.unfinished = "too many";
    Map<Leftovers.Kind, Leftovers.State> some = new EnumMap<>(Leftovers.Kind.class);
    for (Leftovers.Kind kind : Leftovers.Kind.values()) {
      for (Leftovers.State state : Leftovers.State.values()) {
        left.count(kind, state, 50 + 10L * kind.ordinal() + state.ordinal());
      }
      some.put(kind, Leftovers.State.values()[kind.ordinal()]);
    }
    some.forEach((kind, state) -> left.name(new Leftovers.Item(kind, state,
        "/.hdfs-ppr/" + kind, "/f", "a snapshot", 1_700_000_000_005L, List.of("/s/.snapshot/a"))));
    left.name(new Leftovers.Item(Leftovers.Kind.COMMIT, Leftovers.State.USED, "/.hdfs-ppr/x", "",
        "", 0, List.of()));
    call("leftovers", left.build(), plugin -> plugin.leftovers(true));
    call("leftovers, plain", new Leftovers.Builder().build(),
        plugin -> plugin.leftovers(false));
    golden.check();
  }

  @Test
  void finalizing() throws Exception {
    begin("client/finalize");
    call("finalized now", new FinalizedRecords(1_700_000_000_005L, true, ""),
        plugin -> plugin.finalizeRecords(true));
    call("not finalized", new FinalizedRecords(FinalizedRecords.NEVER, false, "nn2 is older"),
        plugin -> plugin.finalizeRecords(false));
    call("plain", new FinalizedRecords(FinalizedRecords.NEVER, false, ""),
        plugin -> plugin.finalizeRecords(false));
    golden.check();
  }
}
