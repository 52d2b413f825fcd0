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
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import org.hdfsppr.it.release.HadoopHome.Run;
import org.hdfsppr.it.util.ItPaths;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What tests of the installer have in common: a release, Hadoop and Java that are stand-ins, and
 * file tools that note their calls, fail, or end the installer.
 */
abstract class InstallerRuns {
  static final String DATANODE = "org.hdfsppr.datanode.PprDataNodePlugin";
  private static final List<String> ROLES = List.of("datanode", "namenode", "client");

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
    for (String role : ROLES) {
      for (String part : List.of(role, "files-" + role)) {
        String name = jar(part, version);
        Files.writeString(dir.resolve("lib").resolve(name), name);
        sums.append(sha512(name)).append("  lib/").append(name).append('\n');
      }
    }
    Files.writeString(dir.resolve("SHA512SUMS"), sums);
    Files.writeString(dir.resolve("lib/native-glibc"), "2.2.5\n");
    return dir;
  }

  /** Makes a release 0.2.0: the installer that it had, one jar for each role, and no checksums. */
  Path release020() throws IOException {
    Path dir = release("0.2.0");
    for (String role : ROLES) {
      Files.delete(dir.resolve("lib").resolve(jar("files-" + role, "0.2.0")));
    }
    Files.delete(dir.resolve("SHA512SUMS"));
    Files.writeString(dir.resolve("conf/completion/hdfs-ppr.bash"), "# older\n");
    Files.copy(ItPaths.itDir().resolve("src/test/resources/release-0.2.0/hdfs-ppr-install"),
        dir.resolve("bin/hdfs-ppr-install"), StandardCopyOption.REPLACE_EXISTING);
    return dir;
  }

  /** @param part a role, or "files-" and a role */
  static String jar(String part, String version) {
    return "hdfs-ppr-" + part + "-" + version + "-dropin.jar";
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
    return doneBy(release, home, options);
  }

  Run doneBy(Path by, HadoopHome home, String... options) throws Exception {
    Run run = home.install(by, java, options);
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

  /** Makes a PATH whose file tools write down how they are called. */
  Map<String, String> noting(Path notes) throws IOException {
    return tools(List.of("mv", "cp", "rm", "sync"), tool -> "echo \"" + tool + " $*\" >> '" + notes
        + "'\nPATH=/usr/bin:/bin exec " + tool + " \"$@\"\n");
  }

  /** Makes a PATH whose file tools fail, and do nothing, where a call matches a shell pattern. */
  Map<String, String> failingAt(String pattern) throws IOException {
    return tools(List.of("mv", "cp", "rm", "sync"), tool -> "case \"" + tool + " $*\" in\n"
        + "  " + pattern + ") echo this tool fails >&2; exit 1 ;;\nesac\n"
        + "PATH=/usr/bin:/bin exec " + tool + " \"$@\"\n");
  }

  /**
   * Makes a PATH whose file tools send a signal to the installer at their n-th call, before or
   * after the tool does its work.
   */
  Map<String, String> endingAt(int call, String signal, boolean before) throws IOException {
    Path count = Files.createTempFile(folder, "count", "");
    String hit = "[ $(wc -c < '" + count + "') -eq " + call + " ] && kill -" + signal + " $PPID\n";
    return tools(List.of("mv", "cp", "rm", "mkdir", "chmod", "sync"), tool -> "printf . >> '"
        + count + "'\n" + (before ? hit : "") + "PATH=/usr/bin:/bin " + tool + " \"$@\"\nrc=$?\n"
        + (before ? "" : hit) + "exit $rc\n");
  }

  private Map<String, String> tools(List<String> names, UnaryOperator<String> script)
      throws IOException {
    Path tools = Files.createTempDirectory(folder, "tools");
    for (String name : names) {
      Path tool = Files.writeString(tools.resolve(name), "#!/bin/sh\n" + script.apply(name));
      Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return Map.of("PATH", tools + ":" + System.getenv("PATH"));
  }

  /** Returns the index of the first call that matches a regular expression. */
  static int at(List<String> calls, String pattern) {
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).matches(pattern)) {
        return i;
      }
    }
    throw new AssertionError("no call '" + pattern + "' in " + calls);
  }

  /** Returns the names of the project's jars in a home. */
  static Set<String> jars(HadoopHome home) throws IOException {
    return home.content().keySet().stream()
        .filter(path -> path.contains("hdfs-ppr-") && path.endsWith(".jar"))
        .map(path -> path.substring(path.lastIndexOf('/') + 1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
