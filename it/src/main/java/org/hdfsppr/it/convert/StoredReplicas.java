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
package org.hdfsppr.it.convert;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.Fsck;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.Trees;

/**
 * The finalised replicas of striped blocks on the disks of a cluster, independent of what the
 * NameNode knows. Two replicas with the same inode are links to the same bytes.
 */
@InterfaceAudience.Private
public final class StoredReplicas {

  /** The ids of striped blocks are negative. */
  private static final Pattern DATA = Pattern.compile("blk_(-\\d+)");

  /** The data file of one replica. */
  private static final class Replica {
    private final int node;
    private final long blockId;
    private final Path data;
    private final Object inode;
    private final long bytes;

    Replica(int node, long blockId, Path data, BasicFileAttributes attributes) {
      this.node = node;
      this.blockId = blockId;
      this.data = data;
      this.inode = attributes.fileKey();
      this.bytes = attributes.size();
    }
  }

  private final List<Replica> replicas = new ArrayList<>();

  private StoredReplicas() {
  }

  /**
   * Lists the replicas that all nodes have now, also nodes that are down.
   *
   * @param cluster a cluster
   * @return the replicas
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static StoredReplicas of(HdfsProcessCluster cluster) throws IOException {
    StoredReplicas stored = new StoredReplicas();
    for (int node = 1; node <= cluster.spec().nodes; node++) {
      for (Path data : Trees.files(cluster.dataDir(node),
          path -> path.toString().contains("/finalized/")
              && DATA.matcher(path.getFileName().toString()).matches())) {
        Matcher name = DATA.matcher(data.getFileName().toString());
        if (name.matches()) {
          stored.add(node, Long.parseLong(name.group(1)), data);
        }
      }
    }
    return stored;
  }

  private void add(int node, long blockId, Path data) throws IOException {
    try {
      replicas.add(new Replica(node, blockId, data,
          Files.readAttributes(data, BasicFileAttributes.class)));
    } catch (NoSuchFileException e) {
      // The DataNode has deleted the replica during the listing.
      return;
    }
  }

  /**
   * {@return only the replicas of these internal blocks}
   *
   * @param blockIds ids of internal blocks
   */
  public StoredReplicas only(Set<Long> blockIds) {
    StoredReplicas some = new StoredReplicas();
    replicas.stream().filter(replica -> blockIds.contains(replica.blockId))
        .forEach(some.replicas::add);
    return some;
  }

  /** {@return how many replicas there are} */
  public int count() {
    return replicas.size();
  }

  /** {@return the bytes of all replicas, without checksums} */
  public long bytes() {
    return replicas.stream().mapToLong(replica -> replica.bytes).sum();
  }

  /**
   * {@return the replicas that are links to the bytes of other replicas}
   *
   * @param others the other replicas
   */
  public StoredReplicas linkedTo(StoredReplicas others) {
    Set<Object> inodes =
        others.replicas.stream().map(replica -> replica.inode).collect(Collectors.toSet());
    StoredReplicas linked = new StoredReplicas();
    replicas.stream().filter(replica -> inodes.contains(replica.inode))
        .forEach(linked.replicas::add);
    return linked;
  }

  /** {@return the files with the replicas' data} */
  public List<Path> dataFiles() {
    return replicas.stream().map(replica -> replica.data).collect(Collectors.toList());
  }

  /**
   * {@return the replicas in the format of {@link Fsck#internalBlocks}}
   *
   * @param cluster the cluster that has the replicas
   */
  public Set<String> internalBlocks(HdfsProcessCluster cluster) {
    return replicas.stream()
        .map(replica -> Fsck.internalBlock(replica.blockId, cluster.nodeAddress(replica.node)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** {@return up to ten of the replicas, in words} */
  public String describe() {
    return replicas.size() + " replicas" + replicas.stream().limit(10)
        .map(replica -> "blk_" + replica.blockId + " on dn" + replica.node)
        .collect(Collectors.joining(", ", ": ", ""));
  }
}
