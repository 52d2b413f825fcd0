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

import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** Messages without optional fields, as a peer may send them that knows, or wants, no more. */
@InterfaceAudience.Private
final class StrippedMessage {
  private StrippedMessage() {
  }

  /** Returns what a message has to have. Lists stay, with what each element has to have. */
  static Message bare(Message message) {
    return strip(message, false);
  }

  /** Returns a message in which each message stays, with what it has to have. */
  static Message thin(Message message) {
    return strip(message, true);
  }

  private static Message strip(Message message, boolean keepsMessages) {
    Message.Builder builder = message.newBuilderForType();
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      if (field.isRepeated()) {
        for (Object one : (List<?>) entry.getValue()) {
          builder.addRepeatedField(field, value(message, field, one, keepsMessages));
        }
      } else if (field.isRequired()
          || keepsMessages && MessageText.nested(message, field, entry.getValue()).isPresent()) {
        builder.setField(field, value(message, field, entry.getValue(), keepsMessages));
      }
    }
    return builder.build();
  }

  private static Object value(Message parent, FieldDescriptor field, Object value,
      boolean keepsMessages) {
    // Messages of Hadoop's stay as they are.
    return MessageText.nested(parent, field, value)
        .filter(nested -> nested.getDescriptorForType().getFullName().startsWith("org.hdfsppr."))
        .map(nested -> {
          Message stripped = strip(nested, keepsMessages);
          return value instanceof ByteString ? (Object) stripped.toByteString() : stripped;
        }).orElse(value);
  }
}
