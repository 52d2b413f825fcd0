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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;

import org.hdfsppr.it.release.HadoopHome.Run;
import org.hdfsppr.it.util.ItPaths;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of the installer have in common: a release, Hadoop and Java that are stand-ins. */
abstract class InstallerRuns {
  static final String DATANODE = "org.hdfsppr.datanode.PprDataNodePlugin";

  @TempDir
  Path folder;
  Path release;
  Path java;

  @BeforeEach
  final void unpack() throws IOException {
    release = release("9.8.7");
    java = java("17.0.15");
  }

  /**
   * Makes a release of this checkout's script and conf/, with jars that contain only their names.
   */
  Path release(String version) throws IOException {
    Path dir = folder.resolve("hdfs-ppr-" + version);
    Path root = ItPaths.itDir().getParent();
    Files.createDirectories(dir.resolve("bin"));
    Files.createDirectories(dir.resolve("lib"));
    Files.createDirectories(dir.resolve("conf/shellprofile.d"));
    Files.createDirectories(dir.resolve("conf/completion"));
    for (String file : List.of("bin/hdfs-ppr-install", "conf/shellprofile.d/hdfs-ppr.sh",
        "conf/completion/hdfs-ppr.bash")) {
      Files.copy(root.resolve(file), dir.resolve(file));
    }
    StringBuilder sums = new StringBuilder();
    for (String role : List.of("datanode", "namenode", "client")) {
      String name = "hdfs-ppr-" + role + "-" + version + "-dropin.jar";
      Files.writeString(dir.resolve("lib").resolve(name), name);
      sums.append(sha512(name)).append("  lib/").append(name).append('\n');
    }
    Files.writeString(dir.resolve("SHA512SUMS"), sums);
    Files.writeString(dir.resolve("lib/native-glibc"), "2.2.5\n");
    return dir;
  }

  private static String sha512(String text) {
    try {
      byte[] sum = MessageDigest.getInstance("SHA-512").digest(text.getBytes(UTF_8));
      return String.format("%0128x", new BigInteger(1, sum));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-512", e);
    }
  }

  /** Makes a JAVA_HOME whose java reports this version and can do nothing else. */
  Path java(String version) throws IOException {
    Path home = folder.resolve("java-" + version);
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"" + version + "\" 2026' >&2\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }

  HadoopHome hadoop(String version) throws IOException {
    return HadoopHome.fake(Files.createTempDirectory(folder, "ha doop"), version);
  }

  Run done(HadoopHome home, String... options) throws Exception {
    Run run = home.install(release, java, options);
    assertEquals(0, run.exit, run::toString);
    return run;
  }

  /** Checks that a run is refused by one sentence with all of these words, and changes nothing. */
  void refused(HadoopHome home, List<String> words, String... options) throws Exception {
    refused(home, java, words, options);
  }

  void refused(HadoopHome home, Path javaHome, List<String> words, String... options)
      throws Exception {
    Map<String, String> before = home.content();
    Run run = home.install(release, javaHome, options);
    assertEquals(1, run.exit, run::toString);
    assertEquals(1, run.said.strip().lines().count(), run::toString);
    assertTrue(run.said.startsWith("hdfs-ppr-install: "), run::toString);
    for (String word : words) {
      assertTrue(run.said.contains(word), () -> "'" + word + "' is not in " + run);
    }
    assertEquals(before, home.content());
  }

  void says(Run run, String words) {
    assertTrue(run.said.contains(words), () -> "'" + words + "' is not in " + run);
  }
}
