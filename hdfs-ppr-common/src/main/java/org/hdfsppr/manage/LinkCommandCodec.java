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
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.manage.proto.ManagerProtos.BlockLinkProto;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.LinksProto;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.verify.DigestKey;
import org.hdfsppr.wire.BlockCodec;
import org.hdfsppr.wire.proto.PprProtos.BlockProto;

/** Turns a {@link LinkCommand} into a message and back. */
@InterfaceAudience.Private
final class LinkCommandCodec {
  private LinkCommandCodec() {
  }

  static CommandProto toProto(LinkCommand command) {
    LinksProto.Builder body = LinksProto.newBuilder()
        .setBlockPoolId(command.poolId)
        .setDeadlineMs(command.deadlineMs);
    if (command.watchesOld) {
      body.setWatchOld(true);
    }
    command.digestKey.ifPresent(key -> {
      body.setDigestSeed(key.seed);
      if (key.isFolded) {
        body.setDigestFolded(true);
      }
      if (command.digestBytesPerSecond != MakeCommand.UNLIMITED) {
        body.setBytesPerS(command.digestBytesPerSecond);
      }
    });
    for (LinkCommand.Link link : command.links) {
      body.addLinks(BlockLinkProto.newBuilder()
          .setFrom(BlockCodec.toProtoWithLength(link.from, command.poolId))
          .setTo(BlockCodec.toProtoWithLength(link.to, command.poolId)));
    }
    for (BlockRef block : command.digested) {
      body.addDigested(BlockCodec.toProtoWithLength(block, command.poolId));
    }
    CommandProto.Builder message = CommandProto.newBuilder()
        .setKind(LinkCommand.KIND)
        .setCommandId(command.id())
        .setTerm(command.term())
        .setBody(body.build().toByteString());
    if (!command.digested.isEmpty()) {
      message.setMustUnderstand(CommandFeatures.BLOCK_DIGESTS);
    }
    return message.build();
  }

  /**
   * Reads a command. The caller has checked its kind, and that this version knows all bits of
   * must_understand.
   *
   * @param pool the NameNode's block pool
   * @throws IllegalArgumentException naming the field that is wrong
   */
  static LinkCommand parse(CommandProto command, String pool) {
    LinksProto proto;
    try {
      proto = LinksProto.parseFrom(command.getBody());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("body is no " + LinkCommand.KIND + " message: "
          + e.getMessage(), e);
    }
    if (!proto.getBlockPoolId().equals(pool)) {
      throw new IllegalArgumentException("block_pool_id is not that of the NameNode, " + pool);
    }
    Fields.atMost("links", proto.getLinksCount(), LinkCommand.LINKS_MAX);
    List<LinkCommand.Link> links = new ArrayList<>();
    for (BlockLinkProto link : proto.getLinksList()) {
      links.add(new LinkCommand.Link(block(link.getFrom(), pool), block(link.getTo(), pool)));
    }
    Fields.atMost("digested", proto.getDigestedCount(), LinkCommand.LINKS_MAX);
    if (proto.getDigestedCount() > 0) {
      return digests(command, proto, links, pool);
    }
    LinkCommand read = new LinkCommand(Fields.id(command.getCommandId()),
        Fields.term(command.getTerm()), links, proto.getDeadlineMs());
    return proto.getWatchOld() ? read.watchingOld() : read;
  }

  private static LinkCommand digests(CommandProto command, LinksProto proto,
      List<LinkCommand.Link> links, String pool) {
    if (!links.isEmpty() || proto.getWatchOld() || !proto.hasDigestSeed()) {
      throw new IllegalArgumentException("digested is there with links, or without digest_seed");
    }
    List<BlockRef> blocks = new ArrayList<>();
    DigestKey key = DigestKey.of(proto.getDigestSeed(), proto.getDigestFolded());
    proto.getDigestedList().forEach(one -> blocks.add(block(one, pool)));
    return LinkCommand.digests(Fields.id(command.getCommandId()), Fields.term(command.getTerm()),
        blocks, key, rate(proto), proto.getDeadlineMs());
  }

  private static long rate(LinksProto proto) {
    return proto.hasBytesPerS() ? proto.getBytesPerS() : MakeCommand.UNLIMITED;
  }

  private static BlockRef block(BlockProto proto, String pool) {
    BlockRef block = BlockCodec.convertWithLength(proto, pool);
    if (!block.poolId.equals(pool)) {
      throw new IllegalArgumentException("block " + block + " is not of the NameNode's pool, "
          + pool);
    }
    return block;
  }
}
