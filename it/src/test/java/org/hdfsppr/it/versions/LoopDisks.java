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

package org.hdfsppr.it.versions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;

import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.Await;
import org.hdfsppr.it.util.Shell;
import org.hdfsppr.it.util.Trees;

/**
 * Gives each DataNode of a cluster a file system of its own on a loop device, and cuts the power of
 * all of them: what the kernel has not written to the images by then is gone.
 */
final class LoopDisks implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  /**
   * A DataNode takes no block where less than 1 GiB is free. The image takes only the space that is
   * written.
   */
  private static final long IMAGE_BYTES = 2L << 30;
  /** How often XFS writes its log without being asked, a setting of the machine. */
  private static final Path XFS_LOG = Paths.get("/proc/sys/fs/xfs/xfssyncd_centisecs");
  private static final String TWO_HOURS = "720000";

  private final HdfsProcessCluster cluster;
  private final String type;
  private final Map<Integer, Path> images = new TreeMap<>();
  private String xfsLog;
  private boolean isShared;

  private LoopDisks(HdfsProcessCluster cluster, String type) {
    this.cluster = cluster;
    this.type = type;
  }

  /**
   * Says why a type of file system cannot be tested here.
   *
   * @return a sentence; empty if it can be tested
   */
  static String whyNot(String type) {
    Path folder = null;
    try {
      folder = Files.createTempDirectory("loop-" + type);
      Path image = folder.resolve("image");
      make(type, image);
      mount(type, image, Files.createDirectory(folder.resolve("m")));
      try {
        cut(folder.resolve("m"));
      } finally {
        unmount(folder.resolve("m"));
      }
      return "";
    } catch (IOException e) {
      return "no " + type + " on a loop device here, which needs root, /dev/loop-control,"
          + " mkfs." + type + " and xfs_io: " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) {
    try {
      if (folder != null) {
        Trees.delete(folder);
      }
    } catch (IOException e) {
      System.out.println("LoopDisks: " + folder + " stays: " + e);
    }
  }

  private static void make(String type, Path image) throws IOException, InterruptedException {
    Shell.run(LIMIT, List.of("truncate", "-s", "" + IMAGE_BYTES, image.toString()));
    Shell.run(LIMIT, List.of("mkfs." + type, "-q", image.toString()));
  }

  /** Mounts an image so that nothing but a sync writes the journal within minutes. */
  private static void mount(String type, Path image, Path at)
      throws IOException, InterruptedException {
    Shell.run(LIMIT, List.of("mount", "-t", type, "-o",
        "loop" + (type.equals("ext4") ? ",commit=300" : ""), image.toString(), at.toString()));
  }

  private static void unmount(Path at) throws IOException, InterruptedException {
    Shell.run(LIMIT, List.of("umount", at.toString()));
  }

  /** Ends a file system without writing its log, by the ioctl that XFS and ext4 have for tests. */
  private static void cut(Path at) throws IOException, InterruptedException {
    Shell.run(LIMIT, List.of("xfs_io", "-x", "-c", "shutdown", at.toString()));
  }

  /** Starts all DataNodes anew on empty disks of their own. */
  static LoopDisks under(VersionsCluster cluster, String type)
      throws IOException, InterruptedException, TimeoutException {
    LoopDisks disks = new LoopDisks(cluster.processes, type);
    boolean isMade = false;
    try {
      disks.begin(cluster.nodesUp());
      cluster.heal();
      isMade = true;
      return disks;
    } finally {
      if (!isMade) {
        disks.close();
      }
    }
  }

  private static void setXfsLog(String centiseconds) throws IOException, InterruptedException {
    Shell.run("sh", "-c", "echo " + centiseconds + " > " + XFS_LOG);
  }

  private void begin(List<Integer> nodes)
      throws IOException, InterruptedException, TimeoutException {
    if (type.equals("xfs")) {
      // The kernel gives such a file as a whole or not at all; Java reads the first byte by itself.
      xfsLog = Shell.run("cat", XFS_LOG.toString()).strip();
      setXfsLog(TWO_HOURS);
    }
    for (int node : nodes) {
      cluster.kill(node);
    }
    share();
    for (int node : nodes) {
      Trees.delete(cluster.dataDir(node));
      Files.createDirectories(cluster.dataDir(node));
      Path image = cluster.dir().resolve("disk-" + node + ".img");
      make(type, image);
      mount(type, image, cluster.dataDir(node));
      images.put(node, image);
    }
  }

  /**
   * Lets all mount namespaces follow when a disk in the cluster's folder is unmounted. Daemons of
   * other clusters that start meanwhile have copies of the mounts, and would hold the disks. Where
   * the root is shared, as systemd has it, this changes nothing.
   */
  private void share() throws IOException, InterruptedException {
    String folder = cluster.dir().toString();
    Shell.run(LIMIT, List.of("mount", "--bind", folder, folder));
    isShared = true;
    Shell.run(LIMIT, List.of("mount", "--make-shared", folder));
  }

  /** Writes all that the DataNodes have written so far to the disks. */
  void sync() throws IOException, InterruptedException {
    for (int node : images.keySet()) {
      Shell.run(LIMIT, List.of("sync", "-f", cluster.dataDir(node).toString()));
    }
  }

  /** Returns the finalised replicas of all nodes, as node and block. */
  Set<String> replicas() throws IOException {
    Set<String> replicas = new TreeSet<>();
    for (int node : images.keySet()) {
      for (Path file : Trees.files(cluster.dataDir(node), file -> file.toString()
          .contains("/finalized/") && file.getFileName().toString().startsWith("blk_"))) {
        replicas.add("dn" + node + " " + file.getFileName());
      }
    }
    return replicas;
  }

  /**
   * Cuts the power of all nodes, and mounts the disks again, as the kernel does when the machines
   * start. The DataNodes are down after that.
   */
  void cutPower() throws IOException, InterruptedException, TimeoutException {
    for (int node : images.keySet()) {
      cut(cluster.dataDir(node));
    }
    killAll();
    for (int node : images.keySet()) {
      unmount(cluster.dataDir(node));
      awaitGone(images.get(node));
    }
    for (int node : images.keySet()) {
      mount(type, images.get(node), cluster.dataDir(node));
    }
  }

  /**
   * Waits until no process holds the file system of an image any more. Otherwise the kernel would
   * mount what it still has in memory. A mount namespace ends some time after its last process.
   */
  private static void awaitGone(Path image)
      throws IOException, InterruptedException, TimeoutException {
    String[] left = {""};
    Await.until(() -> "the file system is gone: " + left[0], LIMIT, Duration.ofMillis(100), () -> {
      try {
        left[0] = Shell.run("losetup", "-j", image.toString());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
      return left[0].isBlank();
    });
  }

  /** Kills all DataNodes. Each has a mount namespace, which holds the mounts of the others. */
  private void killAll() throws IOException, InterruptedException, TimeoutException {
    for (int node : images.keySet()) {
      cluster.kill(node);
    }
  }

  /** Unmounts all disks. The DataNodes are down after that. */
  @Override
  public void close() throws IOException {
    List<String> left = new ArrayList<>();
    try {
      killAll();
    } catch (IOException | TimeoutException e) {
      left.add(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      left.add(e.toString());
    }
    for (int node : new ArrayList<>(images.keySet())) {
      try {
        unmount(cluster.dataDir(node));
        images.remove(node);
      } catch (IOException e) {
        left.add(e.toString());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        left.add(e.toString());
      }
    }
    if (isShared) {
      try {
        // The NameNode still works in this folder, and has no disk there.
        Shell.run(LIMIT, List.of("umount", "--lazy", cluster.dir().toString()));
        isShared = false;
      } catch (IOException e) {
        left.add(e.toString());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        left.add(e.toString());
      }
    }
    if (xfsLog != null) {
      try {
        setXfsLog(xfsLog);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        left.add(e.toString());
      }
    }
    if (!left.isEmpty()) {
      throw new IOException("These disks are still mounted: " + left);
    }
  }
}
