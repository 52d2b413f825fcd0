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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.manage.version.LogPart;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.manage.version.PatchSource;
import org.hdfsppr.manage.version.proto.VersionProtos.PatchProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.wire.RequestBounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests orders that patch units, and their messages. */
class TestPatchMessages {
  private static final String POOL = "BP-1";
  private static final int CELL = 1024;
  private static final long BYTES = 3 * 2 * CELL + 100;
  private static final GroupId OLD = new GroupId(POOL, -1600, 1001);
  private static final GroupId MADE = new GroupId(POOL, -3200, 1002);

  private static NodeRef node(int number) {
    return new NodeRef("n" + number, "10.0.0." + number, "host" + number, 9866, 9877,
        "/r" + number);
  }

  private static PatchProto.Builder rest(int unit, Map<Long, Long> ranges) {
    return PatchCommand.of(OLD, MADE, BYTES, unit, ranges).setCodec("rs").setDataUnits(3)
        .setParityUnits(2).setCellBytes(CELL).setDeadlineMs(1_000);
  }

  private static PatchCommand command(PatchProto.Builder rest, LogPart log,
      List<PatchSource> sources) {
    return new PatchCommand("c1", 5, rest, log, sources);
  }

  private static LogPart log(int unit) {
    UpdateTicket ticket = new UpdateTicket(new UnitId(new UUID(1, 2), 4, unit),
        OLD.block(unit, 2 * CELL), 9,
        7, 3, List.of(node(1), node(2))).ofVersion(2);
    return new LogPart(ticket, 11, 15);
  }

  private static PatchSource changed(int unit, int via) {
    return PatchSource.changed(unit, node(unit), via, Map.of(0L, 10L), Map.of(), Map.of());
  }

  private static List<PatchSource> sources() {
    return List.of(changed(0, PatchSource.DIRECT), PatchSource.unchanged(1, node(1)),
        changed(2, 0));
  }

  private static PatchCommand sent(PatchCommand command) throws Exception {
    HeartbeatResponse response = HeartbeatResponse.parse(new HeartbeatResponse(
        HeartbeatResponse.active(5, POOL), command).toProto());
    assertEquals(List.of(), response.unreadable);
    return response.commands(PatchCommand.class).get(0);
  }

  @Test
  void aDataUnitGetsItsUpdates() throws Exception {
    PatchCommand sent = sent(command(rest(1, Map.of(0L, 10L, 512L, 600L)), log(1), List.of()));
    assertEquals("c1", sent.id());
    assertEquals(5, sent.term());
    assertEquals(OLD.block(1, 2 * CELL), sent.from());
    assertEquals(MADE.block(1, 2 * CELL), sent.to());
    assertEquals(Map.of(0L, 10L, 512L, 600L), sent.ranges);
    LogPart part = sent.log().orElseThrow();
    assertEquals(11, part.first);
    assertEquals(15, part.last);
    assertEquals(9, part.ticket.term);
    assertEquals(2, part.ticket.committed);
    assertEquals(List.of(node(1), node(2)), part.ticket.holders);
    assertEquals(OptionalLong.empty(), part.digestSeed);
    assertTrue(sent.sources.isEmpty());
    assertEquals(1_000, sent.deadlineMs);
  }

  @Test
  void aDataUnitIsAskedForADigest() throws Exception {
    LogPart part = sent(command(rest(1, Map.of(0L, 10L)), log(1).withDigestSeed(-7), List.of()))
        .log().orElseThrow();
    assertEquals(OptionalLong.of(-7), part.digestSeed);
    assertEquals(OptionalInt.empty(), part.digest);
  }

  @Test
  void aParityUnitGetsTheChangesOfDataUnits() throws Exception {
    PatchCommand sent = sent(command(rest(4, Map.of(0L, 10L)), null, sources()));
    assertEquals(4, sent.unit);
    assertEquals(BYTES, sent.groupBytes);
    assertEquals("rs", sent.codec);
    assertTrue(sent.log().isEmpty());
    assertEquals(sources().toString(), sent.sources.toString());
    assertEquals(OptionalInt.of(0), sent.sources.get(2).via());
    assertEquals(OptionalInt.empty(), sent.sources.get(0).via());
  }

  @Test
  void aParityUnitHearsOfUpdatesThatItsNodeMayHave() throws Exception {
    PatchCommand sent = sent(command(rest(4, Map.of(0L, 10L)), null,
        List.of(changed(0, PatchSource.DIRECT).withLog(log(0).withDigest(-5, -6)),
        PatchSource.unchanged(1, node(1)), changed(2, 0))));
    LogPart part = sent.sources.get(0).log().orElseThrow();
    assertEquals(OptionalLong.of(-5), part.digestSeed);
    assertEquals(OptionalInt.of(-6), part.digest);
    assertEquals(11, part.first);
    assertEquals(15, part.last);
    assertEquals(log(0).ticket.unit, part.ticket.unit);
    assertEquals(List.of(node(1), node(2)), part.ticket.holders);
    assertEquals(Map.of(0L, 10L), sent.sources.get(0).summed);
    assertTrue(sent.sources.get(1).log().isEmpty());
    assertTrue(sent.sources.get(2).log().isEmpty());
    assertThrows(IllegalArgumentException.class, () ->
        changed(0, 2).withLog(log(1).withDigest(5, 6)));
    assertThrows(IllegalArgumentException.class, () ->
        PatchSource.unchanged(0, node(0)).withLog(log(0).withDigest(5, 6)));
    assertThrows(IllegalArgumentException.class, () -> changed(0, 2).withLog(log(0)));
    assertThrows(IllegalArgumentException.class, () ->
        changed(0, 2).withLog(log(0).withDigestSeed(5)));
    UpdateTicket other = new UpdateTicket(new UnitId(new UUID(1, 2), 4, 0),
        new GroupId("BP-2", -1600, 1001).block(0, 2 * CELL), 9, 7, 3, List.of(node(1)));
    PatchCommand wrong = command(rest(4, Map.of(0L, 10L)), null,
        List.of(changed(0, PatchSource.DIRECT).withLog(new LogPart(other, 11, 15)
        .withDigest(5, 6))));
    HeartbeatResponse response = HeartbeatResponse.parse(new HeartbeatResponse(
        HeartbeatResponse.active(5, POOL), wrong).toProto());
    assertEquals(1, response.unreadable.size());
    assertEquals(List.of(), response.commands(PatchCommand.class));
  }

  private static PatchSource forwarded(int unit, long from, long to) {
    return PatchSource.changed(unit, node(unit), PatchSource.DIRECT, Map.of(0L, 5L),
        Map.of(from, to), Map.of());
  }

  private static PatchSource collected(int unit, long from, long to) {
    return PatchSource.changed(unit, node(unit), PatchSource.DIRECT, Map.of(0L, 5L), Map.of(),
        Map.of(from, to));
  }

  @Test
  void changesAreForwardedByANode() throws Exception {
    PatchCommand sent = sent(command(rest(4, Map.of(0L, 10L))
        .setForwarder(PatchCommand.keeper(new UnitHolder(3, node(3)))), null,
        List.of(forwarded(0, 5, 10), changed(2, 0))));
    assertEquals(Map.of(0L, 5L), sent.sources.get(0).summed);
    assertEquals(Map.of(5L, 10L), sent.sources.get(0).forwarded);
    assertEquals(Map.of(0L, 10L), sent.sources.get(1).summed);
    assertEquals(3, sent.forwarder().orElseThrow().unit);
    assertEquals(node(3), sent.forwarder().orElseThrow().node);
    assertFalse(sent.isForwarder());
    assertTrue(command(rest(3, Map.of(0L, 10L)).setForwarder(
        PatchCommand.keeper(new UnitHolder(3, node(3)))), null, List.of(forwarded(0, 5, 10)))
        .isForwarder());
  }

  @Test
  void changesAreCollectedByANode() throws Exception {
    PatchCommand command = command(rest(4, Map.of(0L, 10L)).setCollector(
        PatchCommand.keeper(new UnitHolder(3, node(3)))), null, List.of(collected(0, 5, 10),
        changed(2, 0)));
    PatchCommand sent = sent(command);
    assertEquals(Map.of(5L, 10L), sent.sources.get(0).collected);
    assertEquals(Map.of(), sent.sources.get(0).forwarded);
    assertEquals(3, sent.collector().orElseThrow().unit);
    assertEquals(node(3), sent.collector().orElseThrow().node);
    assertEquals(Optional.empty(), sent.forwarder());
    // A DataNode that does not know collectors refuses the command.
    assertEquals(CommandFeatures.CHANGE_WAYS | CommandFeatures.COLLECTED,
        command.toProto().getMustUnderstand());
    assertEquals(CommandFeatures.CHANGE_WAYS, command(rest(4, Map.of(0L, 10L)), null, sources())
        .toProto().getMustUnderstand());
  }

  /** Old and new blocks of all data units go into one request, which has a bound. */
  @Test
  void eachBlockOfAChangeHasANumberOfItsOwn() {
    for (int k = 1; k <= PatchCommand.DATA_UNITS_MAX; k++) {
      Set<Integer> numbers = new HashSet<>();
      for (int unit = 0; unit < k; unit++) {
        numbers.add(unit);
        numbers.add(PatchCommand.numberOfNew(unit, k));
      }
      assertEquals(2 * k, numbers.size());
      assertTrue(Collections.max(numbers) < RequestBounds.LISTED_UNITS_MAX, "k = " + k);
    }
    assertTrue(PatchCommand.DATA_UNITS_MAX >= 14, "RS(14,2) can be committed");
    int k = PatchCommand.DATA_UNITS_MAX + 1;
    PatchProto.Builder tooMany = PatchCommand.of(OLD, MADE, (long) k * CELL, k, Map.of(0L, 10L))
        .setCodec("rs").setDataUnits(k).setParityUnits(1).setCellBytes(CELL).setDeadlineMs(1_000);
    assertThrows(IllegalArgumentException.class, () -> command(tooMany, null, sources()));
  }

  /** What was wrong with the message of a command, changed on its way; empty if nothing was. */
  private static List<String> refusals(PatchCommand command, Consumer<CommandProto.Builder> change)
      throws Exception {
    HeartbeatResponse all = new HeartbeatResponse(HeartbeatResponse.active(5, POOL), command);
    HeartbeatResponseProto.Builder message = all.toProto().toBuilder();
    change.accept(message.getCommandsBuilder(0));
    HeartbeatResponse read = HeartbeatResponse.parse(message.build());
    assertEquals(read.unreadable.isEmpty() ? 1 : 0, read.commands(PatchCommand.class).size());
    return read.unreadable.stream().map(Object::toString).collect(Collectors.toList());
  }

  private static Consumer<CommandProto.Builder> body(Consumer<PatchProto.Builder> change) {
    return message -> {
      try {
        PatchProto.Builder body = PatchProto.parseFrom(message.getBody()).toBuilder();
        change.accept(body);
        message.setBody(body.build().toByteString());
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalStateException(e);
      }
    };
  }

  @Test
  void messagesThatContradictThemselvesAreRefused() throws Exception {
    PatchCommand command = command(rest(4, Map.of(0L, 10L)).setCollector(
        PatchCommand.keeper(new UnitHolder(3, node(3)))), null, List.of(collected(0, 5, 10),
        PatchSource.unchanged(1, node(1)), changed(2, 0)));
    assertEquals(List.of(), refusals(command, body(same -> { })));
    List<Consumer<CommandProto.Builder>> wrong = new ArrayList<>();
    for (int unit : new int[] {0, 2, 4, 5, 31, -1}) {
      wrong.add(body(patch -> patch.getCollectorBuilder().setUnit(unit)));
    }
    wrong.add(body(PatchProto.Builder::clearCollector));
    wrong.add(message -> body(PatchProto.Builder::clearCollector)
        .accept(message.setMustUnderstand(CommandFeatures.CHANGE_WAYS)));
    wrong.add(message -> message.setMustUnderstand(CommandFeatures.CHANGE_WAYS));
    wrong.add(message -> message.setMustUnderstand(1L << 40));
    wrong.add(body(patch -> patch.getSourcesBuilder(0).clearCollectedBegins()));
    wrong.add(body(patch -> patch.getSourcesBuilder(0).clearCollectedBegins()
        .clearCollectedLengths()));
    wrong.add(body(patch -> patch.getSourcesBuilder(0).setCollectedLengths(0, 0)));
    wrong.add(body(patch -> patch.getSourcesBuilder(0).setCollectedLengths(0, -1)));
    wrong.add(body(patch -> patch.getSourcesBuilder(0).setCollectedLengths(0, 3 * CELL)));
    wrong.add(body(patch -> patch.getSourcesBuilder(0).setCollectedBegins(0, -5)));
    // The second range is lost if ranges are kept by where they begin.
    wrong.add(body(patch -> patch.getSourcesBuilder(0).addCollectedBegins(5)
        .addCollectedLengths(4)));
    // The change would be left out.
    wrong.add(body(patch -> patch.getSourcesBuilder(0).setChanged(false)));
    wrong.add(body(patch -> patch.getSourcesBuilder(1).addCollectedBegins(0)
        .addCollectedLengths(10)));
    wrong.add(body(patch -> patch.getSourcesBuilder(1).setVia(0)));
    wrong.add(body(patch -> patch.addSources(patch.getSources(0))));
    wrong.add(body(patch -> patch.setForwarder(patch.getCollector())));
    for (int i = 0; i < wrong.size(); i++) {
      assertEquals(1, refusals(command, wrong.get(i)).size(), "message " + i);
    }
  }

  /** The codec refuses damaged bytes, or reads a command from them that keeps all rules. */
  @Test
  void damagedMessagesAreRefusedOrMeanSomething() throws Exception {
    long seed = Long.getLong("seed", 20261128);
    Random random = new Random(seed);
    PatchCommand command = command(rest(4, Map.of(0L, 10L)).setCollector(
        PatchCommand.keeper(new UnitHolder(3, node(3)))), null, List.of(collected(0, 5, 10),
        PatchSource.unchanged(1, node(1)), changed(2, 0)));
    int refused = 0;
    for (int run = 0; run < 5_000; run++) {
      refused += refusals(command, message -> {
        byte[] body = message.getBody().toByteArray();
        for (int i = 0; i <= random.nextInt(3); i++) {
          body[random.nextInt(body.length)] = (byte) random.nextInt();
        }
        message.setBody(ByteString.copyFrom(body));
      }).size();
    }
    assertTrue(refused > 1_000, refused + " were refused, seed " + seed);
  }

  @Test
  void contradictionsAreRefused() {
    List<Executable> wrong = new ArrayList<>();
    wrong.add(() -> command(rest(1, Map.of()), log(1), List.of()));
    wrong.add(() -> command(rest(1, Map.of(0L, 3L * CELL)), log(1), List.of()));
    wrong.add(() -> command(rest(1, Map.of(0L, 10L, 5L, 20L)), log(1), List.of()));
    wrong.add(() -> command(rest(1, Map.of(0L, 10L)), log(2), List.of()));
    wrong.add(() -> command(rest(1, Map.of(0L, 10L)), null, sources()));
    wrong.add(() -> command(rest(1, Map.of(0L, 10L)), null, List.of()));
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)), log(1), List.of()));
    wrong.add(() -> command(rest(5, Map.of(0L, 10L)), null, sources()));
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)), null, List.of(
        PatchSource.unchanged(0, node(0)))));
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)), null, List.of(changed(0, 1), changed(1, 0))));
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)), null, List.of(changed(0, PatchSource.DIRECT),
        changed(0, PatchSource.DIRECT))));
    UnitHolder forwarder = new UnitHolder(3, node(3));
    // No forwarder, a data unit as forwarder, the same bytes on both ways, bytes past the end.
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)), null, List.of(forwarded(0, 5, 8))));
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)).setForwarder(
        PatchCommand.keeper(new UnitHolder(2, node(2)))), null, List.of(forwarded(0, 5, 8))));
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)).setForwarder(PatchCommand.keeper(forwarder)),
        null, List.of(forwarded(0, 4, 8))));
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)).setForwarder(PatchCommand.keeper(forwarder)),
        null, List.of(forwarded(0, 5, 3 * CELL))));
    // No collector, a data unit as collector, the unit itself, the same bytes on two ways.
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)), null, List.of(collected(0, 5, 8))));
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)).setCollector(
        PatchCommand.keeper(new UnitHolder(2, node(2)))), null, List.of(collected(0, 5, 8))));
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)).setCollector(
        PatchCommand.keeper(new UnitHolder(4, node(4)))), null, List.of(collected(0, 5, 8))));
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)).setCollector(PatchCommand.keeper(forwarder)),
        null, List.of(collected(0, 4, 8))));
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)).setForwarder(PatchCommand.keeper(forwarder))
        .setCollector(PatchCommand.keeper(forwarder)), null, List.of(
        PatchSource.changed(0, node(0), PatchSource.DIRECT, Map.of(), Map.of(5L, 8L),
        Map.of(7L, 9L)))));
    // A keeper for nothing, also of a data unit; forwarder and collector are the same.
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)).setCollector(PatchCommand.keeper(forwarder)),
        null, sources()));
    wrong.add(() -> command(rest(4, Map.of(0L, 10L)).setForwarder(PatchCommand.keeper(forwarder)),
        null, sources()));
    wrong.add(() -> command(rest(1, Map.of(0L, 10L)).setCollector(PatchCommand.keeper(forwarder)),
        log(1), List.of()));
    wrong.add(() -> command(rest(1, Map.of(0L, 10L)).setForwarder(PatchCommand.keeper(forwarder)),
        log(1), List.of()));
    wrong.add(() -> command(rest(4, Map.of(0L, 8L)).setForwarder(PatchCommand.keeper(forwarder))
        .setCollector(PatchCommand.keeper(forwarder)), null, List.of(
        PatchSource.changed(0, node(0), PatchSource.DIRECT, Map.of(), Map.of(0L, 4L),
        Map.of(4L, 8L)))));
    // Bytes that change by no source, or not by this command.
    wrong.add(() -> command(rest(4, Map.of(0L, 11L)), null, sources()));
    wrong.add(() -> command(rest(4, Map.of(0L, 9L)), null, sources()));
    wrong.add(() -> command(rest(4, Map.of(0L, 10L, 20L, 30L)), null, sources()));
    wrong.add(() -> command(rest(1, Map.of(0L, 10L)).setDeadlineMs(0), log(1), List.of()));
    for (Executable each : wrong) {
      assertThrows(IllegalArgumentException.class, each);
    }
    assertThrows(IllegalArgumentException.class, () -> new LogPart(log(1).ticket, 4, 3));
  }
}
