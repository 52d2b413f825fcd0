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
package org.hdfsppr.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.hdfs.server.namenode.FSImage;
import org.apache.hadoop.hdfs.server.namenode.NNStorage;
import org.hdfsppr.datanode.RepairCluster;

/**
 * A NameNode without the plugin that starts from a copy of the image and the edits of another one,
 * which may be running. It has no DataNodes. A replay that throws, which would end a NameNode in
 * production, throws here. All NameNodes of a JVM share erasure coding policies, so that policies
 * stay as they are meanwhile, and after a failed start the first NameNode lacks some.
 *
 * <pre>
 *   StockReplay.assertStarts(cluster.mini(), new File(directory, "replay"));
 *
 *   try (StockReplay stock = StockReplay.start(cluster.mini(), new File(directory, "replay"))) {
 *     stock.fs().delete(new Path("/d/f"), false);
 *     stock.restart();
 *   }
 * </pre>
 */
@InterfaceAudience.Private
public final class StockReplay implements Closeable {
  /** Tells the copies of one directory apart. */
  private static final AtomicInteger COPIES = new AtomicInteger();

  private final Configuration conf;
  private MiniDFSCluster cluster;

  private StockReplay(Configuration conf) throws IOException {
    this.conf = conf;
    begin();
  }

  /** Starts at a port of its own, since clients keep connections to the one before. */
  private void begin() throws IOException {
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).format(false)
        .manageNameDfsDirs(false).build();
    fs().setSafeMode(SafeModeAction.FORCE_EXIT);
  }

  /**
   * Starts a NameNode from what the first NameNode of a cluster has on disk now. It is not in safe
   * mode.
   *
   * @param original runs, or has run
   * @param directory where the copy may lie; each call makes another copy there
   * @throws IOException if the NameNode does not start
   */
  public static StockReplay start(MiniDFSCluster original, File directory) throws IOException {
    File copy = new File(directory, "stock-" + COPIES.incrementAndGet());
    File name = new File(copy, "name");
    copy(new File(original.getNameDirs(0).iterator().next()), name);
    Configuration conf = new Configuration(original.getConfiguration(0));
    String shared = conf.get("dfs.namenode.shared.edits.dir");
    File edits = shared == null ? name : new File(copy, "edits");
    if (shared != null) {
      // The first NameNode has no edits of the times at which the other one was active.
      copy(new File(URI.create(shared)), edits);
    }
    List.of("dfs.namenode.plugins", "dfs.datanode.plugins", "dfs.nameservices",
        "dfs.nameservice.id", "dfs.ha.namenode.id", "dfs.namenode.shared.edits.dir",
        "dfs.ha.namenodes.minidfs-ns").forEach(conf::unset);
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, copy.getAbsolutePath());
    conf.set("dfs.namenode.name.dir", name.toURI().toString());
    conf.set("dfs.namenode.edits.dir", edits.toURI().toString());
    return new StockReplay(conf);
  }

  private static void copy(File from, File to) throws IOException {
    File current = new File(to, "current");
    Files.createDirectories(current.toPath());
    for (File one : new File(from, "current").listFiles(File::isFile)) {
      Files.copy(one.toPath(), new File(current, one.getName()).toPath());
    }
  }

  /**
   * Checks that a stock NameNode starts from what the first NameNode of a cluster has on disk: from
   * its image and its edits, and from an image that the stock NameNode has written.
   *
   * @param original runs; its namespace does not change meanwhile below the paths
   * @param directory where the copy may lie
   * @param paths directories below which both have to be equal, snapshots included
   */
  public static void assertStarts(MiniDFSCluster original, File directory, String... paths)
      throws IOException {
    int active = original.getNameNode(0).isActiveState() ? 0 : 1;
    try (StockReplay stock = start(original, directory)) {
      stock.assertSame(original.getFileSystem(active), paths);
      stock.checkpoint();
      stock.assertSame(original.getFileSystem(active), paths);
    }
  }

  /**
   * Waits until the other NameNode of a pair has read all that the active one has written. One that
   * a replay has ended never gets there.
   */
  public static void assertStandbyFollows(MiniDFSCluster pair, int active) throws IOException {
    pair.getNameNode(active).getRpcServer().rollEditLog();
    FSImage from = pair.getNamesystem(active).getFSImage();
    FSImage to = pair.getNamesystem(1 - active).getFSImage();
    long txId = from.getEditLog().getLastWrittenTxId() - 1;
    RepairCluster.await("the standby has read edit " + txId, () ->
        to.getLastAppliedTxId() >= txId);
  }

  /** Returns a client of the stock NameNode. */
  public DistributedFileSystem fs() throws IOException {
    return cluster.getFileSystem();
  }

  /** Starts the stock NameNode again, from its image and all edits since. */
  public void restart() throws IOException {
    cluster.shutdown();
    begin();
  }

  /** Has the stock NameNode write an image, and starts it again from that. */
  public void checkpoint() throws IOException {
    fs().setSafeMode(SafeModeAction.ENTER);
    fs().saveNamespace();
    NNStorage storage = cluster.getNamesystem().getFSImage().getStorage();
    long txId = storage.getMostRecentCheckpointTxId();
    restart();
    assertEquals(txId, cluster.getNamesystem().getFSImage().getMostRecentCheckpointTxId(),
        "it starts from that image");
  }

  /** Compares the stock NameNode's namespace with another one's. */
  public void assertSame(DistributedFileSystem other, String... paths) throws IOException {
    for (String path : paths) {
      assertEquals(String.join("\n", describe(other, new Path(path))),
          String.join("\n", describe(fs(), new Path(path))), path);
    }
  }

  /**
   * Compares what is counted for the quotas of a directory. A NameNode that starts counts anew,
   * while stock that runs counts too much after some changes of files that snapshots have.
   */
  public void assertSameUsage(DistributedFileSystem other, Path directory) throws IOException {
    assertEquals(usage(other, directory), usage(fs(), directory), directory.toString());
  }

  private static String usage(DistributedFileSystem fs, Path directory) throws IOException {
    QuotaUsage usage = fs.getQuotaUsage(directory);
    return usage.getFileAndDirectoryCount() + " names, " + usage.getSpaceConsumed() + " bytes";
  }

  /** Returns a line for each file and directory below a path, and below its snapshots. */
  public static List<String> describe(DistributedFileSystem fs, Path path) throws IOException {
    List<String> lines = new ArrayList<>();
    describe(fs, fs.getFileStatus(path), lines);
    SnapshottableDirectoryStatus[] all = fs.getSnapshottableDirListing();
    for (SnapshottableDirectoryStatus one :
        all == null ? new SnapshottableDirectoryStatus[0] : all) {
      String root = one.getFullPath().toUri().getPath();
      if ((root + "/").startsWith(path.toUri().getPath() + "/")) {
        for (FileStatus snapshot : fs.listStatus(new Path(root, ".snapshot"))) {
          describe(fs, snapshot, lines);
        }
      }
    }
    return lines;
  }

  private static void describe(DistributedFileSystem fs, FileStatus status, List<String> lines)
      throws IOException {
    Path path = new Path(status.getPath().toUri().getPath());
    StringBuilder line = new StringBuilder(path.toString()).append(" inode ")
        .append(((HdfsFileStatus) status).getFileId()).append(", ").append(status.getOwner())
        .append(' ').append(status.getPermission()).append(", ")
        .append(status.getLen()).append(" bytes, written ").append(status.getModificationTime());
    if (status.isFile()) {
      ErasureCodingPolicy policy = ((HdfsFileStatus) status).getErasureCodingPolicy();
      line.append(", ").append(policy == null ? "replicated" : policy.getName());
    } else if (!path.toString().contains("/.snapshot")) {
      QuotaUsage usage = fs.getQuotaUsage(path);
      line.append(", quotas ").append(usage.getQuota()).append(' ').append(usage.getSpaceQuota());
    }
    lines.add(line.toString());
    if (status.isDirectory()) {
      for (FileStatus child : fs.listStatus(path)) {
        describe(fs, child, lines);
      }
    }
  }

  @Override
  public void close() {
    cluster.shutdown();
  }
}
