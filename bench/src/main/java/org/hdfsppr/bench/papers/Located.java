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
package org.hdfsppr.bench.papers;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * A part of a JSON file that knows where it stands, so that each complaint names the file, the
 * field and what to write instead. Immutable.
 */
final class Located {
  private static final ObjectMapper MAPPER = new ObjectMapper()
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .enable(com.fasterxml.jackson.core.JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  private final String file;
  private final String path;
  private final JsonNode node;

  private Located(String file, String path, JsonNode node) {
    this.file = file;
    this.path = path;
    this.node = node;
  }

  /**
   * Parses a file.
   *
   * @param file the file's name, for complaints
   * @param text its content
   * @throws IllegalArgumentException if the text is no JSON object
   */
  static Located parse(String file, String text) {
    try {
      Located all = new Located(file, "", MAPPER.readTree(text));
      if (!all.node.isObject()) {
        throw all.wrong("", "is no object", "write { at its begin and } at its end");
      }
      return all;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(file + ", line "
          + (e.getLocation() == null ? 0 : e.getLocation().getLineNr()) + ": is no JSON: "
          + e.getOriginalMessage() + "; correct this line", e);
    }
  }

  /** {@return a complaint about a field of this object} */
  IllegalArgumentException wrong(String field, String what, String remedy) {
    String where = (path.isEmpty() || field.isEmpty() ? path : path + ".")
        + field;
    return new IllegalArgumentException(
        file + (where.isEmpty() ? "" : ", " + where) + ": " + what + "; " + remedy);
  }

  /** Refuses fields that are none of these: a field with a wrong name would be lost silently. */
  Located only(String... fields) {
    if (!node.isObject()) {
      throw wrong("", "is " + node + ", and has to be an object",
          "write an object with " + String.join(", ", fields));
    }
    Set<String> unknown = new TreeSet<>();
    node.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(Set.of(fields));
    if (!unknown.isEmpty()) {
      throw wrong(unknown.iterator().next(), "is no field here",
          "there are " + String.join(", ", fields));
    }
    return this;
  }

  boolean has(String field) {
    return node.has(field);
  }

  String text(String field) {
    return optional(field).orElseThrow(() ->
        wrong(field, "is missing", "add \"" + field + "\": \"...\""));
  }

  Optional<String> optional(String field) {
    if (!node.has(field)) {
      return Optional.empty();
    }
    if (!node.get(field).isTextual() || node.get(field).asText().isBlank()) {
      throw wrong(field, "is " + node.get(field) + ", and has to be a text",
          "write \"" + field + "\": \"...\"");
    }
    return Optional.of(node.get(field).asText());
  }

  double number(String field) {
    if (!node.has(field)) {
      throw wrong(field, "is missing", "add a number");
    }
    if (!node.get(field).isNumber()) {
      throw wrong(field, "is " + node.get(field) + ", and has to be a number",
          "write it without quotes and without unit");
    }
    return node.get(field).asDouble();
  }

  boolean flag(String field) {
    if (node.has(field) && !node.get(field).isBoolean()) {
      throw wrong(field, "is " + node.get(field), "write true or false");
    }
    return node.path(field).asBoolean(false);
  }

  Located object(String field) {
    if (!node.has(field)) {
      throw wrong(field, "is missing", "add an object");
    }
    return new Located(file, path.isEmpty() ? field : path + "." + field, node.get(field));
  }

  /** {@return the objects of an array; none if there is no such field} */
  List<Located> objects(String field) {
    List<Located> objects = new ArrayList<>();
    if (node.has(field)) {
      if (!node.get(field).isArray()) {
        throw wrong(field, "is no array", "write [ ... ]");
      }
      for (JsonNode element : node.get(field)) {
        objects.add(new Located(file,
            (path.isEmpty() ? "" : path + ".") + field + "[" + objects.size() + "]", element));
      }
    }
    return objects;
  }

  /** {@return a text, or the texts of an array; none if there is no such field} */
  List<String> texts(String field) {
    List<String> texts = new ArrayList<>();
    JsonNode values = node.path(field);
    if (values.isArray()) {
      values.forEach(value -> texts.add(textOf(field, value)));
    } else if (!values.isMissingNode()) {
      texts.add(textOf(field, values));
    }
    return texts;
  }

  /** {@return the fields of an object, each with a text or with several} */
  Map<String, List<String>> lists(String field) {
    Map<String, List<String>> lists = new LinkedHashMap<>();
    if (node.has(field)) {
      Located object = object(field);
      if (!object.node.isObject()) {
        throw wrong(field, "is no object", "write { \"NAME\": \"VALUE\" }");
      }
      for (Iterator<String> names = object.node.fieldNames(); names.hasNext();) {
        String name = names.next();
        lists.put(name, object.texts(name));
      }
    }
    return lists;
  }

  private String textOf(String field, JsonNode value) {
    if (!value.isValueNode() || value.isNull()) {
      throw wrong(field, "is " + value, "write a text, or an array of texts");
    }
    return value.asText();
  }
}
