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

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.MakeProto;
import org.hdfsppr.manage.proto.ManagerProtos.RepairCommandProto;
import org.hdfsppr.verify.DigestKey;

/** Turns a {@link MakeCommand} into a message and back. */
@InterfaceAudience.Private
final class MakeCommandCodec {
  private MakeCommandCodec() {
  }

  static CommandProto toProto(MakeCommand command) {
    RepairCommandProto work = RepairCommandCodec.toProto(command.work);
    MakeProto.Builder body = MakeProto.newBuilder().setWork(work);
    if (command.bytesPerSecond != MakeCommand.UNLIMITED) {
      body.setBytesPerS(command.bytesPerSecond);
    }
    command.digestKey.ifPresent(key -> {
      body.setDigestSeed(key.seed);
      if (key.isFolded) {
        body.setDigestFolded(true);
      }
    });
    return CommandProto.newBuilder()
        .setKind(MakeCommand.KIND)
        .setCommandId(command.id())
        .setTerm(command.term())
        // A node that lacks a feature of the work lacks a feature of the command.
        .setMustUnderstand(work.getMustUnderstand())
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
  static MakeCommand parse(CommandProto command, String pool) {
    MakeProto proto;
    try {
      proto = MakeProto.parseFrom(command.getBody());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("body is no " + MakeCommand.KIND + " message: "
          + e.getMessage(), e);
    }
    RepairCommandProto work = proto.getWork();
    if (work.getMustUnderstand() != command.getMustUnderstand()) {
      throw new IllegalArgumentException("must_understand of the work is "
          + Long.toHexString(work.getMustUnderstand()) + ", that of the command is "
          + Long.toHexString(command.getMustUnderstand()));
    }
    MakeCommand parsed = new MakeCommand(RepairCommandCodec.parse(work, pool),
        proto.hasBytesPerS() ? proto.getBytesPerS() : MakeCommand.UNLIMITED);
    if (proto.hasDigestSeed()) {
      parsed = parsed.withDigestKey(
          DigestKey.of(proto.getDigestSeed(), proto.getDigestFolded()));
    }
    if (!parsed.id().equals(Fields.id(command.getCommandId()))
        || parsed.term() != Fields.term(command.getTerm())) {
      throw new IllegalArgumentException("the work is " + parsed.id() + " of term "
          + parsed.term() + ", and the command is another");
    }
    return parsed;
  }
}
