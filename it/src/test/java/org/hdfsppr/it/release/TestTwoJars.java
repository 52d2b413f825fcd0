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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.hdfsppr.it.util.ItPaths;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests what the two drop-in jars of each role contain. A cluster with the first jars alone has no
 * door into the namespace, no protocol of users, and nothing that answers requests about updates
 * and views.
 */
class TestTwoJars {
  /** What the first jar of no role has: beginnings of class names. */
  private static final List<String> FILES_ONLY = List.of("org/hdfsppr/operate/",
      "org/hdfsppr/column/", "org/hdfsppr/update/", "org/hdfsppr/digest/",
      "org/hdfsppr/manage/version/", "org/hdfsppr/core/formation/",
      "org/hdfsppr/core/membership/", "org/hdfsppr/datanode/update/",
      "org/hdfsppr/datanode/version/", "org/hdfsppr/datanode/watch/",
      "org/hdfsppr/namenode/version/", "org/hdfsppr/namenode/commit/",
      "org/hdfsppr/namenode/convert/", "org/hdfsppr/namenode/update/",
      "org/hdfsppr/namenode/core/", "org/hdfsppr/namenode/files/", "org/hdfsppr/client/files/",
      "org/hdfsppr/client/device/", "org/hdfsppr/client/nbd/", "org/hdfsppr/mapreduce/",
      "org/apache/hadoop/hdfs/server/datanode/fsdataset/");
  /** Doors and protocols by their names, wherever they lie. */
  private static final Set<String> FILES_CLASSES = Set.of("VersionSwap", "UpdateAccess",
      "CoreAccess", "NamespaceAccess", "ReplicaLinksAccess", "OldReadsAccess", "SpreadAccess",
      "TicketSigner", "PprClientProtocolPB", "ColumnProtocolPB", "UpdateHandler", "ViewHandler",
      "UpdateTicket");

  private static Set<String> classes(JarFile jar) {
    return jar.stream().map(JarEntry::getName).filter(name -> name.endsWith(".class"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static JarFile open(Path jar) throws IOException {
    assertTrue(Files.isRegularFile(jar), () -> jar + " is not built");
    return new JarFile(jar.toFile());
  }

  private static boolean isOfFiles(String entry) {
    String name = entry.substring(entry.lastIndexOf('/') + 1).replaceAll("(\\$.*)?\\.class$", "");
    return FILES_ONLY.stream().anyMatch(entry::startsWith) || FILES_CLASSES.contains(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"datanode", "namenode", "client"})
  void noClassIsInBoth(String role) throws IOException {
    try (JarFile base = open(ItPaths.dropInJar(role));
        JarFile files = open(ItPaths.filesJar(role))) {
      Set<String> both = classes(base);
      both.retainAll(classes(files));
      assertEquals(Set.of(), both);
      assertEquals(base.getManifest().getMainAttributes()
          .getValue(Attributes.Name.IMPLEMENTATION_VERSION), ItPaths.version());
      assertEquals(files.getManifest().getMainAttributes()
          .getValue(Attributes.Name.IMPLEMENTATION_VERSION), ItPaths.version());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"datanode", "namenode", "client"})
  void theFirstJarHasNothingOfFiles(String role) throws IOException {
    try (JarFile base = open(ItPaths.dropInJar(role))) {
      assertEquals(List.of(), classes(base).stream().filter(TestTwoJars::isOfFiles)
          .collect(Collectors.toList()));
    }
  }

  /** Each name of the lists occurs in some second jar: otherwise a list would check nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"datanode,namenode,client"})
  void eachNameOfTheListsIsOfFiles(String roles) throws IOException {
    Set<String> found = new TreeSet<>();
    for (String role : roles.split(",")) {
      try (JarFile files = open(ItPaths.filesJar(role))) {
        found.addAll(classes(files));
      }
    }
    for (String name : FILES_CLASSES) {
      assertTrue(found.stream().anyMatch(entry -> entry.endsWith("/" + name + ".class")), name);
    }
    for (String beginning : FILES_ONLY) {
      // The MapReduce job has a jar of its own.
      assertTrue(beginning.equals("org/hdfsppr/mapreduce/")
          || found.stream().anyMatch(entry -> entry.startsWith(beginning)), beginning);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"datanode", "namenode", "client"})
  void theSecondJarHasNoLibraryAndItsServicesAreThere(String role) throws IOException {
    try (JarFile files = open(ItPaths.filesJar(role))) {
      assertEquals(List.of(), classes(files).stream()
          .filter(name -> !name.startsWith("org/hdfsppr/") && !name.startsWith("org/apache/hadoop/")
              || name.contains("shaded"))
          .collect(Collectors.toList()));
      Map<String, String> services = files.stream()
          .filter(entry -> entry.getName().startsWith("META-INF/services/org."))
          .collect(Collectors.toMap(JarEntry::getName, entry -> read(files, entry)));
      assertTrue(services.containsKey("META-INF/services/org.hdfsppr.manage.CommandKind"),
          services::toString);
      assertTrue(services.keySet().stream().anyMatch(name -> name.endsWith("Extension")),
          services::toString);
      for (String providers : services.values()) {
        for (String provider : providers.trim().split("\\s+")) {
          assertTrue(files.getEntry(provider.replace('.', '/') + ".class") != null, provider);
        }
      }
    }
  }

  private static String read(JarFile jar, JarEntry entry) {
    try {
      return new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
