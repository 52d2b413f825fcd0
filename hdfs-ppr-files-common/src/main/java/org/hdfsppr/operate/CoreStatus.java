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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.CoreStatusProto;
import org.hdfsppr.operate.proto.ClientProtos.CoreStatusProtoOrBuilder;
import org.hdfsppr.wire.MalformedRequestException;

/**
 * The protected directories of a NameNode, and counts of formed, dissolved and failed groups.
 * Immutable.
 */
@InterfaceAudience.Private
public final class CoreStatus {
  /** A NameNode that has no CORE groups. */
  public static final CoreStatus NONE = new CoreStatus("", List.of(), 0, Map.of(), 0);

  /**
   * Why the NameNode forms no groups now, as a sentence without a full stop; empty if it forms
   * groups
   */
  public final String why;
  /** The directories */
  public final List<CoreDirectory> directories;
  /** How many groups were formed since this NameNode became active */
  public final long formed;
  /** How many groups were dissolved since this NameNode became active, for each reason */
  public final Map<String, Long> dissolved;
  /** How many times forming a group has failed since this NameNode became active */
  public final long failed;
  /**
   * Some of the groups that the NameNode does not use for repairs, although it keeps their parity
   * files
   */
  public final List<UnusedGroup> unused;
  /** How many groups the NameNode does not use for repairs, although it keeps their parity files */
  public final long unusedGroups;
  /** How many parity files belong to no group any more but cannot be deleted yet */
  public final long keptParities;
  /**
   * How many block groups have lost more units than their code can rebuild, and are repaired
   * through columns
   */
  public final long recoverable;
  /**
   * How many block groups, of all policies, no repair can bring back; only DataNodes that return
   * can
   */
  public final long unrecoverable;

  /**
   * @param why why the NameNode forms no groups now, as a sentence without a full stop; empty if it
   *     forms groups
   * @param directories the directories
   * @param formed how many groups were formed since this NameNode became active
   * @param dissolved how many groups were dissolved since this NameNode became active, for each
   *     reason
   * @param failed how many times forming a group has failed since this NameNode became active
   */
  public CoreStatus(String why, List<CoreDirectory> directories, long formed,
      Map<String, Long> dissolved, long failed) {
    this(directories, CoreStatusProto.newBuilder().setWhy(why).setFormed(formed)
        .addAllDissolved(ReasonCounts.toProtos(dissolved)).setFailed(failed));
  }

  /** @param rest all fields except the directories */
  private CoreStatus(List<CoreDirectory> directories, CoreStatusProtoOrBuilder rest) {
    this.why = rest.getWhy();
    this.directories = List.copyOf(directories);
    this.formed = rest.getFormed();
    this.dissolved = Collections.unmodifiableMap(
        new TreeMap<>(ReasonCounts.parse(rest.getDissolvedList())));
    this.failed = rest.getFailed();
    this.unused = rest.getUnusedList().stream().map(UnusedGroup::parse)
        .collect(Collectors.toUnmodifiableList());
    this.unusedGroups = rest.getUnusedGroups();
    this.keptParities = rest.getKeptParities();
    this.recoverable = rest.getRecoverable();
    this.unrecoverable = rest.getUnrecoverable();
    if (unusedGroups < unused.size()) {
      throw new IllegalArgumentException(unusedGroups + " CORE groups are not used, and "
          + unused.size() + " of them are named");
    }
  }

  /**
   * Parses a message that this node has received.
   *
   * @throws MalformedRequestException whose message says what is wrong
   */
  static CoreStatus parse(CoreStatusProto proto) throws MalformedRequestException {
    List<CoreDirectory> directories = CoreDirectory.parse(proto.getDirectoriesList());
    try {
      return new CoreStatus(directories, proto);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The answer is refused: " + e.getMessage(), e);
    }
  }

  CoreStatusProto toProto() {
    CoreStatusProto.Builder proto = rest();
    directories.forEach(directory -> proto.addDirectories(directory.toProto()));
    return proto.build();
  }

  /** Returns a message with all fields except the directories. */
  private CoreStatusProto.Builder rest() {
    CoreStatusProto.Builder proto = CoreStatusProto.newBuilder().setWhy(why).setFormed(formed)
        .addAllDissolved(ReasonCounts.toProtos(dissolved)).setFailed(failed)
        .setUnusedGroups(unusedGroups).setKeptParities(keptParities)
        .setRecoverable(recoverable).setUnrecoverable(unrecoverable);
    unused.forEach(group -> proto.addUnused(group.toProto()));
    return proto;
  }

  /**
   * @param some groups that the NameNode does not use for repairs, although it keeps their parity
   *     files
   * @param number how many such groups there are, including those in {@code some}
   * @return this status with these numbers
   * @throws IllegalArgumentException if {@code number} is less than the number of groups in {@code
   *     some}
   */
  public CoreStatus withUnused(List<UnusedGroup> some, long number) {
    return new CoreStatus(directories, rest().clearUnused().setUnusedGroups(number).addAllUnused(
        some.stream().map(UnusedGroup::toProto).collect(Collectors.toList())));
  }

  /**
   * @param parities how many parity files belong to no group any more but cannot be deleted yet
   * @return this status with these numbers
   */
  public CoreStatus withKept(long parities) {
    return new CoreStatus(directories, rest().setKeptParities(parities));
  }

  /**
   * @param throughCore how many block groups have lost more units than their code can rebuild, and
   *     are repaired through columns
   * @param lost how many block groups, of all policies, no repair can bring back; only DataNodes
   *     that return can
   * @return this status with these numbers
   */
  public CoreStatus withLosses(long throughCore, long lost) {
    return new CoreStatus(directories,
        rest().setRecoverable(throughCore).setUnrecoverable(lost));
  }

  /**
   * @param which a number
   * @return the sum of this number over all directories
   */
  public long sum(CoreDirectory.Number which) {
    return directories.stream().mapToLong(directory -> directory.get(which)).sum();
  }

  /** @return how many files of all directories are in no group, for each reason */
  public Map<String, Long> waiting() {
    Map<String, Long> all = new TreeMap<>();
    directories.forEach(one -> one.waiting.forEach((reason, files) ->
        all.merge(reason, files, Long::sum)));
    return all;
  }

  /**
   * @param some directories of this status
   * @return this status with these directories only
   */
  public CoreStatus of(List<CoreDirectory> some) {
    return new CoreStatus(some, rest());
  }
}
