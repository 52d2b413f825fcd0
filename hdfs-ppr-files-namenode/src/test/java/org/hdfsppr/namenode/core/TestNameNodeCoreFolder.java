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
package org.hdfsppr.namenode.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.RecordAccess;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What CORE keeps for directories that only a snapshot has, on a NameNode without DataNodes. */
@Timeout(300)
class TestNameNodeCoreFolder {
  private static final String ATTRIBUTE = "trusted." + CoreNamespace.XATTR;
  private static final Path PATH = new Path("/a/d");
  private static final byte[] OLD = {1};
  private static final byte[] NEW = {2};

  @TempDir
  File directory;
  private MiniDFSCluster cluster;
  private DistributedFileSystem fs;
  private CoreFolder folder;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.getAbsolutePath());
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    fs = cluster.getFileSystem();
    folder = new NameNodeCoreFolder(cluster::getNameNodeRpc,
        new RecordAccess(cluster.getNamesystem(), conf));
    folder.open();
    fs.mkdirs(PATH);
    fs.allowSnapshot(new Path("/"));
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  private long inode(Path path) throws IOException {
    return fs.getClient().getFileInfo(path.toString()).getFileId();
  }

  /** Protects a directory and deletes the one above it under a snapshot; returns its inode id. */
  private long protectAndDelete() throws IOException {
    long inodeId = inode(PATH);
    assertTrue(folder.protect(inodeId, null, OLD));
    assertArrayEquals(OLD, fs.getXAttr(PATH, ATTRIBUTE));
    fs.createSnapshot(new Path("/"), "s");
    assertTrue(fs.delete(PATH.getParent(), true));
    return inodeId;
  }

  @Test
  void aNewDirectoryAtTheSamePathKeepsItsProtection() throws IOException {
    long old = protectAndDelete();
    fs.mkdirs(new Path(PATH, "below"));
    long other = inode(PATH);
    assertTrue(folder.protect(other, null, NEW));
    assertEquals(Optional.empty(), folder.list(old, ""));
    assertEquals("below", folder.list(other, "").orElseThrow().last);
    assertThrows(FileNotFoundException.class, () -> folder.record(old));
    assertThrows(FileNotFoundException.class, () -> folder.protect(old, null, OLD));
    assertTrue(folder.unprotect(old, OLD));
    assertArrayEquals(NEW, fs.getXAttr(PATH, ATTRIBUTE));
    assertEquals(List.of(other), folder.protectedIds());
    assertTrue(folder.unprotect(other, NEW));
    assertTrue(fs.getXAttrs(PATH).isEmpty());
    assertEquals(List.of(), folder.protectedIds());
  }

  @Test
  void aFileInPlaceOfADirectoryAboveIsNoHindrance() throws IOException {
    long old = protectAndDelete();
    fs.create(PATH.getParent(), (short) 1).close();
    assertEquals(Optional.empty(), folder.list(old, ""));
    assertTrue(folder.unprotect(old, OLD));
    assertEquals(List.of(), folder.protectedIds());
  }
}
