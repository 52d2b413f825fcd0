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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.util.ItPaths;

/**
 * The project's jars on the class paths of a cluster's daemons. They are copies, because a build
 * during a long run must not change the jars under the daemons.
 */
@InterfaceAudience.Private
public final class ClusterJars {
  private final ClusterSpec spec;
  private final Path dir;

  ClusterJars(ClusterSpec spec, Path dir) {
    this.spec = spec;
    this.dir = dir;
  }

  /**
   * Refuses a spec that wants jars of the project that are not built.
   *
   * @param spec of the cluster
   * @throws FileNotFoundException naming the jar that is missing
   */
  public static void requireBuilt(ClusterSpec spec) throws FileNotFoundException {
    for (Path jar : sources(spec).values()) {
      if (!Files.isRegularFile(jar)) {
        throw new FileNotFoundException("Not built: " + jar);
      }
    }
  }

  /** What is copied, by the copy's name. */
  private static Map<String, Path> sources(ClusterSpec spec) {
    Map<String, Path> sources = new LinkedHashMap<>();
    if (spec.plugin()) {
      sources.put("plugin.jar", ItPaths.dropInJar());
    }
    if (spec.nameNodePlugin()) {
      sources.put("namenode.jar", ItPaths.nameNodeJar());
    }
    if (spec.codecs()) {
      sources.put("codecs.jar", ItPaths.clientJar());
    }
    if (spec.network() == NetworkKind.LOOPBACK) {
      // For the socket factory that gives each daemon its own address.
      sources.put("it.jar", ItPaths.ownJar());
    }
    return sources;
  }

  void copy() throws IOException {
    for (Map.Entry<String, Path> jar : sources(spec).entrySet()) {
      Files.copy(jar.getValue(), dir.resolve(jar.getKey()), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  List<Path> ofNameNode() {
    return existing("namenode.jar", "codecs.jar", "it.jar");
  }

  List<Path> ofJournalNode() {
    return existing();
  }

  List<Path> ofDataNode() {
    // The plugin brings the codecs as well.
    return spec.plugin() ? existing("plugin.jar", "it.jar") : existing("codecs.jar", "it.jar");
  }

  List<Path> ofClient() {
    return existing("codecs.jar");
  }

  private List<Path> existing(String... names) {
    List<Path> jars = new ArrayList<>();
    for (String name : names) {
      if (sources(spec).containsKey(name)) {
        jars.add(dir.resolve(name));
      }
    }
    return jars;
  }
}
