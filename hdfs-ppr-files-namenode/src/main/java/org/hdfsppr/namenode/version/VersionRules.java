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

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.GroupId;

/**
 * Decides whether a file may get a new version. The rules ask the repair manager which groups are
 * in doubt. Everything else depends only on the facts of the file, so that a dry run gets the same
 * answer as a real run.
 *
 * <p>A stream that was opened before the version is published keeps the decoder of the old code. If
 * it asks for locations again, it gets parity units of the new code, decodes with them, and returns
 * wrong bytes without an error. So a file counts as in use for some time after it was read. This
 * does not apply if the first parity unit has the same bytes in both codes, and no group has lost
 * more than one unit. Then the stream decodes with that parity unit, and its bytes are right.
 */
@InterfaceAudience.Private
public final class VersionRules {
  private final CodePaths codes;
  private final Predicate<GroupId> doubts;

  /**
   * @param codes knows between which codes a group can be converted
   * @param doubts returns whether it is known that units of a group may contradict each other
   */
  public VersionRules(CodePaths codes, Predicate<GroupId> doubts) {
    this.codes = Objects.requireNonNull(codes, "codes");
    this.doubts = Objects.requireNonNull(doubts, "doubts");
  }

  /**
   * @param facts the present facts of the request's path
   * @param request the request for the version
   * @param target the new policy; empty if the NameNode does not have it
   * @param nowMs the time, ms since 1970 (UTC)
   * @return why the version is not made; empty if it can be made
   */
  public Optional<VersionRefusal> check(FileFacts facts, VersionRequest request,
      Optional<PolicyFacts> target, long nowMs) {
    if (facts.safeMode) {
      return inSafeMode();
    }
    if (request.commit().isPresent()) {
      return checkCommit(facts, target);
    }
    Optional<VersionRefusal> refusal = checkFile(facts, false);
    if (refusal.isEmpty()) {
      refusal = checkPolicy(facts, request.policy, target.orElse(null));
    }
    if (refusal.isEmpty() && facts.grown) {
      refusal = refuse(RefusalReason.SNAPSHOT_GROWN, grown(facts.path));
    }
    if (refusal.isEmpty()) {
      refusal = checkState(facts, target.orElseThrow().code);
    }
    if (refusal.isEmpty()) {
      refusal = checkDoubts(facts.path, facts.groups);
    }
    return refusal.isEmpty() ? checkUse(facts, request, target.orElseThrow().code, nowMs)
        : refusal;
  }

  private static Optional<VersionRefusal> refuse(RefusalReason reason, String sentence) {
    return Optional.of(new VersionRefusal(reason, sentence));
  }

  private static Optional<VersionRefusal> inSafeMode() {
    return refuse(RefusalReason.SAFE_MODE, "the NameNode is in safe mode; try again when it has"
        + " left it ('hdfs dfsadmin -safemode get')");
  }

  /** Checks the rules that do not depend on the new policy. */
  private static Optional<VersionRefusal> checkFile(FileFacts facts, boolean isCommit) {
    String path = facts.path;
    if (facts.kind == FileFacts.Kind.MISSING) {
      return refuse(RefusalReason.NOT_FOUND, path + " does not exist; check the name");
    }
    if (facts.kind != FileFacts.Kind.FILE) {
      return refuse(RefusalReason.NOT_A_FILE, path + " is a "
          + (facts.kind == FileFacts.Kind.SYMLINK ? "symbolic link; name its target"
              : "directory, and takes no version itself; name files"));
    }
    if (facts.inSnapshot) {
      return refuse(RefusalReason.SNAPSHOT_PATH, path + " is in a snapshot, which never changes;"
          + " name the file itself");
    }
    if (facts.reserved) {
      return refuse(RefusalReason.RESERVED, path + " is reserved; name files of users");
    }
    if (facts.denied != null) {
      return refuse(RefusalReason.NO_PERMISSION, facts.denied
          + "; ask its owner or a superuser for permission to write to the file and its directory");
    }
    if (facts.policy == null) {
      return refuse(RefusalReason.REPLICATED, path + " is replicated and has no parity units to"
          + " convert; copy it into a directory with an erasure coding policy");
    }
    if (facts.encrypted) {
      return refuse(RefusalReason.ENCRYPTED, path + " lies in an encryption zone, out of which"
          + " HDFS renames nothing; copy it by 'hadoop distcp' instead");
    }
    if (facts.updated && !isCommit) {
      return refuse(RefusalReason.UPDATED, path + " may have updates in place that are in no"
          + " version of it, and would be lost; 'hdfs ppr -updatable DIR -off' ends that if it has"
          + " none, and otherwise copy it by a client with dfs.client.ppr.updates");
    }
    if (facts.held) {
      return refuse(RefusalReason.SNAPSHOT_HELD, held(path));
    }
    return facts.open == null ? Optional.empty()
        : refuse(RefusalReason.OPEN, path + " " + facts.open
            + "; try again when its writer has closed it ('hdfs debug recoverLease' closes it"
            + " after a writer's death)");
  }

  /**
   * @param directory a snapshottable directory
   * @return why files in it get no new versions, and what helps
   */
  public static String snapshotRule(String directory) {
    return "this NameNode renames nothing into or out of " + directory + ", which may have"
        + " snapshots, because dfs.namenode.snapshot.deletion.ordered and"
        + " dfs.namenode.snapshot.trashroot.enabled are true; set one of them to false and restart"
        + " the NameNodes, or delete its snapshots and run 'hdfs dfsadmin -disallowSnapshot'";
  }

  /**
   * @param path of a file that was renamed while a snapshot had it, for people
   * @return why the file gets no new version, and what helps
   */
  public static String held(String path) {
    return path + " was renamed while a snapshot had it, and Hadoop fails to delete such a file;"
        + " delete the snapshots that have it, also those of the directory from which it came, and"
        + " do not delete or overwrite it before (docs/hadoop-renamed-snapshot-files.md)";
  }

  /**
   * @param path of a file with blocks that are newer than the last snapshot that has it, for people
   * @return why the file is not converted, and what helps
   */
  public static String grown(String path) {
    return path + " was appended to since the last snapshot that has it, and its new blocks would"
        + " be deleted without a grace; take another snapshot, or delete that one";
  }

  /**
   * Decides whether the updates of a file may be committed. It does not matter whether clients read
   * the file, because both versions have the same code.
   *
   * @param facts the present facts of the file's path
   * @param policy the file's policy; empty if the NameNode does not have it any more
   * @return why no version is made; empty if it can be made
   */
  public Optional<VersionRefusal> checkCommit(FileFacts facts, Optional<PolicyFacts> policy) {
    if (facts.safeMode) {
      return inSafeMode();
    }
    Optional<VersionRefusal> refusal = checkFile(facts, true);
    return refusal.isEmpty() ? checkCommit(facts, policy.orElse(null)) : refusal;
  }

  /** Checks the rules that only commits have. */
  private Optional<VersionRefusal> checkCommit(FileFacts facts, PolicyFacts policy) {
    if (policy == null || !policy.enabled) {
      return refuse(RefusalReason.POLICY_DISABLED, "the policy " + facts.policy.name + " of "
          + facts.path + " is not enabled, and HDFS makes no file under it; 'hdfs ec"
          + " -enablePolicy -policy " + facts.policy.name + "' does that");
    }
    if (facts.lostUnitsMax() > 0) {
      return refuse(RefusalReason.UNITS_LOST, "a group of " + facts.path + " has lost "
          + facts.lostUnitsMax() + " units, which repairs bring back first; commit it again after"
          + " that ('hdfs ppr -status')");
    }
    Optional<VersionRefusal> refusal = checkState(facts, facts.policy.code);
    return refusal.isEmpty() ? checkDoubts(facts.path, facts.groups) : refusal;
  }

  private Optional<VersionRefusal> checkPolicy(FileFacts facts, String name, PolicyFacts target) {
    if (target == null) {
      return refuse(RefusalReason.POLICY_UNKNOWN, "the NameNode has no erasure coding policy "
          + name + "; 'hdfs ec -listPolicies' lists all, 'hdfs ec -addPolicies' adds one");
    }
    if (!target.enabled) {
      return refuse(RefusalReason.POLICY_DISABLED, "the policy " + target.name
          + " is not enabled; 'hdfs ec -enablePolicy -policy " + target.name + "' does that");
    }
    GroupPolicy from = facts.policy.code;
    GroupPolicy to = target.code;
    if (from.equals(to)) {
      return refuse(RefusalReason.SAME_POLICY, facts.path + " has the policy "
          + facts.policy.name + " already");
    }
    if (from.dataUnits != to.dataUnits || from.cellBytes != to.cellBytes) {
      return refuse(RefusalReason.OTHER_SHAPE, facts.path + " has " + from.dataUnits
          + " data units with cells of " + from.cellBytes + " bytes, but " + target.name
          + " has " + to.dataUnits + " with cells of " + to.cellBytes
          + "; choose a policy with the same two numbers");
    }
    return codes.whyNot(from, to).map(why -> new VersionRefusal(RefusalReason.CODE_UNKNOWN, why));
  }

  private static Optional<VersionRefusal> checkState(FileFacts facts, GroupPolicy to) {
    int lost = facts.lostUnitsMax();
    if (lost > facts.policy.code.parityUnits) {
      return refuse(RefusalReason.UNITS_LOST, "a group of " + facts.path + " has lost " + lost
          + " units, more than its code can rebuild; bring their DataNodes back");
    }
    if (facts.snapshotRule != null) {
      return refuse(RefusalReason.SNAPSHOT_RULES, snapshotRule(facts.snapshotRule));
    }
    long more = space(facts, to) - facts.spaceBytes;
    if (more > 0 && more > facts.spaceLeftBytes || facts.spaceLeftBytes < 0) {
      return refuse(RefusalReason.QUOTA, "a space quota of " + facts.path + " leaves "
          + facts.spaceLeftBytes + " bytes, but the new version needs " + more
          + " more; raise it ('hdfs dfsadmin -setSpaceQuota')");
    }
    return facts.namesLeft >= 0 ? Optional.empty()
        : refuse(RefusalReason.QUOTA, "a name quota of " + facts.path + " is exceeded already;"
            + " raise it ('hdfs dfsadmin -setQuota')");
  }

  /**
   * Refuses a new version of a file whose units contradict each other. The new parity units would
   * be calculated from the wrong unit, so that they would fit it, and no check could find it any
   * more.
   *
   * @param path of the file, for people
   * @param groups the groups of the file
   * @return why its version is not made; empty if no contradiction is known
   */
  Optional<VersionRefusal> checkDoubts(String path, List<FileGroup> groups) {
    return groups.stream().filter(group -> doubts.test(group.id)).findFirst()
        .flatMap(group -> refuse(RefusalReason.DOUBTED, "units of " + group.id + " of " + path
            + " contradict each other, so that one of them is wrong; 'hdfs ppr -doubts' and"
            + " docs/contradicting-units.md say what helps; convert it after that"));
  }

  /** Returns how many bytes a new version counts in space quotas: the lengths of all its units. */
  static long space(FileFacts facts, GroupPolicy to) {
    long bytes = 0;
    for (FileGroup group : facts.groups) {
      bytes += group.bytes + to.parityUnits * parityBytes(group.bytes, to);
    }
    return bytes;
  }

  /** Returns the length of a parity unit, bytes. */
  static long parityBytes(long groupBytes, GroupPolicy code) {
    long stripe = (long) code.cellBytes * code.dataUnits;
    return groupBytes / stripe * code.cellBytes
        + Math.min(groupBytes % stripe, code.cellBytes);
  }

  private Optional<VersionRefusal> checkUse(FileFacts facts, VersionRequest request,
      GroupPolicy to, long nowMs) {
    if (request.isForced() || request.idleMs == 0) {
      return Optional.empty();
    }
    String remedy = "; convert it later, ask for a shorter idle time, or force it if nothing reads"
        + " it";
    if (nowMs - facts.mtime < request.idleMs) {
      return refuse(RefusalReason.IN_USE, facts.path + " was written "
          + (nowMs - facts.mtime) / 1_000 + " s ago, and has to be idle for "
          + request.idleMs / 1_000 + " s" + remedy);
    }
    if (codes.keepsFirstParity(facts.policy.code, to) && facts.lostUnitsMax() <= 1) {
      return Optional.empty();
    }
    if (facts.atimePrecisionMs <= 0) {
      return refuse(RefusalReason.ACCESS_TIMES_OFF, "the NameNode keeps no access times"
          + " (dfs.namenode.accesstime.precision is 0), so that it is not known whether "
          + facts.path + " is being read; force it if nothing reads it");
    }
    // The NameNode does not record a read that comes within the precision after a recorded one, so
    // that the last read may be later than the access time.
    long lastReadMs = facts.atime + facts.atimePrecisionMs;
    return nowMs - lastReadMs >= request.idleMs ? Optional.empty()
        : refuse(RefusalReason.IN_USE, facts.path + " was read "
            + Math.max(0, nowMs - facts.atime) / 1_000 + " s ago, or within the "
            + facts.atimePrecisionMs / 1_000 + " s after that, and has to be idle for "
            + request.idleMs / 1_000 + " s" + remedy);
  }
}
