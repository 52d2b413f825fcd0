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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.hdfsppr.it.cluster.HadoopClassPath;
import org.hdfsppr.it.release.HadoopHome.Run;
import org.hdfsppr.it.util.ItPaths;
import org.hdfsppr.it.util.Shell;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the release that the build has packed with the jars of each Hadoop. Its installer must
 * accept the installation, and the installed classes must load from the class path that Hadoop's
 * scripts make.
 */
@Tag("process")
class TestRelease {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final List<String> ROLES = List.of("datanode", "namenode", "client");

  @TempDir
  private Path folder;

  /** Copies Hadoop's own jars and their dependencies to the places of an unpacked Hadoop. */
  private HadoopHome unpacked(String version) throws IOException, InterruptedException {
    HadoopHome home = new HadoopHome(folder.resolve("hadoop-" + version));
    Path share = home.dir.resolve("share/hadoop");
    for (String dir : List.of("common/lib", "hdfs/lib")) {
      Files.createDirectories(share.resolve(dir));
    }
    Files.createDirectories(home.dir.resolve("libexec"));
    Files.createDirectories(home.dir.resolve("etc/hadoop"));
    for (String jar : HadoopClassPath.ofDaemons(version).split(":")) {
      Path file = Paths.get(jar);
      String name = file.getFileName().toString();
      String dir = name.startsWith("hadoop-hdfs") ? "hdfs"
          : name.startsWith("hadoop-common") ? "common" : "common/lib";
      Files.createSymbolicLink(share.resolve(dir).resolve(name), file);
    }
    // A tarball of Hadoop comes with these two files, without settings.
    home.configure("hdfs-site.xml");
    home.configure("core-site.xml");
    return home;
  }

  /** @param part a role, or "files-" and a role */
  private static boolean hasJar(HadoopHome home, String part) {
    return Files.isRegularFile(
        home.lib().resolve("hdfs-ppr-" + part + "-" + ItPaths.version() + "-dropin.jar"));
  }

  /** Runs a class with the jars of the installation's folders, as Hadoop's scripts do. */
  private String java(HadoopHome home, String... classAndArguments)
      throws IOException, InterruptedException {
    StringBuilder path = new StringBuilder(home.dir.resolve("etc/hadoop").toString());
    for (String dir : List.of("common/lib", "common", "hdfs", "hdfs/lib")) {
      path.append(':').append(home.dir.resolve("share/hadoop").resolve(dir)).append("/*");
    }
    List<String> command = new ArrayList<>(
        List.of(System.getProperty("java.home") + "/bin/java", "-cp", path.toString()));
    command.addAll(List.of(classAndArguments));
    return Shell.run(LIMIT, command);
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.3.6", "3.4.3", "3.5.0"})
  void isInstalledOnEachHadoop(String version) throws Exception {
    assertTrue(Files.isRegularFile(ItPaths.release()),
        () -> ItPaths.release() + " is not there: the build of hdfs-ppr-dist packs it");
    Shell.run(LIMIT, List.of("tar", "xzf", ItPaths.release().toString(), "-C", folder.toString()));
    Path release = folder.resolve("hdfs-ppr-" + ItPaths.version());
    for (String file : List.of("README.md", "CHANGELOG.md", "LICENSE", "NOTICE",
        "docs/install.md", "docs/troubleshooting.md", "conf/ec-policies.xml",
        "conf/hdfs-ppr-default.xml", "conf/datanode/hdfs-site.xml",
        "conf/prometheus/hdfs-ppr-alerts.yml", "conf/prometheus/hdfs-ppr-alerts-test.yml",
        "conf/prometheus/prometheus-example.yml", "conf/grafana/hdfs-ppr.json",
        "docs/metrics.md", "lib/hdfs-ppr-mapreduce-" + ItPaths.version() + ".jar")) {
      assertTrue(Files.isRegularFile(release.resolve(file)), file);
    }
    assertTrue(Files.isExecutable(release.resolve("bin/hdfs-ppr-install")));

    HadoopHome home = unpacked(version);
    Map<String, String> before = home.content();
    // First the jars of repairs alone, and then both of each role.
    for (String option : List.of("--base-only", "--with-files")) {
      for (String role : ROLES) {
        Run run = home.install(release, Paths.get(System.getProperty("java.home")), "--role", role,
            option);
        assertEquals(0, run.exit, run::toString);
        assertTrue(run.said.contains("Hadoop " + version + " in "), run::toString);
        assertTrue(!run.said.contains("is not one of those"), run::toString);
        assertTrue(hasJar(home, role), run::toString);
        assertEquals(option.equals("--with-files"), hasJar(home, "files-" + role), run::toString);
      }
      String codes = java(home, "org.hdfsppr.client.PprTool", "-codes");
      assertTrue(codes.contains("hitchhiker-xorplus-10-4"), codes);
      // The plugins and the file system must load together with the classes of this Hadoop.
      for (String name : List.of("org.hdfsppr.datanode.PprDataNodePlugin",
          "org.hdfsppr.namenode.PprNameNodePlugin", "org.apache.hadoop.hdfs.PprFileSystem")) {
        String found = java(home, "org.apache.hadoop.util.FindClass", "create", name);
        assertTrue(found.contains("Loaded " + name), found);
      }
    }

    for (String role : List.of("namenode", "client", "datanode")) {
      Run run = home.install(release, Paths.get(System.getProperty("java.home")), "--role", role,
          "--remove");
      assertEquals(0, run.exit, run::toString);
    }
    assertEquals(before, home.content());
  }
}
