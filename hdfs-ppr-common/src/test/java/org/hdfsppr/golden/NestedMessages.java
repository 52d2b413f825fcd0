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

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;

/** Messages that are a field of bytes of another message. */
@InterfaceAudience.Private
final class NestedMessages {
  private static final FieldDescriptor BODY =
      CommandProto.getDescriptor().findFieldByName("body");

  private NestedMessages() {
  }

  /** Returns the message that a value of a field is; empty if it is none. */
  static Optional<Message> of(Message parent, FieldDescriptor field, Object value) {
    Message type = field.equals(BODY) ? ProtoFiles.body(((CommandProto) parent).getKind())
        : ProtoFiles.nested(field);
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
