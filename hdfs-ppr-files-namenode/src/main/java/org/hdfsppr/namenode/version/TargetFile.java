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

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * A closed file of which a new version is made, with its state when the making began. Immutable.
 */
@InterfaceAudience.Private
public final class TargetFile {
  /** The facts of its path */
  public final FileFacts facts;
  /** Inode id of its directory */
  public final long parentId;
  /** Its name in that directory */
  public final String name;
  /** Its permission bits */
  public final FsPermission permission;
  /** Its block size, bytes of a unit */
  public final long blockBytes;
  /** The storage policy that applies to it; null if it is the default one */
  public final String storagePolicy;
  /** Its block groups */
  public final List<FileGroup> groups;

  public TargetFile(FileFacts facts, long parentId, String name, FsPermission permission,
      long blockBytes, String storagePolicy) {
    this.facts = Objects.requireNonNull(facts, "facts");
    this.parentId = parentId;
    this.name = Objects.requireNonNull(name, "name");
    this.permission = Objects.requireNonNull(permission, "permission");
    this.blockBytes = blockBytes;
    this.storagePolicy = storagePolicy;
    this.groups = Collections.unmodifiableList(new ArrayList<>(facts.groups));
  }

  /** @return path of the file */
  public String path() {
    return facts.path;
  }

  /** @return id of the file's inode */
  public long inodeId() {
    return facts.inodeId;
  }

  /** @return a digest of the ids and lengths of its groups */
  public String digest() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (FileGroup group : groups) {
        sha.update((group.id + " " + group.bytes + "\n").getBytes(StandardCharsets.UTF_8));
      }
      StringBuilder text = new StringBuilder();
      for (byte one : sha.digest()) {
        text.append(String.format("%02x", one));
      }
      return text.toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
