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
package org.hdfsppr.core.formation;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A plan for the files and CORE groups of protected directories: which groups stay as they are,
 * which no longer fit, and which groups to form. Immutable.
 */
@InterfaceAudience.Private
public final class FormationPlan {
  /** Groups that stay as they are; the group with the largest id comes first */
  public final List<FormedGroup> kept;
  /**
   * Groups that no longer match the rules or their files; the group with the largest id comes first
   */
  public final List<GroupChange> changed;
  /** Groups to form; first those with files whose old group no longer fits */
  public final List<NewGroup> formed;
  /** The files that will be in no group, for each reason; reasons without files have no entry */
  public final Map<UngroupedReason, List<CandidateFile>> waiting;

  FormationPlan(List<FormedGroup> kept, List<GroupChange> changed, List<NewGroup> formed,
      Map<UngroupedReason, List<CandidateFile>> waiting) {
    this.kept = Collections.unmodifiableList(kept);
    this.changed = Collections.unmodifiableList(changed);
    this.formed = Collections.unmodifiableList(formed);
    Map<UngroupedReason, List<CandidateFile>> copy = new EnumMap<>(UngroupedReason.class);
    waiting.forEach((reason, files) -> copy.put(reason, Collections.unmodifiableList(files)));
    this.waiting = Collections.unmodifiableMap(copy);
  }
}
