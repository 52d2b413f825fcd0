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
 * Orders a DataNode to make blocks that do not exist yet, as linear combinations of blocks that
 * do. The node does it as it repairs, with the same trees and checks, but repairs on the node go
 * first. A command may come again: a block that is on the receiving node already, with its
 * generation stamp and its length, counts as done. The node does not know what other targets have.
 * If only theirs may be missing, it makes nothing and says so. The manager knows the block reports,
 * and orders the rest from another node. Immutable.
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
  /** The rate of a command that does not slow its nodes down. */
  public static final long UNLIMITED = 0;

  /** The blocks to make, the blocks to make them from, and the shape of the tree */
  public final RepairCommand work;
  /** The most bytes of a block that any node reads in a second; {@link #UNLIMITED} for no limit */
  public final long bytesPerSecond;
  /** The key of the digests that the result is to have; empty if it needs none */
  public final Optional<DigestKey> digestKey;

  /**
   * @param work what to make: {@link RepairCommand#blocks} are the blocks of the combined code, in
   *     its order, and {@link RepairCommand#groupId} is the group to which the new blocks belong;
   *     {@link RepairCommand#isDoubted} asks for a check of every byte
   * @param bytesPerSecond the most bytes of a block that any node reads in a second, {@link
   *     RequestBounds#BYTES_PER_SECOND_MIN} to {@link RequestBounds#BYTES_PER_SECOND_MAX}, or
   *     {@link #UNLIMITED}
   * @throws IllegalArgumentException if the rate is out of range, or the work does not list its
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
   * Asks for digests of the blocks that the receiving node has.
   *
   * @param key the key of the digests; of a folded one if the node sends digests of blocks
   * @return the same command, whose result is to have them
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
    // A node that lacks a feature of the work lacks a feature of the command.
    return FieldRules.command(this, body.build()).setMustUnderstand(work.getMustUnderstand())
        .build();
  }

  /**
   * Reads a command. The caller has checked its kind, and that this version knows all bits of
   * must_understand.
   *
   * @param pool the NameNode's block pool
   * @throws IllegalArgumentException naming the field that is wrong
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
