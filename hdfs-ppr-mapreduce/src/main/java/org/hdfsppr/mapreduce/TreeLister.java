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
package org.hdfsppr.mapreduce;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.core.formation.ProtectedFiles;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.SubmissionTerms;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists the directories of a protected tree, page by page, with the rights of the current user. */
final class TreeLister {
  private static final Logger LOG = LoggerFactory.getLogger(TreeLister.class);

  /** Receives the files and directories that are listed. */
  interface Taker {
    /** Takes a file of the directory. */
    void file(HdfsFileStatus file) throws IOException, InterruptedException;

    /** Takes a directory below the listed one that belongs to the tree. */
    void below(ListedTree tree) throws IOException, InterruptedException;
  }

  private final FileSystem fs;
  private final String root;
  /**
   * The protected directories below the root of this tree, by their paths. The value says whether
   * all directories below such a directory belong to it, too, and so do not belong to this tree.
   */
  private final Map<String, Boolean> inner = new HashMap<>();

  private TreeLister(FileSystem fs, SubmissionTerms terms) {
    this.fs = fs;
    this.root = terms.directory.path;
    for (CoreDirectory one : terms.inner) {
      inner.put(one.path, one.recursive);
    }
  }

  /** Makes a lister of the configuration's default file system. */
  static TreeLister of(Configuration conf, SubmissionTerms terms) throws IOException {
    return new TreeLister(FileSystem.get(FileSystem.getDefaultUri(conf), conf), terms);
  }

  /** Returns the root of the tree. */
  ListedTree root(boolean isDeep) throws IOException {
    return new ListedTree(root, hdfs(fs.getFileStatus(new Path(root))).getFileId(), isDeep);
  }

  /**
   * Lists a directory.
   *
   * @return false if the directory is gone, or if the user may not list it
   * @throws IOException if the NameNode does not answer
   */
  boolean list(ListedTree directory, Taker taker) throws IOException, InterruptedException {
    RemoteIterator<FileStatus> all;
    try {
      all = fs.listStatusIterator(new Path(directory.path()));
    } catch (FileNotFoundException | AccessControlException e) {
      LOG.info("{} is not listed: {}", PeerText.oneLine(directory.path()),
          PeerText.oneLine(e.toString()));
      return false;
    }
    // If the directory is itself protected, its files do not belong to this tree.
    boolean hasFiles = !inner.containsKey(directory.path());
    while (hasNext(all, directory)) {
      HdfsFileStatus one = hdfs(all.next());
      if (one.isDirectory()) {
        String path = one.getFullPath(new Path(directory.path())).toUri().getPath();
        if (directory.isDeep() && !ProtectedFiles.isSkipped(one.getLocalName())
            && !inner.getOrDefault(path, false)) {
          taker.below(new ListedTree(path, one.getFileId(), true));
        }
      } else if (hasFiles && !one.isSymlink()) {
        taker.file(one);
      }
    }
    return true;
  }

  /**
   * Returns whether the listing has more entries; false if the directory was deleted while it was
   * listed.
   */
  private static boolean hasNext(RemoteIterator<FileStatus> all, ListedTree directory)
      throws IOException {
    try {
      return all.hasNext();
    } catch (FileNotFoundException e) {
      LOG.info("{} is deleted while it is listed: {}", PeerText.oneLine(directory.path()),
          PeerText.oneLine(e.toString()));
      return false;
    }
  }

  private static HdfsFileStatus hdfs(FileStatus status) throws IOException {
    if (!(status instanceof HdfsFileStatus)) {
      throw new IOException(status.getPath() + " is not in an HDFS");
    }
    return (HdfsFileStatus) status;
  }
}
