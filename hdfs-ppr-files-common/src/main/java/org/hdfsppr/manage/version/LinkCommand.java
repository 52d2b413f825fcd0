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
package org.hdfsppr.manage.version;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.digest.DigestKey;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.CommandKind;
import org.hdfsppr.manage.FieldRules;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.version.proto.VersionProtos.BlockLinkProto;
import org.hdfsppr.manage.version.proto.VersionProtos.LinksProto;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.WireRules;

/**
 * Orders a DataNode to make new blocks that have the same bytes as replicas that it has. For each
 * link, the DataNode makes a replica of the new block next to that of the old one. Both share their
 * files by hard links where the volume allows it; otherwise the DataNode copies the bytes. A
 * command may arrive twice: if the new block is there already, with its generation stamp and its
 * length, the link counts as done. A command of {@link #digests} links nothing: it asks for digests
 * of blocks, which stay as they are. Immutable.
 */
@InterfaceAudience.Private
public final class LinkCommand implements ManagerCommand.OfKind {
  /** Reads commands of this kind. */
  public static final class Kind extends CommandKind {
    /** For the service loader. */
    public Kind() {
      super(KIND, "links", LinkCommand::parse);
    }
  }

  /** The name of this kind of command in messages. */
  public static final String KIND = "link";
  /**
   * How many links a command has at most. In the result, the index of a link takes the place of the
   * index of a unit, and has the same bound.
   */
  public static final int LINKS_MAX = RequestBounds.UNITS_MAX;

  private final String commandId;
  private final long term;
  private final LinksProto rest;
  /** The block pool of all blocks */
  public final String poolId;
  /** The links to make; the result refers to a link by its index in this list */
  public final List<Link> links;
  /**
   * The blocks whose digests the DataNode sends in the result, which refers to a block by its index
   * in this list; empty if there are links
   */
  public final List<BlockRef> digested;
  /** How many milliseconds the DataNode has for the command, counted from its arrival */
  public final long deadlineMs;
  /**
   * Whether the DataNode watches from now on whether clients read the old blocks, and reports it to
   * the NameNode
   */
  public final boolean watchesOld;
  /**
   * The key with which the DataNode computes the digests for the result; empty if the command has
   * links
   */
  public final Optional<DigestKey> digestKey;
  /**
   * How many bytes of a block the DataNode reads per second at most for its digest; 0 for no limit
   */
  public final long digestBytesPerSecond;

  /** A block that the DataNode has, and a new block that will have the same bytes. Immutable. */
  public static final class Link {
    /** The block of which the DataNode has a replica */
    public final BlockRef from;
    /** The new block that will have the same bytes */
    public final BlockRef to;

    /**
     * @param from the block of which the DataNode has a finalised replica, with its generation
     *     stamp and its length
     * @param to the new block that will have the same bytes
     * @throws IllegalArgumentException if the blocks differ in pool or length, are the same block,
     *     or have no bytes
     */
    public Link(BlockRef from, BlockRef to) {
      this.from = Objects.requireNonNull(from, "from");
      this.to = Objects.requireNonNull(to, "to");
      if (!from.poolId.equals(to.poolId) || from.length != to.length
          || from.blockId == to.blockId || from.length == 0) {
        throw new IllegalArgumentException("A block cannot be linked from " + from + " of "
            + from.length + " bytes to " + to + " of " + to.length + " bytes");
      }
    }

    @Override
    public String toString() {
      return from + " -> " + to;
    }
  }

  /**
   * @param commandId id of the command, which no other command or repair of the term has
   * @param term the term of the NameNode, which is the time in which it is active
   * @param links the links to make, 1 to {@link #LINKS_MAX}, all of one block pool; the result
   *     refers to a link by its index
   * @param deadlineMs how many milliseconds the DataNode has for the command, counted from its
   *     arrival, 1 to {@link RepairCommand#DEADLINE_MS_MAX}
   * @throws IllegalArgumentException if a number is out of range, or if a new block is named twice,
   *     is one of the old blocks, or is of another pool
   */
  public LinkCommand(String commandId, long term, List<Link> links, long deadlineMs) {
    this(commandId, term, links, List.of(), LinksProto.newBuilder().setDeadlineMs(deadlineMs));
  }

  /** Makes a command from a message with all fields except the lists, and the lists. */
  private LinkCommand(String commandId, long term, List<Link> links, List<BlockRef> digested,
      LinksProto.Builder rest) {
    this.rest = rest.buildPartial();
    this.commandId = Objects.requireNonNull(commandId, "commandId");
    this.term = term;
    this.links = Collections.unmodifiableList(new ArrayList<>(links));
    this.digested = Collections.unmodifiableList(new ArrayList<>(digested));
    deadlineMs = rest.getDeadlineMs();
    watchesOld = rest.getWatchOld();
    digestKey = rest.hasDigestSeed()
        ? Optional.of(DigestKey.of(rest.getDigestSeed(), rest.getDigestFolded()))
        : Optional.empty();
    digestBytesPerSecond = rest.getBytesPerS();
    int count = links.size() + digested.size();
    if (count == 0 || count > LINKS_MAX) {
      throw new IllegalArgumentException("Command " + commandId + " has " + count
          + " links, allowed are 1 to " + LINKS_MAX);
    }
    if (!links.isEmpty() && !digested.isEmpty()) {
      throw new IllegalArgumentException("Command " + commandId + " has links, and asks for digests"
          + " of further blocks: " + digested);
    }
    if (deadlineMs < 1 || deadlineMs > RepairCommand.DEADLINE_MS_MAX) {
      throw new IllegalArgumentException("Command " + commandId + " has " + deadlineMs
          + " ms until its deadline, allowed are 1 to " + RepairCommand.DEADLINE_MS_MAX);
    }
    this.poolId = links.isEmpty() ? digested.get(0).poolId : links.get(0).to.poolId;
    checkBlocks();
  }

  /**
   * Makes a command that links nothing, with which the DataNode reads blocks that it has and sends
   * their digests.
   *
   * @param commandId id of the command, which no other command or repair of the term has
   * @param term the term of the NameNode, which is the time in which it is active
   * @param blocks the blocks, of which the DataNode has finalised replicas, 1 to {@link
   *     #LINKS_MAX}, all of one block pool, with their generation stamps and lengths; the result
   *     refers to a block by its index
   * @param key the key with which the DataNode computes the digests
   * @param bytesPerSecond how many bytes of a block the DataNode reads per second at most, with the
   *     bounds of {@link MakeCommand}
   * @param withinMs how many milliseconds the DataNode has for the command, counted from its
   *     arrival, 1 to {@link RepairCommand#DEADLINE_MS_MAX}
   * @return the command
   * @throws IllegalArgumentException if a number is out of range, or if a block is named twice, has
   *     no bytes, or is of another pool
   */
  public static LinkCommand digests(String commandId, long term, List<BlockRef> blocks,
      DigestKey key, long bytesPerSecond, long withinMs) {
    MakeCommand.checkRate(commandId, bytesPerSecond);
    LinksProto.Builder rest =
        LinksProto.newBuilder().setDeadlineMs(withinMs).setDigestSeed(key.seed);
    if (key.isFolded) {
      rest.setDigestFolded(true);
    }
    if (bytesPerSecond != MakeCommand.UNLIMITED) {
      rest.setBytesPerS(bytesPerSecond);
    }
    return new LinkCommand(commandId, term, List.of(), blocks, rest);
  }

  /**
   * Makes a command that also asks the DataNode to watch from now on whether clients read the old
   * blocks, and to report it as {@link OldReads}.
   *
   * @return the same command with this request
   */
  public LinkCommand watchingOld() {
    return new LinkCommand(commandId, term, links, digested, rest.toBuilder().setWatchOld(true));
  }

  private void checkBlocks() {
    Set<Long> old = new HashSet<>();
    links.forEach(link -> old.add(link.from.blockId));
    Set<Long> made = new HashSet<>();
    for (Link link : links) {
      if (!link.to.poolId.equals(poolId) || old.contains(link.to.blockId)
          || !made.add(link.to.blockId)) {
        throw new IllegalArgumentException("Command " + commandId + " links to " + link.to
            + ", which is named twice or of another pool: " + links);
      }
    }
    Set<Long> read = new HashSet<>();
    for (BlockRef block : digested) {
      if (!block.poolId.equals(poolId) || block.length == 0 || !read.add(block.blockId)) {
        throw new IllegalArgumentException("Command " + commandId + " asks for a digest of " + block
            + ", which is empty, named twice or of another pool: " + digested);
      }
    }
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public String id() {
    return commandId;
  }

  @Override
  public long term() {
    return term;
  }

  @Override
  public CommandProto toProto() {
    LinksProto.Builder body = rest.toBuilder().setBlockPoolId(poolId);
    for (Link link : links) {
      body.addLinks(BlockLinkProto.newBuilder()
          .setFrom(WireRules.toProtoWithLength(link.from, poolId))
          .setTo(WireRules.toProtoWithLength(link.to, poolId)));
    }
    for (BlockRef block : digested) {
      body.addDigested(WireRules.toProtoWithLength(block, poolId));
    }
    CommandProto.Builder message = FieldRules.command(this, body.build());
    if (!digested.isEmpty()) {
      message.setMustUnderstand(CommandFeatures.BLOCK_DIGESTS);
    }
    return message.build();
  }

  /**
   * Parses a command. The caller has checked that the command is of this kind, and that this
   * version knows all bits of must_understand.
   *
   * @param pool the NameNode's block pool
   * @throws IllegalArgumentException whose message names the wrong field
   */
  static LinkCommand parse(CommandProto command, String pool) {
    LinksProto proto = FieldRules.body(command, LinksProto.parser());
    FieldRules.pool(proto.getBlockPoolId(), pool);
    FieldRules.atMost("links", proto.getLinksCount(), LINKS_MAX);
    List<Link> links = new ArrayList<>();
    for (BlockLinkProto link : proto.getLinksList()) {
      links.add(new Link(FieldRules.block(link.getFrom(), pool),
          FieldRules.block(link.getTo(), pool)));
    }
    FieldRules.atMost("digested", proto.getDigestedCount(), LINKS_MAX);
    if (proto.getDigestedCount() > 0) {
      return digests(command, proto, links, pool);
    }
    LinkCommand read = new LinkCommand(FieldRules.id(command.getCommandId()),
        FieldRules.term(command.getTerm()), links, proto.getDeadlineMs());
    return proto.getWatchOld() ? read.watchingOld() : read;
  }

  private static LinkCommand digests(CommandProto command, LinksProto proto, List<Link> links,
      String pool) {
    if (!links.isEmpty() || proto.getWatchOld() || !proto.hasDigestSeed()) {
      throw new IllegalArgumentException("digested is there with links, or without digest_seed");
    }
    List<BlockRef> blocks = new ArrayList<>();
    DigestKey key = DigestKey.of(proto.getDigestSeed(), proto.getDigestFolded());
    proto.getDigestedList().forEach(one -> blocks.add(FieldRules.block(one, pool)));
    return digests(FieldRules.id(command.getCommandId()), FieldRules.term(command.getTerm()),
        blocks, key,
        proto.getBytesPerS(), proto.getDeadlineMs());
  }

  @Override
  public String toString() {
    return (links.isEmpty() ? "digests " : "links ") + commandId + " of term " + term + " within "
        + deadlineMs + " ms: " + (links.isEmpty() ? digested : links);
  }
}
