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

import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Creates parity files at their final paths. They must never be renamed, because Hadoop cannot
 * delete an erasure-coded file that was renamed while a snapshot had it. Thread-safe.
 */
@FunctionalInterface
@InterfaceAudience.Private
public interface ParityPlace {
  /** A parity file that was just created. It is open, and has no block groups yet. Immutable. */
  final class Created {
    /** Absolute path */
    public final String path;
    /** Inode id */
    public final long inodeId;

    public Created(String path, long inodeId) {
      this.path = Objects.requireNonNull(path, "path");
      this.inodeId = inodeId;
    }
  }

  /** The attributes with which a parity file is created. Immutable. */
  final class Form {
    /** Permission of the file */
    public final FsPermission permission;
    /** Block size of the file, bytes of a unit */
    public final long blockBytes;
    /** Name of the storage policy; null for the default one */
    public final String storagePolicy;
    /** Name of the erasure coding policy */
    public final String policy;

    public Form(FsPermission permission, long blockBytes, String storagePolicy, String policy) {
      this.permission = Objects.requireNonNull(permission, "permission");
      this.blockBytes = blockBytes;
      this.storagePolicy = storagePolicy;
      this.policy = Objects.requireNonNull(policy, "policy");
    }
  }

  /**
   * Creates a file.
   *
   * @param form the attributes of the file
   * @param holder the name under which its lease is held
   * @return the file
   * @throws IOException if the NameNode refuses it
   */
  Created create(Form form, String holder) throws IOException;
}
