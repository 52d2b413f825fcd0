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
package org.hdfsppr.namenode.files.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.datanode.SampleAnswers;
import org.hdfsppr.datanode.Snapshot;
import org.hdfsppr.namenode.doctor.ClusterFacts;
import org.hdfsppr.namenode.doctor.Doctor;
import org.hdfsppr.namenode.files.OldReadsCheck;
import org.hdfsppr.namenode.files.SealedTicketCheck;
import org.hdfsppr.namenode.web.DoctorFacts;
import org.hdfsppr.namenode.web.DoctorPages;
import org.hdfsppr.namenode.web.PageResponse;
import org.hdfsppr.namenode.web.PageSource;
import org.hdfsppr.operate.CoreStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The JSON documents of conversions and CORE, and that of the doctor, are what they were. */
@InterfaceAudience.Private
class TestFilesDocuments {
  private static final Snapshot RECORDED =
      Snapshot.of("hdfs-ppr-files-namenode", "files-documents");
  private static final Snapshot DOCTORS = Snapshot.of("hdfs-ppr-namenode", "documents");
  private static final Map<String, PageSource> DOCUMENTS = new TreeMap<>(Map.of(
      "empty/conversions", new ConversionPages(List::of),
      "full/conversions", new ConversionPages(SampleAnswers::jobs),
      "empty/core", new CorePages(() -> CoreStatus.NONE),
      "full/core", new CorePages(SampleAnswers::core)));

  private static Set<String> documents() {
    return DOCUMENTS.keySet();
  }

  private static String text(PageSource source, String document) {
    PageResponse page =
        source.find("/v1/" + document.substring(document.indexOf('/') + 1)).orElseThrow();
    assertEquals(200, page.status);
    assertEquals("application/json; charset=utf-8", page.contentType);
    return Snapshot.indented(new String(page.body, StandardCharsets.UTF_8)) + "\n";
  }

  @ParameterizedTest
  @MethodSource("documents")
  void areAsRecorded(String document) {
    RECORDED.assertSame(document + ".json", text(DOCUMENTS.get(document), document));
  }

  @Test
  void doctorsAreAsRecorded() {
    assertDoctor("empty", DoctorFacts.none(), false);
    assertDoctor("full", DoctorFacts.sick(), false);
    assertDoctor("fine", DoctorFacts.fine(), true);
    assertDoctor("slow", DoctorFacts.slow(), true);
  }

  private static void assertDoctor(String world, ClusterFacts facts, boolean givesOldTickets) {
    String document = world + "/doctor";
    DOCTORS.assertSame(document + ".json", text(new DoctorPages(() -> facts, new Doctor(List.of(
        new SealedTicketCheck(givesOldTickets), new OldReadsCheck())), () -> 0), document));
  }

  /** A page that is added has to be recorded here. */
  @Test
  void allPagesAreRecorded() throws IOException {
    Set<String> served = new TreeSet<>();
    List<Path> sources;
    try (Stream<Path> all = Files.walk(Path.of("src", "main", "java"))) {
      sources = all.filter(file -> file.toString().replace('\\', '/').contains("/files/page/"))
          .filter(Files::isRegularFile).collect(Collectors.toList());
    }
    for (Path file : sources) {
      Matcher path = Pattern.compile("\"/v1/([a-z_]+)/?\"").matcher(Files.readString(file));
      while (path.find()) {
        served.add("empty/" + path.group(1));
        served.add("full/" + path.group(1));
      }
    }
    assertEquals(documents(), served);
  }

  @Test
  void noOtherFilesAreThere() {
    RECORDED.assertFiles(
        documents().stream().map(name -> name + ".json").collect(Collectors.toList()));
  }
}
