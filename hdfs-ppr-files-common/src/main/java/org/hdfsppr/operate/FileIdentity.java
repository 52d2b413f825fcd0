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
 * Names the file that an answer of the NameNode is about, so that a reader can find out whether two
 * answers are about the same file. Update logs know a file by a UUID, which the file gets with its
 * first update. A reader that asked before the first update got no UUID, and only knows the inode.
 * A commit gives the file another inode. So the NameNode also names the inode that the file had at
 * its first update. No other file ever has one of these inodes. Immutable.
 */
@InterfaceAudience.Private
public final class FileIdentity {
  /** The identity in an answer that does not say which file it is about. */
  public static final FileIdentity UNKNOWN = new FileIdentity(null, Set.of());
  /** How many inodes an answer may name. Two are enough; more are allowed for later versions. */
  private static final int INODES_MAX = 16;

  /** The UUID by which logs know the file; null if it is not known, or the file has none. */
  public final UUID uuid;
  /** Inodes that the file has or had; empty if none is known. */
  public final Set<Long> inodes;

  private FileIdentity(UUID uuid, Set<Long> inodes) {
    this.uuid = uuid;
    this.inodes = Collections.unmodifiableSet(new TreeSet<>(inodes));
  }

  /**
   * @param uuid the UUID by which logs know the file; null if it has none
   * @param inodes the inode that the file has now, and the one that it had at its first update, as
   *     far as they are known
   * @return the identity
   */
  public static FileIdentity of(UUID uuid, Set<Long> inodes) {
    return new FileIdentity(uuid, inodes);
  }

  /** @throws IllegalArgumentException whose message says what is wrong */
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

  /** @return whether neither a UUID nor an inode is known */
  public boolean isUnknown() {
    return uuid == null && inodes.isEmpty();
  }

  /**
   * @param other the identity in another answer
   * @return whether both are known to be of the same file. If this method and {@link #isOther} both
   *     return false, it is not known, for instance because a NameNode of an earlier version has
   *     answered
   */
  public boolean isSame(FileIdentity other) {
    return uuid != null && other.uuid != null ? uuid.equals(other.uuid)
        : !Collections.disjoint(inodes, other.inodes);
  }

  /**
   * @param other the identity in another answer
   * @return whether both are known to be of different files
   */
  public boolean isOther(FileIdentity other) {
    boolean areComparable = uuid != null && other.uuid != null
        || !inodes.isEmpty() && !other.inodes.isEmpty();
    return areComparable && !isSame(other);
  }

  /**
   * @param later the identity of the same file in a later answer
   * @return the identity with both: the UUID, and the inodes of the latest answer that has any
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
