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
package org.hdfsppr.it.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;

import org.hdfsppr.it.util.ItPaths;
import org.hdfsppr.it.util.Shell;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Looks into the artifacts that the build has made: checksums, what a release says of its contents,
 * licences in jars, and what Maven Central wants of poms.
 */
@Tag("process")
class TestReleaseContents {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Path ROOT = ItPaths.itDir().getParent();
  private static final List<String> MODULES =
      List.of("coder", "common", "datanode", "namenode", "client", "files-common",
          "files-datanode", "files-namenode", "files-client", "mapreduce");

  @TempDir
  private Path folder;
  private Path release;

  @BeforeEach
  void unpack() throws Exception {
    assertTrue(Files.isRegularFile(ItPaths.release()),
        () -> ItPaths.release() + " is not there: the build of hdfs-ppr-dist packs it");
    Shell.run(LIMIT, List.of("tar", "xzf", ItPaths.release().toString(), "-C", folder.toString()));
    release = folder.resolve("hdfs-ppr-" + ItPaths.version());
  }

  private static String run(Path where, String command) throws Exception {
    return Shell.run(LIMIT, List.of("sh", "-c", "cd \"$1\" && " + command, "-", where.toString()));
  }

  private static Set<String> files(Path dir) throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void checksumsAreThoseOfTheFiles() throws Exception {
    String name = ItPaths.release().getFileName().toString();
    String said = run(ItPaths.release().getParent(), "sha512sum -c " + name + ".sha512");
    assertEquals(name + ": OK\n", said);
    run(release, "sha512sum --strict -c SHA512SUMS");
    Set<String> summed = Files.readAllLines(release.resolve("SHA512SUMS")).stream()
        .map(line -> line.substring(line.indexOf("lib/") + 4))
        .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(files(release.resolve("lib")), summed);
    assertEquals(8, summed.size(), summed::toString);
    assertTrue(Files.readString(release.resolve("SECURITY.md")).contains("in private"));
  }

  /** Checks what CycloneDX 1.5 wants, and that the document is about these files. */
  @Test
  void theBillOfMaterialsIsThatOfTheRelease() throws Exception {
    JsonNode bom = new ObjectMapper().readTree(release.resolve("sbom.cdx.json").toFile());
    assertEquals("CycloneDX", bom.get("bomFormat").asText());
    assertEquals("1.5", bom.get("specVersion").asText());
    assertTrue(bom.get("version").isInt());
    Instant.parse(bom.at("/metadata/timestamp").asText());
    assertEquals(ItPaths.version(), bom.at("/metadata/component/version").asText());
    Set<String> references = new HashSet<>();
    assertTrue(references.add(bom.at("/metadata/component/bom-ref").asText()));
    Map<String, String> versions = new TreeMap<>();
    Map<String, String> sums = new TreeMap<>();
    for (JsonNode component : bom.get("components")) {
      assertEquals("library", component.get("type").asText());
      assertFalse(component.get("name").asText().isEmpty());
      assertTrue(component.at("/licenses/0/license/id").isTextual(), component::toString);
      assertTrue(component.get("purl").asText().startsWith("pkg:"), component::toString);
      assertTrue(references.add(component.get("bom-ref").asText()), component::toString);
      versions.put(component.get("name").asText(), component.get("version").asText());
      if (component.has("hashes")) {
        assertEquals("SHA-512", component.at("/hashes/0/alg").asText());
        assertTrue(component.at("/hashes/0/content").asText().matches("[0-9a-f]{128}"));
        sums.put(component.at("/properties/0/value").asText(),
            component.at("/hashes/0/content").asText());
      }
    }
    for (JsonNode dependency : bom.get("dependencies")) {
      assertTrue(references.contains(dependency.get("ref").asText()), dependency::toString);
      dependency.get("dependsOn").forEach(on ->
          assertTrue(references.contains(on.asText()), on::toString));
    }
    Map<String, String> found = new TreeMap<>();
    for (String line : Files.readAllLines(release.resolve("SHA512SUMS"))) {
      if (line.endsWith(".jar")) {
        found.put(line.substring(line.indexOf("lib/")), line.substring(0, line.indexOf(' ')));
      }
    }
    assertEquals(found, sums);
    // What is relocated into the jars is named, in the versions of the build.
    Element properties = child(pom(ROOT.resolve("pom.xml")), "properties");
    assertEquals(text(properties, "picocli.version"), versions.get("picocli"));
    assertEquals(text(properties, "caffeine.version"), versions.get("caffeine"));
    assertEquals(!Files.readString(release.resolve("lib/native-glibc")).startsWith("none"),
        versions.containsKey("isa-l"));
    for (String third : List.of("picocli", "caffeine")) {
      assertTrue(Files.readString(release.resolve("NOTICE")).toLowerCase(java.util.Locale.ROOT)
          .contains(third), third);
    }
  }

  private static String entry(ZipFile jar, String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    assertTrue(entry != null, () -> jar.getName() + " has no " + name);
    return new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Each jar that would be published: plain, tests, drop-in, and, after -Prelease, the others. */
  @Test
  void eachJarHasTheLicenceAndTheNotice() throws Exception {
    String licence = Files.readString(ROOT.resolve("LICENSE"));
    String notice = Files.readString(ROOT.resolve("NOTICE"));
    List<Path> jars = new ArrayList<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.list(ROOT.resolve("hdfs-ppr-" + module + "/target"))) {
        files.filter(file -> file.getFileName().toString().startsWith("hdfs-ppr-")
            && file.toString().endsWith(".jar") && !file.toString().endsWith("-javadoc.jar"))
            .forEach(jars::add);
      }
    }
    assertTrue(jars.size() >= 16, jars::toString);
    for (Path path : jars) {
      try (ZipFile jar = new ZipFile(path.toFile())) {
        assertEquals(licence, entry(jar, "META-INF/LICENSE"), path::toString);
        assertEquals(notice, entry(jar, "META-INF/NOTICE"), path::toString);
      }
    }
  }

  private static Element pom(Path file) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile())
        .getDocumentElement();
  }

  private static Element child(Element parent, String name) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element && node.getNodeName().equals(name)) {
        return (Element) node;
      }
    }
    throw new AssertionError("no <" + name + "> in <" + parent.getNodeName() + ">");
  }

  private static String text(Element parent, String name) {
    String text = child(parent, name).getTextContent().trim();
    assertFalse(text.isEmpty(), name);
    return text;
  }

  /** Modules inherit what they do not say themselves. */
  @Test
  void pomsHaveWhatMavenCentralWants() throws Exception {
    Element root = pom(ROOT.resolve("pom.xml"));
    for (String name : List.of("groupId", "version", "name", "description", "url")) {
      text(root, name);
    }
    Element licence = child(child(root, "licenses"), "license");
    assertEquals("Apache-2.0", text(licence, "name"));
    text(licence, "url");
    Element developer = child(child(root, "developers"), "developer");
    for (String name : List.of("name", "email", "organization", "organizationUrl")) {
      text(developer, name);
    }
    for (String name : List.of("connection", "developerConnection", "url")) {
      text(child(root, "scm"), name);
    }
    for (String module : MODULES) {
      Element pom = pom(ROOT.resolve("hdfs-ppr-" + module + "/pom.xml"));
      assertEquals("hdfs-ppr-" + module, text(pom, "name"));
      text(pom, "description");
      assertEquals(text(root, "version"), text(child(pom, "parent"), "version"));
    }
    for (String module : List.of("it", "bench")) {
      assertEquals("true", text(child(pom(ROOT.resolve(module + "/pom.xml")), "properties"),
          "maven.deploy.skip"));
    }
  }
}
