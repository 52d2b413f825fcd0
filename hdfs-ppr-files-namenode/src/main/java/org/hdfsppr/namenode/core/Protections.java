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
package org.hdfsppr.namenode.core;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hdfsppr.core.formation.ProtectedFiles;
import org.hdfsppr.namenode.core.look.MemberState;
import org.hdfsppr.namenode.version.PolicyFacts;

/**
 * Says which directory protects a file, and how many files form a group. It uses inode ids, so that
 * a renamed directory is not mistaken for another one. Immutable.
 */
final class Protections {
  static final Protections NONE = new Protections(List.of());
  /**
   * Files below a directory of this name are not protected, because their users have deleted them.
   */
  private static final String TRASH = "/.Trash/";
  private static final String SEPARATOR = "/";

  private final Map<Long, ProtectedDirectory> directories = new HashMap<>();

  Protections(Collection<ProtectedDirectory> directories) {
    directories.stream().filter(directory -> !isInTrash(directory.path))
        .forEach(directory -> this.directories.put(directory.inodeId, directory));
  }

  static boolean isInTrash(String path) {
    return (path + SEPARATOR).contains(TRASH);
  }

  /**
   * Returns the directories whose files may form new groups: those that are not in the trash, and
   * whose attribute can be read.
   */
  Collection<ProtectedDirectory> directories() {
    return directories.values().stream().filter(ProtectedDirectory::isReadable)
        .collect(Collectors.toList());
  }

  boolean has(long inodeId) {
    return directories.containsKey(inodeId);
  }

  /**
   * Returns whether a directory protects the files in all directories below it. It may if its
   * attribute cannot be read, so the answer is then true, too.
   */
  boolean hasTree(long inodeId) {
    return has(inodeId) && hasTree(directories.get(inodeId));
  }

  private static boolean hasTree(ProtectedDirectory directory) {
    return directory.recursive || !directory.isReadable();
  }

  /**
   * Returns the directory that protects a file; empty if none does. This may be a directory whose
   * attribute cannot be read, because it may protect the file.
   */
  Optional<ProtectedDirectory> of(MemberState file) {
    return isInTrash(file.path) ? Optional.empty() : of(file.ancestors);
  }

  /**
   * Returns the nearest directory that protects a file.
   *
   * @param ancestors inode ids of the directories above the file, the nearest first
   */
  private Optional<ProtectedDirectory> of(List<Long> ancestors) {
    for (int i = 0; i < ancestors.size(); i++) {
      ProtectedDirectory directory = directories.get(ancestors.get(i));
      if (directory != null && (i == 0 || hasTree(directory))) {
        return Optional.of(directory);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns how many files with a policy form a group.
   *
   * @param policy a policy; null for none
   * @return the number; 0 if files with this policy are not protected
   */
  static int filesPerGroup(PolicyFacts policy, ProtectedDirectory directory) {
    return policy == null ? 0
        : ProtectedFiles.perGroup(policy.code.codec, directory.files);
  }
}
