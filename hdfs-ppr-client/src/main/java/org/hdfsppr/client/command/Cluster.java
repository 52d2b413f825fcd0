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
package org.hdfsppr.client.command;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsConstants;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The cluster that a command works on, and the paths of the command as the NameNode of that cluster
 * wants them. A path with the name of a cluster chooses that cluster, a path without one is of the
 * default file system. A path of a mount table (viewfs) is the one that its mount point leads to.
 * Immutable.
 */
@InterfaceAudience.Private
final class Cluster {
  /** A configuration whose default file system is this cluster. */
  final Configuration conf;
  /** The absolute paths, in the order in which they were given. */
  final List<String> paths;

  private Cluster(Configuration conf, List<String> paths) {
    this.conf = conf;
    this.paths = Collections.unmodifiableList(paths);
  }

  /**
   * Finds the cluster of some paths.
   *
   * @param conf names the default file system
   * @param texts what the user has written, at least one path
   * @throws IllegalArgumentException if something is no path of an HDFS, or if the paths are of
   *     more than one cluster; the message is a sentence for people
   * @throws IOException if the user is not known, or if the mount table cannot be read
   */
  static Cluster of(Configuration conf, List<String> texts) throws IOException {
    URI cluster = null;
    List<String> paths = new ArrayList<>();
    for (String text : texts) {
      URI target = target(conf, text);
      URI its = URI.create(target.getScheme() + "://" + target.getAuthority());
      if (cluster != null && !cluster.equals(its)) {
        throw new IllegalArgumentException("'" + text + "' is in " + its + ", and '" + texts.get(0)
            + "' is in " + cluster + "; give each cluster a command of its own");
      }
      cluster = its;
      paths.add(target.getPath());
    }
    Configuration own = new Configuration(conf);
    FileSystem.setDefaultUri(own, cluster);
    return new Cluster(own, paths);
  }

  static Cluster of(Configuration conf, String... texts) throws IOException {
    return of(conf, Arrays.asList(texts));
  }

  /** Returns the first path. */
  String path() {
    return paths.get(0);
  }

  /** Returns a path with scheme and authority of an HDFS. */
  private static URI target(Configuration conf, String text) throws IOException {
    if (text.isEmpty() || text.startsWith("-")) {
      throw new IllegalArgumentException("'" + text + "' is neither an option nor a path");
    }
    URI own = FileSystem.getDefaultUri(conf);
    Path path = new Path(text);
    URI uri = path.toUri();
    String scheme = uri.getScheme() == null ? own.getScheme() : uri.getScheme();
    String authority = uri.getAuthority() != null ? uri.getAuthority()
        : scheme.equals(own.getScheme()) ? own.getAuthority() : null;
    if (FsConstants.VIEWFS_SCHEME.equals(scheme)) {
      return MountTable.of(conf, authority).target(path, text);
    }
    if (!HdfsConstants.HDFS_URI_SCHEME.equals(scheme) || authority == null) {
      throw new IllegalArgumentException("'" + text + "' is in "
          + (uri.getScheme() == null ? own : scheme + "://" + (authority == null ? "" : authority))
          + ", which is no HDFS; write hdfs://NAMESERVICE/PATH, or name the cluster with -fs"
          + " hdfs://NAMESERVICE");
    }
    return new Path(scheme, authority, path.isUriPathAbsolute() ? uri.getPath()
        : new Path(home(conf), path).toUri().getPath()).toUri();
  }

  private static String home(Configuration conf) throws IOException {
    return conf.get(HdfsClientConfigKeys.DFS_USER_HOME_DIR_PREFIX_KEY,
        HdfsClientConfigKeys.DFS_USER_HOME_DIR_PREFIX_DEFAULT) + Path.SEPARATOR
        + UserGroupInformation.getCurrentUser().getShortUserName();
  }
}
