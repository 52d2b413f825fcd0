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
package org.hdfsppr.namenode.scrub;

import java.time.Instant;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;

/** A result of a background check that an operator should know. Immutable. */
@InterfaceAudience.Private
public final class Discovery {
  /** When the report arrived */
  public final Instant at;
  /** The group */
  public final GroupId group;
  /** What was found */
  public final ScrubOutcome outcome;
  /** Index of the wrong unit, {@link ScrubFinding#NO_UNIT} if it is not known */
  public final int wrongUnit;
  /** The node of the wrong unit; null if it is not known */
  public final NodeRef node;
  /** One line for an operator */
  public final String text;

  Discovery(Instant at, GroupId group, ScrubOutcome outcome, int wrongUnit,
      NodeRef node, String text) {
    this.at = Objects.requireNonNull(at, "at");
    this.group = Objects.requireNonNull(group, "group");
    this.outcome = Objects.requireNonNull(outcome, "outcome");
    this.wrongUnit = wrongUnit;
    this.node = node;
    this.text = Objects.requireNonNull(text, "text");
  }

  boolean isContradiction() {
    return outcome == ScrubOutcome.CONTRADICTION;
  }
}
