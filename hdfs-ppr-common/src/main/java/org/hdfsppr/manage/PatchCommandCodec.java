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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.PatchForwarderProto;
import org.hdfsppr.manage.proto.ManagerProtos.PatchLogProto;
import org.hdfsppr.manage.proto.ManagerProtos.PatchProto;
import org.hdfsppr.manage.proto.ManagerProtos.PatchSourceProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.Holder;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.Ticket;
import org.hdfsppr.wire.Door;
import org.hdfsppr.wire.RequestBounds;

/** Turns a {@link PatchCommand} into a message and back. */
@InterfaceAudience.Private
final class PatchCommandCodec {
  private PatchCommandCodec() {
  }

  static CommandProto toProto(PatchCommand command) {
    PatchProto.Builder body = PatchProto.newBuilder()
        .setBlockPoolId(command.old.poolId)
        .setOldGroupId(command.old.groupId)
        .setOldGenerationStamp(command.old.generationStamp)
        .setGroupId(command.made.id().groupId)
        .setGenerationStamp(command.made.id().generationStamp)
        .setGroupBytes(command.groupBytes)
        .setCodec(command.codec)
        .setDataUnits(command.made.dataUnits())
        .setParityUnits(command.made.parityUnits())
        .setCellBytes(command.made.cellBytes())
        .setUnit(command.unit)
        .setDeadlineMs(command.deadlineMs);
    command.ranges.forEach((from, to) ->
        body.addRangeBegins(from).addRangeLengths(to - from));
    command.log().ifPresent(log -> body.setLog(toProto(log)));
    for (PatchSource source : command.sources) {
      PatchSourceProto.Builder proto = PatchSourceProto.newBuilder()
          .setUnit(source.unit)
          .setNode(Door.toProto(source.node))
          .setChanged(source.isChanged());
      source.via().ifPresent(proto::setVia);
      source.log().ifPresent(log -> proto.setLog(toProto(log)));
      source.summed.forEach((from, to) ->
          proto.addSummedBegins(from).addSummedLengths(to - from));
      source.forwarded.forEach((from, to) ->
          proto.addForwardedBegins(from).addForwardedLengths(to - from));
      source.collected.forEach((from, to) ->
          proto.addCollectedBegins(from).addCollectedLengths(to - from));
      body.addSources(proto);
    }
    command.forwarder().ifPresent(has -> body.setForwarder(toProto(has)));
    command.collector().ifPresent(has -> body.setCollector(toProto(has)));
    CommandProto.Builder message = CommandProto.newBuilder();
    if (command.log().isEmpty()) {
      message.setMustUnderstand(CommandFeatures.CHANGE_WAYS
          | (command.collector().isPresent() ? CommandFeatures.COLLECTED : 0));
    }
    return message
        .setKind(PatchCommand.KIND)
        .setCommandId(command.id())
        .setTerm(command.term())
        .setBody(body.build().toByteString())
        .build();
  }

  /**
   * Reads a command. The caller has checked its kind, and that this version knows all bits of
   * must_understand.
   *
   * @param pool the NameNode's block pool
   * @throws IllegalArgumentException naming the field that is wrong
   */
  static PatchCommand parse(CommandProto command, String pool) {
    PatchProto proto;
    try {
      proto = PatchProto.parseFrom(command.getBody());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("body is no " + PatchCommand.KIND + " message: "
          + e.getMessage(), e);
    }
    if (!proto.getBlockPoolId().equals(pool)) {
      throw new IllegalArgumentException("block_pool_id is not that of the NameNode, " + pool);
    }
    int k = Door.within("data_units", proto.getDataUnits(), 1, RequestBounds.UNITS_MAX - 1);
    int m = Door.within("parity_units", proto.getParityUnits(), 1, RequestBounds.UNITS_MAX - k);
    Fields.atMost("sources", proto.getSourcesCount(), k);
    PatchCommand.Builder builder = PatchCommand.of(Fields.id(command.getCommandId()),
        Fields.term(command.getTerm()))
        .groups(new GroupId(pool, Fields.group(proto.getOldGroupId()),
            proto.getOldGenerationStamp()),
            new GroupId(pool, Fields.group(proto.getGroupId()), proto.getGenerationStamp()),
            Fields.groupBytes(proto.getGroupBytes()), Door.name("codec", proto.getCodec()), k, m,
            Fields.cellBytes(proto.getCellBytes()))
        .unit(Door.within("unit", proto.getUnit(), 0, k + m - 1), ranges("ranges",
            PatchCommand.RANGES_MAX, proto.getRangeBeginsList(), proto.getRangeLengthsList()))
        .sources(sources(proto, k))
        .deadlineMs(proto.getDeadlineMs());
    if (proto.hasLog()) {
      builder.log(log(proto.getLog()));
    }
    if (proto.hasForwarder()) {
      builder.forwarder(holder("forwarder.unit", proto.getForwarder(), k, m));
    }
    if (proto.hasCollector()
        != ((command.getMustUnderstand() & CommandFeatures.COLLECTED) != 0)) {
      throw new IllegalArgumentException("there is " + (proto.hasCollector() ? "a" : "no")
          + " collector, and must_understand is "
          + Long.toHexString(command.getMustUnderstand()));
    }
    if (proto.hasCollector()) {
      builder.collector(holder("collector.unit", proto.getCollector(), k, m));
    }
    return builder.build();
  }

  private static PatchSource withLog(PatchSource source, PatchLogProto proto, PatchProto command) {
    LogPart log = log(proto);
    if (!log.ticket.poolId().equals(command.getBlockPoolId())) {
      throw new IllegalArgumentException("unit " + source.unit + " has " + log + " of pool "
          + log.ticket.poolId());
    }
    return source.withLog(log);
  }

  private static PatchLogProto toProto(LogPart log) {
    PatchLogProto.Builder proto = PatchLogProto.newBuilder()
        .setTicket(log.ticket.toBytes())
        .setFirst(log.first)
        .setLast(log.last);
    log.digestSeed.ifPresent(proto::setDigestSeed);
    log.digest.ifPresent(proto::setDigest);
    return proto.build();
  }

  private static LogPart log(PatchLogProto proto) {
    LogPart log = new LogPart(Ticket.parse(proto.getTicket()), proto.getFirst(),
        proto.getLast());
    if (!proto.hasDigestSeed()) {
      return log;
    }
    return proto.hasDigest() ? log.withDigest(proto.getDigestSeed(), proto.getDigest())
        : log.withDigestSeed(proto.getDigestSeed());
  }

  private static PatchForwarderProto toProto(Holder has) {
    return PatchForwarderProto.newBuilder()
        .setUnit(has.unit)
        .setNode(Door.toProto(has.node))
        .build();
  }

  private static Holder holder(String name, PatchForwarderProto has, int k, int m) {
    return new Holder(Door.within(name, has.getUnit(), k, k + m - 1),
        Fields.node(has.getNode()));
  }

  private static Map<Long, Long> ranges(String name, int most, List<Long> begins,
      List<Long> lengths) {
    Fields.atMost(name, begins.size(), most);
    if (begins.size() != lengths.size()) {
      throw new IllegalArgumentException(begins.size() + " begins and " + lengths.size()
          + " lengths of " + name);
    }
    Map<Long, Long> ranges = new TreeMap<>();
    for (int i = 0; i < begins.size(); i++) {
      long from = Fields.bytes(name, begins.get(i));
      long length = Door.within(name, lengths.get(i), 1, Long.MAX_VALUE - from);
      if (ranges.put(from, from + length) != null) {
        throw new IllegalArgumentException(name + " has two ranges that begin at " + from);
      }
    }
    return ranges;
  }

  private static List<PatchSource> sources(PatchProto proto, int k) {
    List<PatchSource> sources = new ArrayList<>();
    for (PatchSourceProto source : proto.getSourcesList()) {
      int unit = Door.within("unit", source.getUnit(), 0, k - 1);
      NodeRef node = Fields.node(source.getNode());
      PatchSource read = source.getChanged() ? PatchSource.changed(unit, node, source.hasVia()
          ? Door.within("via", source.getVia(), 0, k - 1) : PatchSource.DIRECT,
          ranges("summed", PatchCommand.WAYS_MAX, source.getSummedBeginsList(),
              source.getSummedLengthsList()),
          ranges("forwarded", PatchCommand.WAYS_MAX, source.getForwardedBeginsList(),
              source.getForwardedLengthsList()),
          ranges("collected", PatchCommand.WAYS_MAX, source.getCollectedBeginsList(),
              source.getCollectedLengthsList())) : PatchSource.unchanged(unit, node);
      if (read.isChanged() != source.getChanged()) {
        throw new IllegalArgumentException("unit " + unit + " has changed in no range");
      }
      if (!source.getChanged() && (source.hasVia() || source.getSummedBeginsCount()
          + source.getForwardedBeginsCount() + source.getCollectedBeginsCount() > 0)) {
        throw new IllegalArgumentException("unit " + unit + " has ranges and has not changed");
      }
      sources.add(source.hasLog() ? withLog(read, source.getLog(), proto) : read);
    }
    return sources;
  }
}
