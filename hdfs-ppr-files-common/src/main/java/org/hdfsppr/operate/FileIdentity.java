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
package org.hdfsppr.operate;

import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.FileIdentityProto;
import org.hdfsppr.wire.WireRules;

/**
 * Names the file that an answer of the NameNode is about. Logs know a file by a UUID, which
 * it gets with its first update. A commit gives the file another inode, so that a reader from
 * before the first update would know nothing by which to find the file again. Therefore the
 * NameNode also names the inode that the file had at its first update. No other file ever has one
 * of these inodes. Immutable.
 */
@InterfaceAudience.Private
public final class FileIdentity {
  /** Of an answer that does not say which file it is about. */
  public static final FileIdentity UNKNOWN = new FileIdentity(null, Set.of());
  /** The most inodes that an answer names; it needs two. */
  private static final int INODES_MAX = 16;

  /** Null if it is not known, or the file has none. */
  public final UUID uuid;
  /** Empty if none is known. */
  public final Set<Long> inodes;

  private FileIdentity(UUID uuid, Set<Long> inodes) {
    this.uuid = uuid;
    this.inodes = Collections.unmodifiableSet(new TreeSet<>(inodes));
  }

  /**
   * @param uuid the UUID by which logs know the file; null if it has none
   * @param inodes the inodes that the file has now, and had at its first update, as far as they are
   *     known
   * @return the identity
   */
  public static FileIdentity of(UUID uuid, Set<Long> inodes) {
    return new FileIdentity(uuid, inodes);
  }

  /** @throws IllegalArgumentException naming what is wrong */
  static FileIdentity parse(FileIdentityProto proto) {
    WireRules.within("inodes", proto.getInodesCount(), 0, INODES_MAX);
    return new FileIdentity(proto.hasFileHigh() && proto.hasFileLow()
        ? new UUID(proto.getFileHigh(), proto.getFileLow()) : null,
        new TreeSet<>(proto.getInodesList()));
  }

  FileIdentityProto toProto() {
    FileIdentityProto.Builder proto = FileIdentityProto.newBuilder().addAllInodes(inodes);
    if (uuid != null) {
      proto.setFileHigh(uuid.getMostSignificantBits()).setFileLow(uuid.getLeastSignificantBits());
    }
    return proto.build();
  }

  /** @return whether nothing says which file this is */
  public boolean isUnknown() {
    return uuid == null && inodes.isEmpty();
  }

  /**
   * @param other what another answer says
   * @return whether both are known to be of one file. If two identities are neither of one file nor
   *     of {@link #isOther different} ones, nothing is known, as with a NameNode of an earlier
   *     version
   */
  public boolean isSame(FileIdentity other) {
    return uuid != null && other.uuid != null ? uuid.equals(other.uuid)
        : !Collections.disjoint(inodes, other.inodes);
  }

  /**
   * @param other what another answer says
   * @return whether both are known to be of different files
   */
  public boolean isOther(FileIdentity other) {
    boolean areComparable = uuid != null && other.uuid != null
        || !inodes.isEmpty() && !other.inodes.isEmpty();
    return areComparable && !isSame(other);
  }

  /**
   * @param later what a later answer says of the file
   * @return what is known with both: the UUID, and the inodes that were named last
   */
  public FileIdentity and(FileIdentity later) {
    return new FileIdentity(later.uuid != null ? later.uuid : uuid,
        later.inodes.isEmpty() ? inodes : later.inodes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FileIdentity && Objects.equals(uuid, ((FileIdentity) other).uuid)
        && inodes.equals(((FileIdentity) other).inodes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(uuid, inodes);
  }

  @Override
  public String toString() {
    return "file " + uuid + " of the inodes " + inodes;
  }
}
