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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** Of which files a version is made, and at which rate. */
class TestVersionRules {
  private static final long NOW = 1_000_000_000;
  private static final long HOUR = 3_600_000;
  private static final GroupPolicy RS = new GroupPolicy("rs", 6, 3, 1 << 10);
  private static final GroupPolicy KEEPS = new GroupPolicy("keeps", 6, 4, 1 << 10);
  private static final GroupPolicy OTHER = new GroupPolicy("other", 6, 3, 1 << 10);

  private final Set<GroupId> doubted = new HashSet<>();
  private final VersionRules rules = new VersionRules(new CodePaths() {
    @Override
    public Optional<String> whyNot(GroupPolicy from, GroupPolicy to) {
      return to.codec.equals("unknown") ? Optional.of("no way") : Optional.empty();
    }

    @Override
    public boolean keepsFirstParity(GroupPolicy from, GroupPolicy to) {
      return to.codec.equals("keeps");
    }
  }, doubted::contains);

  private static FileFacts.Builder file() {
    return FileFacts.of("/ec/f", FileFacts.Kind.FILE, 17).with(f -> {
      f.policy = new PolicyFacts("RS", RS, true);
      f.groups = List.of(group(0));
      f.mtime = NOW - 100 * HOUR;
      f.atime = NOW - 50 * HOUR;
      f.atimePrecisionMs = HOUR;
      f.spaceBytes = 9 << 10;
    });
  }

  private static FileGroup group(int lost) {
    return new FileGroup(new GroupId("pool", -16, 1), 6 << 10, lost);
  }

  private static VersionRequest.Builder request() {
    return VersionRequest.of("j", "/ec/f", 17).user("alice").policy("P").idleMs(24 * HOUR);
  }

  private RefusalReason reason(FileFacts.Builder facts, VersionRequest.Builder request,
      GroupPolicy target) {
    Optional<VersionRefusal> refusal = rules.check(facts.build(), request.build(),
        Optional.of(new PolicyFacts("P", target, true)), NOW);
    refusal.ifPresent(why -> assertTrue(why.sentence.length() > 5
        && !why.sentence.endsWith("."), why.sentence));
    return refusal.map(found -> found.reason).orElse(null);
  }

  private RefusalReason reason(FileFacts.Builder facts) {
    return reason(facts, request(), OTHER);
  }

  @Test
  void eachMistakeHasItsReason() {
    assertEquals(null, reason(file()));
    assertEquals(RefusalReason.NOT_FOUND,
        reason(FileFacts.of("/x", FileFacts.Kind.MISSING, 0)));
    assertEquals(RefusalReason.NOT_A_FILE,
        reason(FileFacts.of("/x", FileFacts.Kind.DIRECTORY, 1)));
    assertEquals(RefusalReason.NOT_A_FILE,
        reason(FileFacts.of("/x", FileFacts.Kind.SYMLINK, 1)));
    assertEquals(RefusalReason.REPLICATED, reason(file().with(f -> f.policy = null)));
    assertEquals(RefusalReason.OPEN, reason(file().with(f -> f.open = "is open for writing")));
    assertEquals(RefusalReason.ENCRYPTED, reason(file().with(f -> f.encrypted = true)));
    assertEquals(RefusalReason.UPDATED, reason(file().with(f -> f.updated = true)));
    assertEquals(RefusalReason.SNAPSHOT_PATH, reason(file().with(f -> f.inSnapshot = true)));
    assertEquals(RefusalReason.SNAPSHOT_RULES, reason(file().with(f -> f.snapshotRule = "/ec")));
    assertEquals(RefusalReason.RESERVED, reason(file().with(f -> f.reserved = true)));
    assertEquals(RefusalReason.NO_PERMISSION, reason(file()
        .with(f -> f.denied = "Permission denied")));
    assertEquals(RefusalReason.SAFE_MODE, reason(file().with(f -> f.safeMode = true)));
    assertEquals(RefusalReason.UNITS_LOST, reason(file()
        .with(f -> f.groups = List.of(group(0), group(4)))));
    assertEquals(RefusalReason.POLICY_UNKNOWN, rules.check(file().build(), request().build(),
        Optional.empty(), NOW).orElseThrow().reason);
    assertEquals(RefusalReason.POLICY_DISABLED, rules.check(file().build(), request().build(),
        Optional.of(new PolicyFacts("P", OTHER, false)), NOW).orElseThrow().reason);
    assertEquals(RefusalReason.SAME_POLICY, reason(file(), request(), RS));
    assertEquals(RefusalReason.OTHER_SHAPE,
        reason(file(), request(), new GroupPolicy("rs", 10, 4, 1 << 10)));
    assertEquals(RefusalReason.OTHER_SHAPE,
        reason(file(), request(), new GroupPolicy("other", 6, 3, 1 << 11)));
    assertEquals(RefusalReason.CODE_UNKNOWN,
        reason(file(), request(), new GroupPolicy("unknown", 6, 3, 1 << 10)));
    doubted.add(group(0).id);
    assertEquals(RefusalReason.DOUBTED, reason(file().with(f -> f.groups = List.of(
        new FileGroup(new GroupId("pool", -32, 1), 6 << 10, 0), group(0)))));
    assertEquals(RefusalReason.DOUBTED, reason(file(), request().force(true), OTHER));
  }

  @Test
  void quotasCountWhatIsAdded() {
    assertEquals(null, reason(file().with(f -> f.spaceLeftBytes = 0)));
    assertEquals(RefusalReason.QUOTA, reason(file().with(f -> f.spaceLeftBytes = -1)));
    // One more parity unit of 1 KiB.
    assertEquals(null, reason(file().with(f -> f.spaceLeftBytes = 1 << 10), request(), KEEPS));
    assertEquals(RefusalReason.QUOTA,
        reason(file().with(f -> f.spaceLeftBytes = (1 << 10) - 1), request(), KEEPS));
    assertEquals(RefusalReason.QUOTA, reason(file().with(f -> f.namesLeft = -1)));
    assertEquals(null, reason(file().with(f -> f.namesLeft = 0)));
  }

  @Test
  void aFileInUseIsLeftAlone() {
    // Read 24 hours ago, as noted; a read in the hour after that was not noted.
    assertEquals(RefusalReason.IN_USE, reason(file().with(f -> f.atime = NOW - 25 * HOUR + 1)));
    assertEquals(null, reason(file().with(f -> f.atime = NOW - 25 * HOUR)));
    assertEquals(RefusalReason.IN_USE, reason(file().with(f -> f.mtime = NOW - 24 * HOUR + 1)));
    assertEquals(RefusalReason.ACCESS_TIMES_OFF, reason(file().with(f -> f.atimePrecisionMs = 0)));
    FileFacts.Builder read = file().with(f -> f.atime = NOW);
    assertEquals(null, reason(read, request().force(true), OTHER));
    assertEquals(null, reason(read, request().idleMs(0), OTHER));
    assertEquals(null, reason(read, request(), KEEPS));
    assertEquals(null, reason(file().with(f -> f.atimePrecisionMs = 0), request(), KEEPS));
    assertEquals(null, reason(file().with(f -> {
      f.atime = NOW;
      f.groups = List.of(group(1), group(1));
    }), request(),
        KEEPS));
    assertEquals(RefusalReason.IN_USE,
        reason(file().with(f -> {
          f.atime = NOW;
          f.groups = List.of(group(0), group(2));
        }), request(), KEEPS));
    assertEquals(RefusalReason.IN_USE,
        reason(file().with(f -> f.mtime = NOW), request(), KEEPS), "written lately");
  }

  private RefusalReason ofCommit(FileFacts.Builder facts, boolean isEnabled) {
    return rules.checkCommit(facts.build(), Optional.of(new PolicyFacts("RS", RS, isEnabled)))
        .map(refusal -> refusal.reason).orElse(null);
  }

  @Test
  void aCommitKeepsThePolicyWhichHasToBeEnabled() {
    assertEquals(null, ofCommit(file().with(f -> f.updated = true), true));
    // HDFS creates no file under such a policy.
    assertEquals(RefusalReason.POLICY_DISABLED, ofCommit(file()
        .with(f -> f.updated = true), false));
    assertEquals(RefusalReason.POLICY_DISABLED,
        rules.checkCommit(file().build(), Optional.empty()).orElseThrow().reason);
    assertEquals(RefusalReason.SAFE_MODE, ofCommit(file().with(f -> f.safeMode = true), true));
    assertEquals(RefusalReason.UNITS_LOST, ofCommit(file()
        .with(f -> f.groups = List.of(group(1))), true));
    assertEquals(RefusalReason.OPEN, ofCommit(file().with(f -> f.open = "is open for writing"),
        true));
    doubted.add(group(0).id);
    assertEquals(RefusalReason.DOUBTED, ofCommit(file(), true));
  }
}
