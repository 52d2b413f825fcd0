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

/** The protected directories of a NameNode, and what has become of groups. Immutable. */
@InterfaceAudience.Private
public final class CoreStatus {
  /** A NameNode that has no CORE groups. */
  public static final CoreStatus NONE = new CoreStatus("", List.of(), 0, Map.of(), 0);

  /** Why no groups are formed now, as a sentence without a full stop; empty if they are */
  public final String why;
  /** The directories */
  public final List<CoreDirectory> directories;
  /** Groups that were formed since this NameNode became active */
  public final long formed;
  /** Groups that were dissolved since then, by reason */
  public final Map<String, Long> dissolved;
  /** Tries to form a group that have failed since then */
  public final long failed;
  /** Some of the groups that are not used, although their parity files are kept */
  public final List<UnusedGroup> unused;
  /** How many groups are not used, although their parity files are kept */
  public final long unusedGroups;
  /** Parity files of no group that cannot be deleted yet */
  public final long keptParities;
  /**
   * Block groups that have lost more units than their code bears, and are repaired through columns
   */
  public final long recoverable;
  /** Block groups of all policies that nothing brings back but DataNodes that return */
  public final long unrecoverable;

  /**
   * @param why why no groups are formed now, as a sentence without a full stop; empty if they are
   * @param directories the directories
   * @param formed groups that were formed since this NameNode became active
   * @param dissolved groups that were dissolved since then, by reason
   * @param failed tries to form a group that have failed since then
   */
  public CoreStatus(String why, List<CoreDirectory> directories, long formed,
      Map<String, Long> dissolved, long failed) {
    this(directories, CoreStatusProto.newBuilder().setWhy(why).setFormed(formed)
        .addAllDissolved(ReasonCounts.toProtos(dissolved)).setFailed(failed));
  }

  /** @param rest all but the directories */
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
   * Reads a message that this node receives.
   *
   * @throws MalformedRequestException naming what is wrong
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

  /** Returns all but the directories. */
  private CoreStatusProto.Builder rest() {
    CoreStatusProto.Builder proto = CoreStatusProto.newBuilder().setWhy(why).setFormed(formed)
        .addAllDissolved(ReasonCounts.toProtos(dissolved)).setFailed(failed)
        .setUnusedGroups(unusedGroups).setKeptParities(keptParities)
        .setRecoverable(recoverable).setUnrecoverable(unrecoverable);
    unused.forEach(group -> proto.addUnused(group.toProto()));
    return proto;
  }

  /**
   * @param some groups that are not used, although their parity files are kept
   * @param number how many there are in all
   * @return the same status with these
   * @throws IllegalArgumentException if there are fewer in all than are named
   */
  public CoreStatus withUnused(List<UnusedGroup> some, long number) {
    return new CoreStatus(directories, rest().clearUnused().setUnusedGroups(number).addAllUnused(
        some.stream().map(UnusedGroup::toProto).collect(Collectors.toList())));
  }

  /**
   * @param parities parity files of no group that cannot be deleted yet
   * @return the same status with these
   */
  public CoreStatus withKept(long parities) {
    return new CoreStatus(directories, rest().setKeptParities(parities));
  }

  /**
   * @param throughCore block groups that have lost more units than their code bears, and are
   *     repaired through columns
   * @param lost block groups of all policies that nothing brings back but DataNodes that return
   * @return the same status with these
   */
  public CoreStatus withLosses(long throughCore, long lost) {
    return new CoreStatus(directories,
        rest().setRecoverable(throughCore).setUnrecoverable(lost));
  }

  /**
   * @param which a number
   * @return its sum over all directories
   */
  public long sum(CoreDirectory.Number which) {
    return directories.stream().mapToLong(directory -> directory.get(which)).sum();
  }

  /** @return how many files are in no group, over all directories, by reason */
  public Map<String, Long> waiting() {
    Map<String, Long> all = new TreeMap<>();
    directories.forEach(one -> one.waiting.forEach((reason, files) ->
        all.merge(reason, files, Long::sum)));
    return all;
  }

  /**
   * @param some directories of this status
   * @return the status with these only
   */
  public CoreStatus of(List<CoreDirectory> some) {
    return new CoreStatus(some, rest());
  }
}
