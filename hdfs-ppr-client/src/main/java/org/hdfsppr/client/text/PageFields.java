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
package org.hdfsppr.client.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.hdfsppr.wire.PeerText;

/**
 * Reads fields of a NameNode's document. A field may be missing or null, because the NameNode does
 * not know the value or has another version. Control characters become blanks: texts come from
 * other hosts, and control characters could give orders to the terminal.
 */
final class PageFields {
  private PageFields() {
  }

  /** Returns a text; empty if there is none. */
  static Optional<String> text(JsonNode from, String name) {
    JsonNode value = from.path(name);
    return value.isValueNode() && !value.isNull()
        ? Optional.of(PeerText.oneLine(value.asText())) : Optional.empty();
  }

  /** Returns a text, or this one if there is none. */
  static String text(JsonNode from, String name, String other) {
    return text(from, name).orElse(other);
  }

  /** Returns a whole number; 0 if there is none. */
  static long whole(JsonNode from, String name) {
    return from.path(name).asLong(0);
  }

  /** Returns a number; empty if there is none. */
  static OptionalDouble number(JsonNode from, String name) {
    JsonNode value = from.path(name);
    return value.isNumber() ? OptionalDouble.of(value.asDouble()) : OptionalDouble.empty();
  }

  /** Returns a size for people, or "unknown". */
  static String size(JsonNode from, String name) {
    OptionalDouble bytes = number(from, name);
    return bytes.isPresent() ? Quantities.size(bytes.getAsDouble()) : Quantities.UNKNOWN;
  }

  /** Returns a rate for people, or this text if there is none. */
  static String rate(JsonNode from, String name, String other) {
    OptionalDouble rate = number(from, name);
    return rate.isPresent() ? Quantities.rate(rate.getAsDouble()) : other;
  }

  /** Returns the values of a list as texts; an empty list if there is none. */
  static List<String> texts(JsonNode from, String name) {
    List<String> texts = new ArrayList<>();
    for (JsonNode one : from.path(name)) {
      texts.add(PeerText.oneLine(one.asText()));
    }
    return texts;
  }
}
