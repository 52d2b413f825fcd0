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
 * Copies the project's jars into the cluster's folder, and lists them for the class paths of
 * daemons and clients. Running daemons use copies, because a build during a long run replaces the
 * originals.
 */
@InterfaceAudience.Private
public final class ClusterJars {
  private static final String PLUGINS_KEY = "dfs.namenode.plugins";
  private static final String OWN_PACKAGE = "org.hdfsppr.it.";
  /** The setting with which a benchmark's class makes DataNodes time their reads. */
  private static final String DATASET_KEY = "dfs.datanode.fsdataset.factory";

  private final ClusterSpec spec;
  private final Path dir;

  ClusterJars(ClusterSpec spec, Path dir) {
    this.spec = spec;
    this.dir = dir;
  }

  /**
   * Checks that all jars of the project that a cluster needs are built.
   *
   * @param spec the cluster's specification
   * @throws FileNotFoundException naming the jar that is missing
   */
  public static void requireBuilt(ClusterSpec spec) throws FileNotFoundException {
    for (Path jar : sources(spec).values()) {
      if (!Files.isRegularFile(jar)) {
        throw new FileNotFoundException("Not built: " + jar);
      }
    }
  }

  /** Maps the name of each copy to the jar that it is copied from. */
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
    if (spec.network() == NetworkKind.LOOPBACK
        || spec.conf().getOrDefault(PLUGINS_KEY, "").contains(OWN_PACKAGE)
        || spec.conf().containsKey(DATASET_KEY)) {
      // This jar holds the socket factory that gives each daemon its own address, plugins of
      // tests, and clocks of benchmarks.
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
    // The plugin's jar includes the codecs.
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
