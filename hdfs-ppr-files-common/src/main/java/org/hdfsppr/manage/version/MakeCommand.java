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

import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.digest.DigestKey;
import org.hdfsppr.manage.CommandKind;
import org.hdfsppr.manage.FieldRules;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.RepairCommandProto;
import org.hdfsppr.manage.version.proto.VersionProtos.MakeProto;
import org.hdfsppr.wire.RequestBounds;

/**
 * Orders a DataNode to make blocks that do not exist yet, as linear combinations of existing
 * blocks. The DataNode does this as it does a repair, with the same trees and checks. Repairs on
 * the DataNode go first. A command may arrive twice: a block that the receiving DataNode already
 * has, with its generation stamp and its length, counts as done. The DataNode does not know which
 * blocks other destinations of the command have. If it has all of its own, it makes nothing and
 * says so. The NameNode, which knows the block reports, then orders the missing blocks from another
 * DataNode. Immutable.
 */
@InterfaceAudience.Private
public final class MakeCommand implements ManagerCommand.OfKind {
  /** Reads commands of this kind. */
  public static final class Kind extends CommandKind {
    /** For the service loader. */
    public Kind() {
      super(KIND, "makings", MakeCommand::parse);
    }
  }

  /** The name of this kind of command in messages. */
  public static final String KIND = "make";
  /** The value of {@link #bytesPerSecond} with which DataNodes read as fast as they can. */
  public static final long UNLIMITED = 0;

  /**
   * The work as a repair: the blocks to make, the blocks to make them from, and the shape of the
   * tree in which DataNodes add them up
   */
  public final RepairCommand work;
  /**
   * How many bytes of a block any DataNode reads per second at most; {@link #UNLIMITED} for no
   * limit
   */
  public final long bytesPerSecond;
  /**
   * The key with which the receiving DataNode computes digests of the new blocks, for the result;
   * empty if the result needs no digests
   */
  public final Optional<DigestKey> digestKey;

  /**
   * @param work the work as a repair: {@link RepairCommand#blocks} lists all blocks of the combined
   *     code, in the order of the code's units; {@link RepairCommand#groupId} is the block group to
   *     which the new blocks belong; with {@link RepairCommand#doubted}, DataNodes check every byte
   * @param bytesPerSecond how many bytes of a block any DataNode reads per second at most, {@link
   *     RequestBounds#BYTES_PER_SECOND_MIN} to {@link RequestBounds#BYTES_PER_SECOND_MAX}, or
   *     {@link #UNLIMITED}
   * @throws IllegalArgumentException if the rate is out of range, or if {@code work} has no list of
   *     blocks
   */
  public MakeCommand(RepairCommand work, long bytesPerSecond) {
    this(work, bytesPerSecond, Optional.empty());
  }

  private MakeCommand(RepairCommand work, long bytesPerSecond, Optional<DigestKey> digestKey) {
    this.digestKey = digestKey;
    this.work = Objects.requireNonNull(work, "work");
    this.bytesPerSecond = bytesPerSecond;
    if (work.blocks.isEmpty()) {
      throw new IllegalArgumentException("Command " + work.id() + " does not list the blocks of"
          + " its code");
    }
    checkRate(work.id(), bytesPerSecond);
  }

  static void checkRate(String commandId, long bytesPerSecond) {
    if (bytesPerSecond != UNLIMITED && (bytesPerSecond < RequestBounds.BYTES_PER_SECOND_MIN
        || bytesPerSecond > RequestBounds.BYTES_PER_SECOND_MAX)) {
      throw new IllegalArgumentException("Command " + commandId + " has " + bytesPerSecond
          + " bytes per second, allowed are " + UNLIMITED + " (no limit) and "
          + RequestBounds.BYTES_PER_SECOND_MIN + " to " + RequestBounds.BYTES_PER_SECOND_MAX);
    }
  }

  /**
   * Makes a command that also asks for digests of the new blocks on the receiving DataNode.
   *
   * @param key the key of the digests; one of folded digests only if the DataNode announces that it
   *     sends digests of blocks
   * @return the same command, whose result will have these digests
   */
  public MakeCommand withDigestKey(DigestKey key) {
    return new MakeCommand(work, bytesPerSecond, Optional.of(key));
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public String id() {
    return work.id();
  }

  @Override
  public long term() {
    return work.term();
  }

  @Override
  public CommandProto toProto() {
    RepairCommandProto work = this.work.toProto();
    MakeProto.Builder body = MakeProto.newBuilder().setWork(work);
    if (bytesPerSecond != UNLIMITED) {
      body.setBytesPerS(bytesPerSecond);
    }
    digestKey.ifPresent(key -> {
      body.setDigestSeed(key.seed);
      if (key.isFolded) {
        body.setDigestFolded(true);
      }
    });
    // A DataNode that does not understand the work must not accept the command, so both have the
    // same bits.
    return FieldRules.command(this, body.build()).setMustUnderstand(work.getMustUnderstand())
        .build();
  }

  /**
   * Parses a command. The caller has checked that the command is of this kind, and that this
   * version knows all bits of must_understand.
   *
   * @param pool the NameNode's block pool
   * @throws IllegalArgumentException whose message names the wrong field
   */
  static MakeCommand parse(CommandProto command, String pool) {
    MakeProto proto = FieldRules.body(command, MakeProto.parser());
    RepairCommandProto work = proto.getWork();
    if (work.getMustUnderstand() != command.getMustUnderstand()) {
      throw new IllegalArgumentException("must_understand of the work is "
          + Long.toHexString(work.getMustUnderstand()) + ", that of the command is "
          + Long.toHexString(command.getMustUnderstand()));
    }
    MakeCommand parsed = new MakeCommand(RepairCommand.parse(work, pool),
        proto.hasBytesPerS() ? proto.getBytesPerS() : UNLIMITED);
    if (proto.hasDigestSeed()) {
      parsed = parsed.withDigestKey(
          DigestKey.of(proto.getDigestSeed(), proto.getDigestFolded()));
    }
    if (!parsed.id().equals(FieldRules.id(command.getCommandId()))
        || parsed.term() != FieldRules.term(command.getTerm())) {
      throw new IllegalArgumentException("the work is " + parsed.id() + " of term "
          + parsed.term() + ", and the command is another");
    }
    return parsed;
  }

  @Override
  public String toString() {
    return "making at " + (bytesPerSecond == UNLIMITED ? "any rate" : bytesPerSecond + " bytes/s")
        + ", as " + work;
  }
}
