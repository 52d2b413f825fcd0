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
package org.hdfsppr.namenode.version;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The places in the namespace where the directories of versions lie. Only this class knows the
 * paths. A {@link VersionRecord} says which home the version's directory is in.
 *
 * <pre>
 *   /.hdfs-ppr/versions/INODE            as 0.2.0 had all of them, and as all are written while a
 *                                        NameNode may run 0.2.0, which knows no other place
 *   /.hdfs-ppr/conversions/XX/INODE      XX: the last 8 bits of the inode id
 *   /.hdfs-ppr/commits/XX/INODE
 * </pre>
 *
 * <p>HDFS lets a directory have 1,048,576 entries ({@code
 * dfs.namenode.fs-limits.max-directory-items}). Conversions can fill one directory in hours. If
 * commits shared it, they would then have to stop as well, although writers wait for them.
 */
@InterfaceAudience.Private
public enum VersionHome {
  /** One directory for all versions. Version 0.2.0 knows no other home. */
  FLAT("versions", false),
  /** Directories in shards, for conversions. */
  CONVERSIONS("conversions", true),
  /** Directories in shards, for commits of updates. */
  COMMITS("commits", true);

  private static final int SHARD_MASK = 0xff;
  private static final Pattern FILE = Pattern.compile("(?:/.*)?/\\.hdfs-ppr/"
      + "(?:versions|(?:conversions|commits)/[0-9a-f]{2})/([0-9]{1,18})/(?:new|old)");
  private static final Pattern SHARD = Pattern.compile("[0-9a-f]{2}");

  /** The directory that has the directories of the versions in it, or the shards that have them */
  public final String root;
  /** Whether the directories of versions are distributed over shards. */
  final boolean isSharded;

  VersionHome(String name, boolean isSharded) {
    this.root = "/.hdfs-ppr/" + name;
    this.isSharded = isSharded;
  }

  /** Returns whether an entry of {@link #root} with this name is a shard. */
  static boolean isShard(String name) {
    return SHARD.matcher(name).matches();
  }

  /** Returns the parent of a version's directory. */
  private String above(long inodeId) {
    return isSharded
        ? root + "/" + String.format(Locale.ROOT, "%02x", inodeId & SHARD_MASK) : root;
  }

  /**
   * @param inodeId inode id of an old version
   * @return the directory of its version
   */
  public String directory(long inodeId) {
    return above(inodeId) + "/" + inodeId;
  }

  /**
   * @param path a path of the namespace
   * @return the inode id of the old version to which the file belongs; empty if the path is not
   *     that of a file of a version
   */
  public static OptionalLong versionOf(String path) {
    Matcher file = FILE.matcher(path);
    return file.matches() ? OptionalLong.of(Long.parseLong(file.group(1))) : OptionalLong.empty();
  }
}
