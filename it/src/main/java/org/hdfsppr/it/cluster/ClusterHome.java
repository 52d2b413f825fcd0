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
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.hdfsppr.it.util.Trees;

/**
 * The folder of one cluster, {@code .run/clusters/NAME}. This class writes the cluster's spec and
 * the number of its net to the folder before anything is built. A later process can therefore
 * always remove the cluster.
 */
final class ClusterHome {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int NET_MAX = 250;

  final Path dir;
  final ClusterSpec spec;
  private final int net;

  private ClusterHome(Path dir, ClusterSpec spec, int net) {
    this.dir = dir;
    this.spec = spec;
    this.net = net;
  }

  /**
   * Reserves a folder and a net (a number that is part of all the cluster's IP addresses) for a new
   * cluster.
   */
  static ClusterHome claim(Path runDir, ClusterSpec spec) throws IOException {
    Path clusters = Files.createDirectories(runDir.resolve("clusters"));
    try (FileChannel channel = FileChannel.open(clusters.resolve("lock"),
        StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (!lock.isValid()) {
        throw new IOException("No lock on " + clusters);
      }
      Path dir = clusters.resolve(spec.name);
      if (Files.exists(dir.resolve("cluster.json"))) {
        throw new IllegalStateException("A cluster named '" + spec.name + "' is there already: "
            + "take it down, or give another --name");
      }
      Set<Integer> taken = new HashSet<>();
      for (ClusterHome other : all(runDir)) {
        taken.add(other.net);
      }
      int net = firstNet(clusters);
      for (int tried = 1; taken.contains(net) || Nets.inUse(net); tried++) {
        if (tried == NET_MAX) {
          throw new IOException("No free net among " + NET_MAX);
        }
        net = net % NET_MAX + 1;
      }
      Trees.delete(dir);
      ClusterHome home = new ClusterHome(dir, spec, net);
      home.save();
      return home;
    }
  }

  /**
   * Returns the net with which a working copy begins to look for a free one. A cluster uses its net
   * only some time after its claim, so clusters of two working copies that are made at the same
   * time would both find net 1 free.
   */
  private static int firstNet(Path clusters) {
    return 1 + Math.floorMod(clusters.toString().hashCode(), NET_MAX);
  }

  /** Finds the home of a cluster by name; empty if no cluster has the name. */
  static Optional<ClusterHome> find(Path runDir, String name) throws IOException {
    Path dir = runDir.resolve("clusters").resolve(name);
    try {
      ObjectNode json = (ObjectNode) MAPPER.readTree(Files.readString(dir.resolve("cluster.json")));
      return Optional.of(new ClusterHome(dir, ClusterSpec.fromJson((ObjectNode) json.get("spec")),
          json.get("net").asInt()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Returns the homes of all clusters that were not taken down. */
  static List<ClusterHome> all(Path runDir) throws IOException {
    Path clusters = runDir.resolve("clusters");
    if (!Files.isDirectory(clusters)) {
      return Collections.emptyList();
    }
    List<Path> dirs;
    try (Stream<Path> list = Files.list(clusters)) {
      dirs = list.filter(Files::isDirectory).sorted().collect(Collectors.toList());
    }
    List<ClusterHome> homes = new ArrayList<>();
    for (Path dir : dirs) {
      find(runDir, dir.getFileName().toString()).ifPresent(homes::add);
    }
    return homes;
  }

  /** Returns a home with this home's folder and net, but with another spec. Saves the new spec. */
  ClusterHome with(ClusterSpec newSpec) throws IOException {
    if (!newSpec.name.equals(spec.name)) {
      throw new IllegalArgumentException("a home keeps its name");
    }
    ClusterHome home = new ClusterHome(dir, newSpec, net);
    home.save();
    return home;
  }

  /**
   * Returns the folder for temporary files of Hadoop and of the JVMs. {@link #wipeData} deletes it.
   */
  Path temporary() {
    return dir.resolve("tmp");
  }

  Network network() {
    return spec.network == NetworkKind.NAMESPACES
        ? new NamespaceNetwork(spec, net) : new LoopbackNetwork(net);
  }

  private void save() throws IOException {
    Files.createDirectories(dir);
    ObjectNode json = MAPPER.createObjectNode().put("net", net);
    json.set("spec", spec.toJson(MAPPER));
    Files.writeString(dir.resolve("cluster.json"),
        MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n");
  }

  /** Deletes the cluster's spec and data. The logs stay until a new cluster gets this name. */
  void release() throws IOException {
    wipeData();
    Files.deleteIfExists(dir.resolve("cluster.json"));
  }

  /**
   * Deletes the data that the daemons have stored, so that an empty cluster can start in this
   * folder.
   */
  void wipeData() throws IOException {
    Trees.delete(temporary());
    Trees.delete(saved());
    for (String folder : stores()) {
      Trees.delete(dir.resolve(folder));
    }
  }

  /** Lists the folders in which the daemons store persistent data. */
  private List<String> stores() {
    List<String> stores = new ArrayList<>();
    Master.nameNodes(spec).forEach(nameNode -> stores.add(nameNode.name + "/name"));
    Master.journalNodes(spec).forEach(journal -> stores.add(journal.name + "/edits"));
    for (int node = 1; node <= spec.nodes; node++) {
      stores.add("dn" + node + "/data");
      stores.add("dn" + node + "/updates");
    }
    return stores;
  }

  private Path saved() {
    return dir.resolve("saved");
  }

  /** Copies the data that the daemons have stored. No daemon may be running. */
  void saveData() throws IOException {
    Trees.delete(saved());
    for (String folder : stores()) {
      copyStore(dir.resolve(folder), saved().resolve(folder));
    }
  }

  /** Restores the data that {@link #saveData} has copied. No daemon may be running. */
  void restoreData() throws IOException {
    for (String folder : stores()) {
      Trees.delete(dir.resolve(folder));
      copyStore(saved().resolve(folder), dir.resolve(folder));
    }
  }

  /**
   * Copies the data that a daemon has stored. Files of replicas are hard-linked instead of copied.
   * This is safe, because a DataNode does not write to the files of a finalised replica. Appends
   * and reports of bit rot are exceptions.
   */
  private static void copyStore(Path from, Path to) throws IOException {
    if (Files.exists(from)) {
      Trees.copy(from, to, file -> file.getFileName().toString().startsWith("blk_"));
    }
  }
}
