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
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsConstants;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.viewfs.ViewFileSystem;
import org.apache.hadoop.fs.viewfs.ViewFileSystem.MountPoint;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * A client's mount table (viewfs), which says which cluster has a path. The path itself need not
 * exist. Immutable.
 */
@InterfaceAudience.Private
final class MountTable {
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
    URI name = URI.create(FsConstants.VIEWFS_SCHEME + "://" + (table == null ? "/" : table + "/"));
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
   * @param text what the user has written, for refusals
   * @throws IllegalArgumentException if no mount point leads to one HDFS; the message is a sentence
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
