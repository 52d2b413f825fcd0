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

/** Where the {@code it} folder of the source tree is; its scripts are part of the harness. */
@InterfaceAudience.Private
public final class ItPaths {

  /** Set by {@code java.sh}; tests under Maven run with the module's folder as the current one. */
  public static final String IT_DIR_PROPERTY = "hdfsppr.it.dir";

  /** The project's own version is the first one in the root pom. */
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

  /** {@return state of clusters and caches; git-ignored} */
  public static Path runDir() {
    return itDir().resolve(".run");
  }

  /** {@return the version of this checkout, as the root pom states it; every jar's name has it} */
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

  /** {@return the release that a build packs, for {@code bin/hdfs-ppr-install}} */
  public static Path release() {
    return itDir().resolveSibling("hdfs-ppr-dist")
        .resolve("target/hdfs-ppr-" + version() + ".tar.gz");
  }

  /** {@return the jar that an operator drops into a DataNode's class path} */
  public static Path dropInJar() {
    return itDir().resolveSibling("hdfs-ppr-datanode")
        .resolve("target/hdfs-ppr-datanode-" + version() + "-dropin.jar");
  }

  /** {@return the jar with the NameNode's plugin} */
  public static Path nameNodeJar() {
    return itDir().resolveSibling("hdfs-ppr-namenode")
        .resolve("target/hdfs-ppr-namenode-" + version() + "-dropin.jar");
  }

  /** {@return the jar that an operator drops into the class path of NameNodes and clients} */
  public static Path clientJar() {
    return itDir().resolveSibling("hdfs-ppr-client")
        .resolve("target/hdfs-ppr-client-" + version() + "-dropin.jar");
  }

  /** {@return this module's own jar} */
  public static Path ownJar() {
    return itDir().resolve("target/hdfs-ppr-it-" + version() + ".jar");
  }
}
