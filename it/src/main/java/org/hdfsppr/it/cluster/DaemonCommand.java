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
package org.hdfsppr.it.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;


/**
 * Builds the command lines of the cluster's JVMs. The options keep each JVM small, because some
 * twenty JVMs share one machine.
 */
final class DaemonCommand {

  /** Hadoop 3.3 and 3.4 reach into these packages of java.base when they run on JDK 17. */
  private static final List<String> OPENED = List.of("java.io", "java.lang", "java.lang.reflect",
      "java.math", "java.net", "java.nio", "java.text", "java.util", "java.util.concurrent",
      "java.util.zip", "sun.nio.ch", "sun.security.util", "sun.security.x509");

  private DaemonCommand() {
  }

  /**
   * Returns the command line of a daemon's JVM, which ends with the class path. The caller appends
   * the main class.
   *
   * @param jars the project's jars, which stand before Hadoop's on the class path
   */
  static List<String> ofDaemon(ClusterHome home, Daemon daemon, String heap, List<Path> jars)
      throws IOException, InterruptedException {
    List<Path> front = new ArrayList<>();
    front.add(daemon.home.resolve("conf"));
    front.add(home.dir.resolve("web"));
    front.addAll(jars);
    return java(heap, daemon.log().getParent(), home.temporary(), front,
        HadoopClassPath.ofDaemons(home.spec.hadoopVersion));
  }

  /**
   * Returns the command line of a JVM, which ends with the class path. The caller appends the main
   * class.
   *
   * @param heap the maximum heap size, in the format of -Xmx
   * @param temporary an existing folder for temporary files; a JVM that is killed leaves its files
   *     there
   */
  static List<String> java(String heap, Path logFolder, Path temporary, List<Path> front,
      String jars) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The JVM runs without its second compiler (C2). Twenty fresh DataNodes would compile at the
    // same time the code that a DataNode in production has compiled long ago. C2 would then use
    // half of a small machine's processor time during a measurement.
    command.addAll(List.of("-Xmx" + heap, "-Xss512k", "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=48m", "-XX:MaxMetaspaceSize=160m",
        "-XX:-UsePerfData", "-Djava.net.preferIPv4Stack=true",
        "-Duser.timezone=UTC", "-Djava.awt.headless=true",
        "-Dhadoop.log.dir=" + logFolder, "-Djava.io.tmpdir=" + temporary));
    for (String packageName : OPENED) {
      command.add("--add-opens=java.base/" + packageName + "=ALL-UNNAMED");
    }
    List<String> classPath = new ArrayList<>();
    front.forEach(path -> classPath.add(path.toString()));
    classPath.add(jars);
    command.addAll(List.of("-cp", String.join(":", classPath)));
    return command;
  }
}
