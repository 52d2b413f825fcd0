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
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Advice to an operator for the directory of a version that nothing deletes automatically. If a
 * file in a snapshot is renamed, NameNodes fail later. So before the advice says to rename files,
 * it names the snapshots that have to be deleted first. Immutable.
 */
final class ManualCleanupAdvice {
  private final List<String> files;
  /** The snapshots that the operator has to delete before renaming files. */
  final List<String> snapshots;

  private ManualCleanupAdvice(List<String> files, Set<String> snapshots) {
    this.files = files;
    this.snapshots = List.copyOf(snapshots);
  }

  /** Returns the advice for a directory. It is valid until a snapshot is taken or deleted. */
  static ManualCleanupAdvice of(VersionNamespace namespace, String directory) throws IOException {
    List<String> files = new ArrayList<>();
    Set<String> snapshots = new LinkedHashSet<>();
    for (String name : List.of(VersionNamespace.OLD, VersionNamespace.NEW)) {
      List<String> with = namespace.snapshots(directory + "/" + name);
      if (!with.isEmpty()) {
        files.add("'" + name + "'");
        snapshots.addAll(with);
      }
    }
    return new ManualCleanupAdvice(files, snapshots);
  }

  /**
   * Returns the advice as a sentence, without a full stop and without the names of the snapshots.
   */
  String sentence() {
    return snapshots.isEmpty()
        ? "nothing deletes it: look into it, rename what is needed of 'old' and 'new' before a"
            + " snapshot of a directory above is taken, and delete the directory"
        : "nothing deletes it, and nothing of it may be renamed or deleted yet: snapshots have "
            + String.join(" and ", files) + ", Hadoop fails to delete what is renamed under a"
            + " snapshot, and NameNodes may then not start; delete the snapshots first, and look"
            + " again";
  }
}
