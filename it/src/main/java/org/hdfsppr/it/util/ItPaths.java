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
package org.hdfsppr.it.util;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Finds the {@code it} folder of the source tree, which contains the scripts of the harness, and
 * the jars that a build creates.
 */
@InterfaceAudience.Private
public final class ItPaths {

  /**
   * {@code java.sh} sets this property to the {@code it} folder. If it is not set, the current
   * folder must be the {@code it} folder, as in tests that Maven runs.
   */
  public static final String IT_DIR_PROPERTY = "hdfsppr.it.dir";

  /** Matches a version in the root pom. The first match is the project's own version. */
  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

  private ItPaths() {
  }

  /** {@return the {@code it} folder} */
  public static Path itDir() {
    String property = System.getProperty(IT_DIR_PROPERTY);
    Path dir = Paths.get(property == null ? "" : property).toAbsolutePath().normalize();
    if (!Files.isRegularFile(dir.resolve("classpath.sh"))) {
      throw new IllegalStateException(
          dir + " is not the project's it folder; set -D" + IT_DIR_PROPERTY);
    }
    return dir;
  }

  /** {@return the folder for the state of clusters and for caches, which git ignores} */
  public static Path runDir() {
    return itDir().resolve(".run");
  }

  /** {@return the project's version in the root pom; the names of all its jars contain it} */
  public static String version() {
    Path pom = itDir().resolveSibling("pom.xml");
    String text;
    try {
      text = Files.readString(pom);
    } catch (IOException e) {
      throw new UncheckedIOException(pom + " cannot be read", e);
    }
    Matcher version = VERSION.matcher(text);
    if (!version.find()) {
      throw new IllegalStateException(pom + " states no version");
    }
    return version.group(1);
  }

  /** {@return the release file that a build creates and {@code bin/hdfs-ppr-install} installs} */
  public static Path release() {
    return itDir().resolveSibling("hdfs-ppr-dist")
        .resolve("target/hdfs-ppr-" + version() + ".tar.gz");
  }

  /**
   * Returns the jar of a role that repairs.
   *
   * @param role datanode, namenode or client
   */
  public static Path dropInJar(String role) {
    return dropIn("hdfs-ppr-" + role);
  }

  /**
   * Returns the jar that adds versions and updates of files to a role.
   *
   * @param role datanode, namenode or client
   */
  public static Path filesJar(String role) {
    return dropIn("hdfs-ppr-files-" + role);
  }

  private static Path dropIn(String module) {
    return itDir().resolveSibling(module)
        .resolve("target/" + module + "-" + version() + "-dropin.jar");
  }

  /** {@return this module's own jar} */
  public static Path ownJar() {
    return itDir().resolve("target/hdfs-ppr-it-" + version() + ".jar");
  }
}
