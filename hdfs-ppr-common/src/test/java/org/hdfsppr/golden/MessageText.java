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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.util.StringUtils;

/**
 * A message for people, as protobuf's text format. That of protobuf changes with the version of
 * Hadoop, and does not know which bytes are messages.
 */
@InterfaceAudience.Private
final class MessageText {
  private static final String INDENT = "  ";

  private MessageText() {
  }

  static List<String> lines(Message message) {
    List<String> lines = new ArrayList<>();
    append(message, INDENT, lines);
    return lines;
  }

  private static void append(Message message, String indent, List<String> lines) {
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      if (field.isPacked()) {
        lines.add(indent + field.getName() + ": " + entry.getValue());
      } else if (field.isRepeated()) {
        ((List<?>) entry.getValue()).forEach(one -> append(message, field, one, indent, lines));
      } else {
        append(message, field, entry.getValue(), indent, lines);
      }
    }
    if (!message.getUnknownFields().asMap().isEmpty()) {
      lines.add(indent + "unknown fields: " + message.getUnknownFields().asMap().keySet());
    }
  }

  private static void append(Message parent, FieldDescriptor field, Object value, String indent,
      List<String> lines) {
    Optional<Message> nested = nested(parent, field, value);
    if (nested.isPresent()) {
      String type = value instanceof ByteString ? " (bytes of " + nested.get()
          .getDescriptorForType().getName() + ")" : "";
      lines.add(indent + field.getName() + type + " {");
      append(nested.get(), indent + INDENT, lines);
      lines.add(indent + "}");
    } else {
      lines.add(indent + field.getName() + ": " + scalar(field, value));
    }
  }

  static Optional<Message> nested(Message parent, FieldDescriptor field, Object value) {
    return value instanceof Message ? Optional.of((Message) value)
        : value instanceof ByteString ? NestedMessages.of(parent, field, value) : Optional.empty();
  }

  private static String scalar(FieldDescriptor field, Object value) {
    if (value instanceof ByteString) {
      return StringUtils.byteToHexString(((ByteString) value).toByteArray());
    }
    if (value instanceof String) {
      return '"' + ((String) value).replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
    switch (field.getType()) {
      case FIXED32:
        return String.format("0x%08x", value);
      case FIXED64:
        return String.format("0x%016x", value);
      default:
        return String.valueOf(value);
    }
  }
}
