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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A run that has ended, as it stands in its file. Immutable. */
final class StoredRun {
  final JsonNode json;

  private StoredRun(JsonNode json) {
    this.json = json;
  }

  static StoredRun of(PaperRun run, MachineFacts machine, String begun, double seconds,
      JsonNode rows) {
    ObjectNode json = new ObjectMapper().createObjectNode()
        .put("paper", run.paper)
        .put("run", run.definition)
        .put("scope", run.scope.label())
        .put("label", run.label);
    ArrayNode words = json.putArray("command");
    run.command.forEach(words::add);
    ObjectNode variables = json.putObject("variables");
    run.variables.entrySet().stream().sorted(Map.Entry.comparingByKey())
        .forEach(variable -> variables.put(variable.getKey(), variable.getValue()));
    json.put("seed", run.seed().orElse("none")).put("begun", begun).put("seconds", seconds)
        .put("expected_seconds", run.expectedSeconds);
    ObjectNode facts = json.putObject("machine");
    machine.all().forEach(facts::put);
    json.set("rows", rows);
    return new StoredRun(json);
  }

  /**
   * Takes what a file contains.
   *
   * @throws IllegalArgumentException if this is no run
   */
  static StoredRun of(JsonNode json) {
    if (!json.path("command").isArray() || !json.path("rows").isArray()
        || !json.path("seconds").isNumber() || !json.path("machine").isObject()) {
      throw new IllegalArgumentException("is no run: command, rows, seconds or machine is missing");
    }
    return new StoredRun(json);
  }

  String paper() {
    return json.path("paper").asText();
  }

  String definition() {
    return json.path("run").asText();
  }

  String scope() {
    return json.path("scope").asText();
  }

  String label() {
    return json.path("label").asText();
  }

  List<String> command() {
    List<String> words = new ArrayList<>();
    json.get("command").forEach(word -> words.add(word.asText()));
    return words;
  }

  /** {@return the seed, or {@code none} if the benchmark draws nothing} */
  String seed() {
    return json.path("seed").asText();
  }

  String begun() {
    return json.path("begun").asText();
  }

  double seconds() {
    return json.get("seconds").asDouble();
  }

  double expectedSeconds() {
    return json.path("expected_seconds").asDouble();
  }

  Map<String, String> machine() {
    Map<String, String> facts = new LinkedHashMap<>();
    json.get("machine").fields()
        .forEachRemaining(fact -> facts.put(fact.getKey(), fact.getValue().asText()));
    return facts;
  }

  /** {@return the rows of the benchmark, each with the run's variables as {@code arg.NAME}} */
  List<JsonNode> rows() {
    List<JsonNode> rows = new ArrayList<>();
    for (JsonNode row : json.get("rows")) {
      ObjectNode with = row.deepCopy();
      json.path("variables").fields()
          .forEachRemaining(field -> with.set("arg." + field.getKey(), field.getValue()));
      rows.add(with);
    }
    return rows;
  }
}
