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

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.GroupFilesProto;
import org.hdfsppr.operate.proto.ClientProtos.SubmitGroupsRequestProto;
import org.hdfsppr.wire.MalformedRequestException;

/** CORE groups that a caller has formed and asks the NameNode to make. Immutable. */
@InterfaceAudience.Private
public final class GroupSubmission {
  /**
   * How many groups one call submits at most. Before it answers, the NameNode looks at all of their
   * files, at most 1,500. It looks at about 64 of them each time it holds its lock.
   */
  public static final int GROUPS_MAX = 100;

  /** The absolute path of the protected directory to which all files belong */
  public final String path;
  /** For each group, the inode ids of its files */
  public final List<List<Long>> groups;

  /**
   * @param path the absolute path of the protected directory to which all files belong
   * @param groups for each group, the inode ids of its files
   * @throws IllegalArgumentException if the path is not absolute, there are no groups or too many,
   *     or a group has too few or too many files, or a file twice
   */
  public GroupSubmission(String path, List<List<Long>> groups) {
    this.path = path;
    List<List<Long>> copy = new ArrayList<>();
    groups.forEach(files -> copy.add(Collections.unmodifiableList(new ArrayList<>(files))));
    this.groups = Collections.unmodifiableList(copy);
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("the path of the directory is not absolute");
    }
    if (copy.isEmpty() || copy.size() > GROUPS_MAX) {
      throw new IllegalArgumentException(copy.size() + " groups, 1 to " + GROUPS_MAX
          + " are allowed");
    }
    for (List<Long> files : copy) {
      if (files.size() < CoreDirectory.FILES_MIN || files.size() > CoreDirectory.FILES_MAX
          || new HashSet<>(files).size() < files.size()
          || files.stream().anyMatch(file -> file <= 0)) {
        throw new IllegalArgumentException("a group has " + CoreDirectory.FILES_MIN + " to "
            + CoreDirectory.FILES_MAX + " different files, not " + files);
      }
    }
  }

  /**
   * Parses a message that this node has received.
   *
   * @throws MalformedRequestException whose message says what is wrong
   */
  static GroupSubmission parse(SubmitGroupsRequestProto proto) throws MalformedRequestException {
    try {
      if (proto.getGroupsCount() > GROUPS_MAX) {
        throw new IllegalArgumentException(proto.getGroupsCount() + " groups, at most "
            + GROUPS_MAX + " are allowed");
      }
      return new GroupSubmission(proto.getPath(), proto.getGroupsList().stream()
          .map(GroupFilesProto::getFileIdsList).collect(Collectors.toList()));
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The groups are refused: " + e.getMessage(), e);
    }
  }

  SubmitGroupsRequestProto toProto() {
    SubmitGroupsRequestProto.Builder proto = SubmitGroupsRequestProto.newBuilder().setPath(path);
    groups.forEach(files ->
        proto.addGroups(GroupFilesProto.newBuilder().addAllFileIds(files)));
    return proto.build();
  }
}
