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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.Snapshot;
import org.hdfsppr.namenode.doctor.FindingCode;
import org.hdfsppr.namenode.manage.explain.ExplainRequests;
import org.hdfsppr.namenode.manage.explain.GroupCause;
import org.hdfsppr.namenode.manage.status.WaitReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The JSON documents of the NameNode's pages are what they were. Programs of operators read them,
 * and the tests of the command make its texts of these files.
 */
@InterfaceAudience.Private
class TestDocumentSnapshots {
  private static final Snapshot RECORDED = Snapshot.of("hdfs-ppr-namenode", "documents");
  private static final String END = ".json";
  /** Of the manager, in its own tests. */
  private static final String EXPLAINED = "explain/";
  private static final String ERRORS = "errors.txt";

  private static Stream<String> documents() {
    return Worlds.all().entrySet().stream().flatMap(world ->
        world.getValue().keySet().stream().map(page -> world.getKey() + "/" + page));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void areAsRecorded(String document) {
    String[] names = document.split("/");
    PageResponse page = Worlds.all().get(names[0]).get(names[1]).find("/v1/" + names[1])
        .orElseThrow();
    assertEquals(200, page.status);
    assertEquals("application/json; charset=utf-8", page.contentType);
    String text = Snapshot.indented(new String(page.body, StandardCharsets.UTF_8)) + "\n";
    if (names[1].equals(Worlds.DOCTOR)) {
      // What is recorded has the checks of an extension, too, whose tests compare all of it.
      assertEquals(withoutOthers(RECORDED.read(document + END)), text);
    } else {
      RECORDED.assertSame(document + END, text);
    }
  }

  /** Returns a document of the doctor without what an extension checks. */
  private static String withoutOthers(String doctor) {
    return doctor.replaceAll("(?s)\\{\\s*\"severity\":[^{}]*?\"code\":\\s*\""
        + "(?:tickets_old|reads_unseen)\"[^{}]*\\},\\s*", "");
  }

  /** A page without a document says so in words. */
  @Test
  void errorsAreAsRecorded() {
    ExplainRequests silent = new ExplainRequests(() -> 0);
    PageRegistry desk = new PageRegistry(List.of(new ExplainPages(silent, 1), path -> {
      if (path.equals("/v1/fails")) {
        throw new IllegalStateException("a test");
      }
      return Optional.empty();
    }), "run");
    List<String> lines = new ArrayList<>();
    for (String path : List.of("/v1/nothing", "/v1/fails", "/v1/explain/file",
        "/v1/explain/blk_16", "/v1/explain/blk_-16")) {
      lines.add(line(path, desk.find(path)));
    }
    for (int i = 2; i <= 16; i++) {
      silent.ask(-16L * i);
    }
    lines.add(line("/v1/explain/blk_-16000", desk.find("/v1/explain/blk_-16000")));
    desk.close();
    lines.add(line("/v1/status", desk.find("/v1/status")));
    RECORDED.assertSame(ERRORS, String.join("", lines));
  }

  private static String line(String path, PageResponse page) {
    return path + " " + page.status + " " + page.contentType + "\n    "
        + new String(page.body, StandardCharsets.UTF_8);
  }

  /** What is not recorded could change unnoticed. */
  @Test
  void allPagesAreRecorded() throws IOException {
    Set<String> served = new TreeSet<>();
    Pattern paths = Pattern.compile("\"/(v1/[a-z_]+)/?\"");
    for (Path file : sources()) {
      Matcher path = paths.matcher(Files.readString(file));
      while (path.find()) {
        served.add(path.group(1));
      }
    }
    Set<String> recorded = new TreeSet<>(Set.of("v1/explain"));
    Worlds.all().values().forEach(pages -> pages.keySet().forEach(page ->
        recorded.add("v1/" + page)));
    assertEquals(recorded, served);
    Set<String> both = Worlds.all().get("full").keySet().stream().map(page -> "v1/" + page)
        .collect(Collectors.toCollection(TreeSet::new));
    both.add("v1/explain");
    assertEquals(both, served, "each page is recorded with something in all fields");
    assertEquals(Worlds.all().get("full").keySet(), Worlds.all().get("empty").keySet());
  }

  /** A source that is added has to be recorded here, in the test of metrics, or is no document. */
  @Test
  void allSourcesAreRecorded() throws IOException {
    Set<String> sources = new TreeSet<>();
    for (Path file : sources()) {
      Matcher one = Pattern.compile("class (\\w+) (?:implements PageSource|extends ShortDocument)")
          .matcher(Files.readString(file));
      while (one.find()) {
        sources.add(one.group(1));
      }
    }
    Set<String> known = new TreeSet<>(Set.of("ExplainPages", "MetricsPage", "StaticPages"));
    Worlds.all().values().forEach(pages -> pages.values().forEach(source ->
        known.add(source.getClass().getSimpleName())));
    assertEquals(known, sources);
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> all = Files.walk(Path.of("src", "main", "java"))) {
      return all.filter(file -> file.toString().endsWith(".java")
          && !file.toString().replace('\\', '/').contains("/files/")).collect(Collectors.toList());
    }
  }

  @Test
  void noOtherFilesAreThere() {
    List<String> made = documents().map(name -> name + END).collect(Collectors.toList());
    made.add(ERRORS);
    RECORDED.files().stream().filter(file -> file.startsWith(EXPLAINED)).forEach(made::add);
    RECORDED.assertFiles(made);
  }

  /** In the full world every optional part is there. */
  @Test
  void nothingIsLeftOut() throws IOException {
    JsonNode groups = read("full/groups");
    assertEquals(Stream.of(WaitReason.values()).map(WaitReason::code)
        .collect(Collectors.toCollection(TreeSet::new)), values(groups, "reason"));
    TreeSet<String> found = new TreeSet<>();
    for (JsonNode finding : read("full/doctor").get("findings")) {
      if (!finding.get("severity").asText().equals("ok")) {
        found.add(finding.get("code").asText());
      }
    }
    assertEquals(Stream.of(FindingCode.values()).map(FindingCode::word)
        .collect(Collectors.toCollection(TreeSet::new)), found);
    TreeSet<String> causes = new TreeSet<>();
    for (String file : RECORDED.files()) {
      if (file.startsWith(EXPLAINED)) {
        causes.add(new ObjectMapper().readTree(RECORDED.read(file)).get("cause").asText());
      }
    }
    assertEquals(Stream.of(GroupCause.values()).map(GroupCause::code)
        .collect(Collectors.toCollection(TreeSet::new)), causes);
    for (String document : Worlds.all().get("full").keySet()) {
      Map<String, Boolean> fields = new TreeMap<>();
      look(read("full/" + document), document, fields);
      fields.forEach((field, isFilled) ->
          assertTrue(isFilled, field + " has nothing in it in the full world"));
    }
  }

  private static JsonNode read(String document) throws IOException {
    return new ObjectMapper().readTree(RECORDED.read(document + END));
  }

  private static TreeSet<String> values(JsonNode document, String field) {
    return new TreeSet<>(document.findValuesAsText(field));
  }

  /** Notes for each field whether something is in it anywhere in the document. */
  private static void look(JsonNode value, String name, Map<String, Boolean> fields) {
    if (value.isObject()) {
      value.fields().forEachRemaining(field ->
          look(field.getValue(), name + "." + field.getKey(), fields));
    } else if (value.isArray()) {
      // A tree has the same fields at each height.
      value.forEach(entry -> look(entry, (name + "[]").replace(".tree.children[]", ".tree"),
          fields));
    }
    boolean isFilled = value.isContainerNode() ? value.size() > 0 : !value.isNull();
    fields.merge(name, isFilled, Boolean::logicalOr);
  }
}
