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
package org.hdfsppr.golden;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hdfsppr.column.proto.ColumnProtos.ColumnResponseProto;
import org.hdfsppr.column.proto.ColumnProtos.SquareRowProto;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;
import org.hdfsppr.manage.proto.ManagerProtos.LinksProto;
import org.hdfsppr.manage.proto.ManagerProtos.MakeProto;
import org.hdfsppr.manage.proto.ManagerProtos.PatchLogProto;
import org.hdfsppr.manage.proto.ManagerProtos.PatchProto;
import org.hdfsppr.manage.proto.ManagerProtos.ScrubProto;
import org.hdfsppr.operate.proto.ClientProtos.SpreadMoveProto;
import org.hdfsppr.operate.proto.ClientProtos.UnitTicketProto;
import org.hdfsppr.update.append.proto.UpdateProtos.TicketProto;
import org.hdfsppr.update.append.proto.UpdateProtos.UpdateRequestProto;
import org.hdfsppr.update.view.proto.ViewProtos.ViewRequestProto;

/** Messages that are a field of bytes of another message. */
@InterfaceAudience.Private
final class NestedMessages {
  private static final Map<String, Message> BODIES = Map.of(
      "scrub", ScrubProto.getDefaultInstance(), "link", LinksProto.getDefaultInstance(),
      "make", MakeProto.getDefaultInstance(), "patch", PatchProto.getDefaultInstance());
  private static final Map<FieldDescriptor, Message> TYPES = Map.of(
      field(PatchLogProto.getDefaultInstance(), "ticket"), TicketProto.getDefaultInstance(),
      field(UnitTicketProto.getDefaultInstance(), "ticket"), TicketProto.getDefaultInstance(),
      field(UpdateRequestProto.getDefaultInstance(), "ticket"), TicketProto.getDefaultInstance(),
      field(ViewRequestProto.getDefaultInstance(), "ticket"), TicketProto.getDefaultInstance(),
      field(SpreadMoveProto.getDefaultInstance(), "block"),
      LocatedBlockProto.getDefaultInstance(),
      field(ColumnResponseProto.getDefaultInstance(), "blocks"),
      LocatedBlockProto.getDefaultInstance(),
      field(SquareRowProto.getDefaultInstance(), "group"),
      LocatedBlockProto.getDefaultInstance());
  private static final FieldDescriptor BODY = field(CommandProto.getDefaultInstance(), "body");

  private NestedMessages() {
  }

  private static FieldDescriptor field(Message type, String name) {
    return type.getDescriptorForType().findFieldByName(name);
  }

  /** Returns the message that a value of a field is; empty if it is none. */
  static Optional<Message> of(Message parent, FieldDescriptor field, Object value) {
    Message type = field.equals(BODY) ? BODIES.get(((CommandProto) parent).getKind())
        : TYPES.get(field);
    if (type == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(type.getParserForType().parseFrom((ByteString) value));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(field.getFullName() + " is no " + type.getClass(), e);
    }
  }
}
