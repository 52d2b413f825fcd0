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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Asks for a parity file. Each of its units is the XOR of those units of the member files that have
 * the same index, block group by block group. Shorter units are continued with zeros. Immutable.
 */
@InterfaceAudience.Private
public final class ParityRequest {
  /**
   * How many member files there may be at most: the XOR code of DataNodes has at most 16 units,
   * with the parity unit.
   */
  public static final int FILES_MAX = 15;

  /** The job that makes the request */
  public final String jobId;
  /** Creates the new file */
  public final ParityPlace place;
  /** The policy of all files, and of the new one */
  public final PolicyFacts policy;
  /** The files of which the new one is made */
  public final List<TargetFile> files;
  /** Files that have blocks in the columns of the new file, but are not read */
  public final List<TargetFile> beside;

  /**
   * @param jobId the job that makes the request; all files of a job can be cancelled together
   * @param place creates the new file
   * @param policy the policy of all files, and of the new one
   * @param files closed files with one block size, at least two; the new file has the storage
   *     policy of the first one
   * @throws IllegalArgumentException if the files do not fit together
   */
  public ParityRequest(String jobId, ParityPlace place, PolicyFacts policy,
      List<TargetFile> files) {
    this(jobId, place, policy, files, List.of());
  }

  /**
   * Asks for a file whose columns also have blocks of other files. For the other parameters, see
   * the constructor without {@code beside}.
   *
   * @param beside files that have blocks in the columns of the new file, but are not read; no unit
   *     of the new file is placed on a node that has the block of one of these in its column
   */
  public ParityRequest(String jobId, ParityPlace place, PolicyFacts policy,
      List<TargetFile> files, List<TargetFile> beside) {
    this.jobId = Objects.requireNonNull(jobId, "jobId");
    this.place = Objects.requireNonNull(place, "place");
    this.policy = Objects.requireNonNull(policy, "policy");
    this.files = Collections.unmodifiableList(new ArrayList<>(files));
    this.beside = Collections.unmodifiableList(new ArrayList<>(beside));
    if (files.size() < 2 || files.size() > FILES_MAX) {
      throw new IllegalArgumentException("No parity file can be made of " + files.size()
          + " files");
    }
    for (TargetFile file : files) {
      PolicyFacts own = file.facts.policy;
      if (own == null || !own.code.equals(policy.code)
          || file.blockBytes != files.get(0).blockBytes || file.groups.isEmpty()) {
        throw new IllegalArgumentException(file.path() + " does not fit to the other files of its"
            + " group");
      }
    }
    if (files.stream().map(TargetFile::inodeId).distinct().count() < files.size()) {
      throw new IllegalArgumentException("A file of a group is named twice");
    }
  }

  /** Returns how many block groups the new file has. */
  int groups() {
    return files.stream().mapToInt(file -> file.groups.size()).max().getAsInt();
  }

  /**
   * Returns how many bytes of file data a block group of the new file has: as many as the longest
   * of the member files' groups with this index.
   */
  long bytes(int index) {
    return files.stream().filter(file -> index < file.groups.size())
        .mapToLong(file -> file.groups.get(index).bytes).max().getAsLong();
  }

  @Override
  public String toString() {
    return "parity file of " + files.size() + " files under " + policy.name;
  }
}
