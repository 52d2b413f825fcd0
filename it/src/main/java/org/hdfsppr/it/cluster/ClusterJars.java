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
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
  /** Begins the names of copies of an older release's jars. */
  private static final String OLDER = "older-";
  /** Ends the names of the copies that a daemon for repairs alone does not get. */
  private static final String FILES = "-files.jar";

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
   * @throws IOException naming the jar that is missing
   */
  public static void requireBuilt(ClusterSpec spec) throws IOException {
    for (Path jar : sources(spec).values()) {
      if (!Files.isRegularFile(jar)) {
        throw new FileNotFoundException("Not built: " + jar);
      }
    }
  }

  /** Maps the name of each copy to the jar that it is copied from. */
  private static Map<String, Path> sources(ClusterSpec spec) throws IOException {
    Map<String, Path> sources = new LinkedHashMap<>();
    if (spec.conf.containsKey(ClusterSpec.OLDER_JARS_KEY)) {
      Path folder = Path.of(spec.conf.get(ClusterSpec.OLDER_JARS_KEY));
      sources.put(OLDER + "plugin.jar", dropIn(folder, "datanode"));
      sources.put(OLDER + "namenode.jar", dropIn(folder, "namenode"));
      sources.put(OLDER + "codecs.jar", dropIn(folder, "client"));
    }
    if (spec.plugin) {
      sources.put("plugin.jar", ItPaths.dropInJar("datanode"));
      sources.put("plugin" + FILES, ItPaths.filesJar("datanode"));
    }
    if (spec.nameNodePlugin) {
      sources.put("namenode.jar", ItPaths.dropInJar("namenode"));
      sources.put("namenode" + FILES, ItPaths.filesJar("namenode"));
    }
    if (spec.codecs) {
      sources.put("codecs.jar", ItPaths.dropInJar("client"));
      sources.put("codecs" + FILES, ItPaths.filesJar("client"));
    }
    if (spec.network == NetworkKind.LOOPBACK
        || spec.conf.getOrDefault(PLUGINS_KEY, "").contains(OWN_PACKAGE)) {
      // This jar holds the socket factory that gives each daemon its own address, and plugins of
      // tests.
      sources.put("it.jar", ItPaths.ownJar());
    }
    if (spec.conf.containsKey(ClusterSpec.DATANODE_JAR_KEY)) {
      sources.put("more.jar", Path.of(spec.conf.get(ClusterSpec.DATANODE_JAR_KEY)));
    }
    return sources;
  }

  private static Path dropIn(Path folder, String role) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found = files.filter(file -> file.getFileName().toString()
          .matches("hdfs-ppr-" + role + "-.*-dropin\\.jar")).collect(Collectors.toList());
      if (found.size() != 1) {
        throw new FileNotFoundException(
            folder + " has to have one drop-in jar of the role " + role + ", there are " + found);
      }
      return found.get(0);
    }
  }

  void copy() throws IOException {
    for (Map.Entry<String, Path> jar : sources(spec).entrySet()) {
      Files.copy(jar.getValue(), dir.resolve(jar.getKey()), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  List<Path> ofNameNode(String name) throws IOException {
    return existing(name, "namenode", "codecs", "it");
  }

  List<Path> ofDataNode(String name) throws IOException {
    // The plugin's jar includes the codecs.
    return existing(name, spec.plugin ? "plugin" : "codecs", "it", "more");
  }

  /**
   * Returns the jars of a client, which are those of the older release if the client's name says
   * so.
   */
  List<Path> ofClient(String name) throws IOException {
    return existing(name, "codecs");
  }

  /** Returns the jars of these parts that the cluster has, for a daemon or a client. */
  private List<Path> existing(String daemon, String... parts) throws IOException {
    boolean isOlder = lists(ClusterSpec.OLDER_DAEMONS_KEY, daemon);
    boolean isBase = lists(ClusterSpec.BASE_DAEMONS_KEY, daemon);
    Set<String> known = sources(spec).keySet();
    List<String> names = new ArrayList<>();
    for (String part : parts) {
      String jar = part + ".jar";
      if (isOlder && known.contains(OLDER + jar)) {
        // A release has one jar for each role, or two. The older one has one.
        names.add(OLDER + jar);
        continue;
      }
      names.add(jar);
      if (!isBase) {
        names.add(part + FILES);
      }
    }
    return names.stream().filter(known::contains).map(dir::resolve).collect(Collectors.toList());
  }

  private boolean lists(String key, String daemon) {
    return List.of(spec.conf.getOrDefault(key, "").split(" ")).contains(daemon);
  }
}
