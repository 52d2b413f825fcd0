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
package org.hdfsppr.client.verify;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.hadoop.classification.InterfaceAudience;

/** What a check of one group has found, in words and in numbers. Immutable. */
@InterfaceAudience.Private
public final class GroupFinding extends VerificationFinding {
  /** A unit and the place where it lies. Immutable. */
  public static final class UnitPlace {
    /** Index of the unit in its group */
    public final int unit;
    /** The internal block of the unit, such as {@code blk_-9223372036854775788} */
    public final String block;
    /** The DataNode that holds the unit, as host and port, or "no DataNode" */
    public final String node;

    UnitPlace(int unit, String block, String node) {
      this.unit = unit;
      this.block = Objects.requireNonNull(block, "block");
      this.node = Objects.requireNonNull(node, "node");
    }

    @Override
    public String toString() {
      return "unit " + unit + " (" + block + " on " + node + ")";
    }
  }

  /** The group */
  public final GroupSpot spot;
  /** The units that may be wrong in a contradiction. */
  public final List<UnitPlace> suspects;
  /** The units that have bytes but took no part in the check, ascending */
  public final List<Integer> missing;
  /** Bytes of all units that took part */
  public final long unitBytes;
  /** Bytes that came to this client */
  public final long clientBytes;

  private GroupFinding(GroupSpot spot, Verdict verdict, String text, Collection<Integer> missing,
      long unitBytes, long clientBytes) {
    super(verdict, text, "");
    this.spot = spot;
    this.suspects = Collections.emptyList();
    this.missing = Collections.unmodifiableList(new ArrayList<>(new TreeSet<>(missing)));
    this.unitBytes = unitBytes;
    this.clientBytes = clientBytes;
  }

  private GroupFinding(GroupFinding like, List<UnitPlace> suspects, String next) {
    super(like.verdict, like.text, next);
    this.spot = like.spot;
    this.suspects = Collections.unmodifiableList(new ArrayList<>(suspects));
    this.missing = like.missing;
    this.unitBytes = like.unitBytes;
    this.clientBytes = like.clientBytes;
  }

  /** Makes the finding of a check that has read nothing. */
  static GroupFinding of(GroupSpot spot, Verdict verdict, String text) {
    return new GroupFinding(spot, verdict, text, Collections.emptyList(), 0, 0);
  }

  /**
   * Makes a finding that says which units took no part in the check, and how many bytes the check
   * has read.
   */
  static GroupFinding of(GroupSpot spot, Verdict verdict, String text,
      Collection<Integer> missing, long unitBytes, long clientBytes) {
    return new GroupFinding(spot, verdict, text, missing, unitBytes, clientBytes);
  }

  /** Adds the suspects of a contradiction, and what is to be done about it. */
  GroupFinding withSuspects(List<UnitPlace> places, String whatNext) {
    return new GroupFinding(this, places, whatNext);
  }

  /** @return whether the units contradict each other, and a single unit explains this */
  public boolean namesUnit() {
    return verdict == Verdict.CONTRADICTION && suspects.size() == 1;
  }

  @Override
  public String toString() {
    return spot + ": " + verdict.word() + (text.isEmpty() ? "" : ": " + text);
  }
}
