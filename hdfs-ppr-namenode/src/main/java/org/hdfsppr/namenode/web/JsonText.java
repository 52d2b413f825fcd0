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
package org.hdfsppr.namenode.web;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;

/**
 * The conventions of all JSON documents: names, times, rates. JavaScript cannot hold the ids of
 * block groups as numbers, so that they are strings. Stateless.
 */
@InterfaceAudience.Private
public final class JsonText {
  private static final JsonFactory FACTORY = new JsonFactory();
  /**
   * Numbers are multiplied by this, rounded and divided by it, so that they have three decimal
   * places at most.
   */
  private static final double PLACES = 1_000;

  private JsonText() {
  }

  static JsonGenerator to(OutputStream out) throws IOException {
    return FACTORY.createGenerator(out);
  }

  /**
   * Returns the name of a DataNode for operators: its host name, or its address if it has none, and
   * its transfer port.
   */
  static String name(NodeRef node) {
    return (node.hostName.isEmpty() ? node.ipAddr : node.hostName) + ":" + node.xferPort;
  }

  static String name(GroupId group) {
    return "blk_" + group.groupId;
  }

  static void node(JsonGenerator json, NodeRef node) throws IOException {
    json.writeStringField("node", name(node));
    json.writeStringField("uuid", node.uuid);
  }

  /**
   * Writes a time of day in UTC.
   *
   * @param json receives the field
   * @param field the field's name
   * @param time the time, to the millisecond; null if it is not known
   * @throws IOException if {@code json} throws it
   */
  public static void time(JsonGenerator json, String field, Instant time) throws IOException {
    if (time == null) {
      json.writeNullField(field);
    } else {
      json.writeStringField(field, time.truncatedTo(ChronoUnit.MILLIS).toString());
    }
  }

  /**
   * Writes a number with three decimal places at most.
   *
   * @param json receives the field
   * @param field the field's name
   * @param value the number; a number that is not finite stands for an unknown one, and is written
   *     as null
   * @throws IOException if {@code json} throws it
   */
  public static void number(JsonGenerator json, String field, double value) throws IOException {
    json.writeFieldName(field);
    number(json, value);
  }

  /** Writes a number; a number that is not finite is written as null. */
  static void number(JsonGenerator json, double value) throws IOException {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      json.writeNull();
    } else {
      json.writeNumber(Math.round(value * PLACES) / PLACES);
    }
  }

  /**
   * Writes a number with three decimal places at most.
   *
   * @param json receives the field
   * @param field the field's name
   * @param value the number; empty if it is not known
   * @throws IOException if {@code json} throws it
   */
  public static void number(JsonGenerator json, String field, OptionalDouble value)
      throws IOException {
    number(json, field, value.orElse(Double.NaN));
  }

  /**
   * Writes fields of an open object.
   *
   * @param json receives the fields
   * @param fields texts, truth values, numbers and further such maps, by name; a null is written as
   *     null, and a double as {@link #number} writes it
   * @throws IOException if {@code json} throws it
   */
  public static void fields(JsonGenerator json, Map<String, ?> fields) throws IOException {
    for (Map.Entry<String, ?> one : fields.entrySet()) {
      json.writeFieldName(one.getKey());
      Object value = one.getValue();
      if (value instanceof Map) {
        @SuppressWarnings("unchecked") Map<String, ?> inner = (Map<String, ?>) value;
        json.writeStartObject();
        fields(json, inner);
        json.writeEndObject();
      } else if (value instanceof Double) {
        number(json, (Double) value);
      } else {
        json.writeObject(value);
      }
    }
  }
}
