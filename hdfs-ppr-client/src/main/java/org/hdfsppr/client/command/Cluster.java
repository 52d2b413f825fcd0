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
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsConstants;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.viewfs.ViewFileSystem;
import org.apache.hadoop.fs.viewfs.ViewFileSystem.MountPoint;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The cluster that a command works on, and the command's paths in the form in which the NameNode of
 * that cluster expects them. A path that names a cluster chooses that cluster. A path that names
 * none is a path of the default file system. A path of a mount table (viewfs) is replaced by the
 * path to which its mount point leads. Immutable.
 */
@InterfaceAudience.Private
public final class Cluster {
  /** A configuration whose default file system is this cluster */
  public final Configuration conf;
  /** The absolute paths, in the order in which they were given */
  public final List<String> paths;

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

  /** @return the first path */
  public String path() {
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

  /**
   * A client's mount table (viewfs), which says which cluster has a path. The path itself need not
   * exist. Immutable.
   */
  static final class MountTable {
    private final URI name;
    private final Path home;
    private final MountPoint[] points;

    private MountTable(URI name, Path home, MountPoint[] points) {
      this.name = name;
      this.home = home;
      this.points = points;
    }

    /**
     * Reads a mount table of the configuration.
     *
     * @param table the name of the table; null for the default one
     * @throws IOException if there is no such table, or if it is invalid
     */
    static MountTable of(Configuration conf, String table) throws IOException {
      URI name = URI.create(FsConstants.VIEWFS_SCHEME + "://"
          + (table == null ? "/" : table + "/"));
      try (FileSystem view = FileSystem.newInstance(name, conf)) {
        if (!(view instanceof ViewFileSystem)) {
          throw new IOException(name + " is opened by " + view.getClass().getName() + ", which this"
              + " command does not know; write hdfs://NAMESERVICE/PATH");
        }
        return new MountTable(name, view.getHomeDirectory(),
            ((ViewFileSystem) view).getMountPoints());
      }
    }

    /**
     * Returns where a path of the table is.
     *
     * @param path the path, absolute or below the user's home
     * @param text what the user has written, for the exception's message
     * @throws IllegalArgumentException if no mount point leads to one HDFS; the message is a
     *     sentence
     */
    URI target(Path path, String text) {
      String wanted = path.isUriPathAbsolute() ? path.toUri().getPath()
          : new Path(Path.getPathWithoutSchemeAndAuthority(home), path).toUri().getPath();
      MountPoint best = null;
      for (MountPoint point : points) {
        if (isBelow(wanted, place(point)) && (best == null
            || place(point).length() > place(best).length())) {
          best = point;
        }
      }
      if (best == null) {
        throw new IllegalArgumentException("'" + text + "' is below no mount point of " + name
            + " that leads to one place; write hdfs://NAMESERVICE/PATH");
      }
      URI[] targets = best.getTargetFileSystemURIs();
      if (targets.length != 1 || !HdfsConstants.HDFS_URI_SCHEME.equals(targets[0].getScheme())
          || targets[0].getAuthority() == null) {
        throw new IllegalArgumentException("'" + text + "' is below the mount point " + place(best)
            + " of " + name + ", which does not lead to one HDFS; write hdfs://NAMESERVICE/PATH");
      }
      String rest = wanted.substring(place(best).equals("/") ? 0 : place(best).length());
      return new Path(targets[0].getScheme(), targets[0].getAuthority(),
          (targets[0].getPath() + "/" + rest)).toUri();
    }

    private static String place(MountPoint point) {
      return point.getMountedOnPath().toUri().getPath();
    }

    private static boolean isBelow(String path, String folder) {
      return path.equals(folder) || path.startsWith(folder.endsWith("/") ? folder : folder + "/");
    }
  }
}
