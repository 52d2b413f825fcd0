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

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A folder that looks to {@code bin/hdfs-ppr-install} like a Hadoop installation. */
final class HadoopHome {

  /**
   * The time limit of a run, seconds. The script takes well under a second, and many times that on
   * a loaded machine.
   */
  private static final long LIMIT_S = 120;

  final Path dir;

  HadoopHome(Path dir) {
    this.dir = dir;
  }

  /** Creates the folders and files of an unpacked release. The jars are empty. */
  static HadoopHome fake(Path dir, String version) throws IOException {
    Files.createDirectories(dir.resolve("share/hadoop/common/lib"));
    Files.createDirectories(dir.resolve("share/hadoop/hdfs/lib"));
    Files.createDirectories(dir.resolve("libexec"));
    Files.createDirectories(dir.resolve("etc/hadoop"));
    for (String jar : List.of("hadoop-hdfs-", "hadoop-hdfs-client-", "hadoop-hdfs-rbf-")) {
      Files.createFile(dir.resolve("share/hadoop/hdfs/" + jar + version + ".jar"));
    }
    Files.createFile(dir.resolve("share/hadoop/hdfs/hadoop-hdfs-" + version + "-tests.jar"));
    HadoopHome home = new HadoopHome(dir);
    home.configure("hdfs-site.xml");
    home.configure("core-site.xml");
    return home;
  }

  /** Creates the folders of Bigtop's packages: jars of HDFS lie beside the home, not below it. */
  static HadoopHome packaged(Path dir, String version) throws IOException {
    Files.createDirectories(dir.resolve("hadoop-hdfs/lib"));
    Path home = dir.resolve("hadoop");
    Files.createDirectories(home.resolve("libexec"));
    Files.createDirectories(home.resolve("lib"));
    Files.createDirectories(home.resolve("etc/hadoop"));
    Files.createFile(dir.resolve("hadoop-hdfs/hadoop-hdfs-" + version + ".jar"));
    Files.createSymbolicLink(dir.resolve("hadoop-hdfs/hadoop-hdfs.jar"),
        dir.resolve("hadoop-hdfs/hadoop-hdfs-" + version + ".jar"));
    HadoopHome made = new HadoopHome(home);
    made.configure("hdfs-site.xml");
    made.configure("core-site.xml");
    return made;
  }

  Path lib() {
    return dir.resolve("share/hadoop/hdfs/lib");
  }

  /** Writes a configuration file, such as hdfs-site.xml, with these lines. */
  void configure(String file, String... lines) throws IOException {
    Files.writeString(dir.resolve("etc/hadoop").resolve(file),
        "<?xml version=\"1.0\"?>\n<configuration>\n" + String.join("\n", lines)
            + "\n</configuration>\n");
  }

  static String property(String name, String value) {
    return "  <property>\n    <name>" + name + "</name>\n    <value>" + value
        + "</value>\n  </property>";
  }

  /**
   * Returns every file and folder with its content, so that a test can see whether anything has
   * changed.
   */
  Map<String, String> content() throws IOException {
    return content(dir);
  }

  static Map<String, String> content(Path dir) throws IOException {
    Map<String, String> content = new TreeMap<>();
    List<Path> all;
    try (Stream<Path> walk = Files.walk(dir)) {
      all = walk.collect(Collectors.toList());
    }
    for (Path path : all) {
      String what = "a folder";
      if (Files.isSymbolicLink(path)) {
        what = "a link to " + Files.readSymbolicLink(path);
      } else if (Files.isRegularFile(path)) {
        what = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
      }
      content.put(dir.relativize(path).toString(), what);
    }
    return content;
  }

  /**
   * Runs the installer for this home.
   *
   * @param release the unpacked release
   * @param javaHome the value of JAVA_HOME, or null to leave it unset
   */
  Run install(Path release, Path javaHome, String... options)
      throws IOException, InterruptedException {
    return install(release, javaHome, Map.of(), options);
  }

  /** Runs the installer for this home with additional environment variables. */
  Run install(Path release, Path javaHome, Map<String, String> environment, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(
        List.of("bash", release.resolve("bin/hdfs-ppr-install").toString()));
    command.addAll(List.of(options));
    command.add(dir.toString());
    return run(command, javaHome, environment);
  }

  static Run run(List<String> command, Path javaHome, Map<String, String> environment)
      throws IOException, InterruptedException {
    File output = File.createTempFile("installer", ".out");
    try {
      ProcessBuilder builder = new ProcessBuilder(command)
          .redirectInput(new File("/dev/null"))
          .redirectErrorStream(true)
          .redirectOutput(output);
      builder.environment().keySet().removeAll(
          List.of("JAVA_HOME", "HADOOP_CONF_DIR", "HADOOP_CLASSPATH"));
      if (javaHome != null) {
        builder.environment().put("JAVA_HOME", javaHome.toString());
      }
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("No end within " + LIMIT_S + " s: " + command);
      }
      return new Run(process.exitValue(), Files.readString(output.toPath()));
    } finally {
      Files.delete(output.toPath());
    }
  }

  /** The exit code and the output of a run of the installer. */
  static final class Run {
    final int exit;
    final String said;

    private Run(int exit, String said) {
      this.exit = exit;
      this.said = said;
    }

    @Override
    public String toString() {
      return "exit " + exit + ": " + said;
    }
  }
}
