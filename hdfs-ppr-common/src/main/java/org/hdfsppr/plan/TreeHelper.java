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
package org.hdfsppr.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A helper that runs hdfs-ppr, with the sources that it reads. A topology makes a tree of such
 * helpers.
 */
@InterfaceAudience.Private
public final class TreeHelper {
  final NodeRef node;
  final List<RepairSource> sources;

  TreeHelper(NodeRef node, List<RepairSource> sources) {
    this.node = node;
    this.sources = Collections.unmodifiableList(new ArrayList<>(sources));
  }

  /**
   * Says whether this helper serves only the check. Such a helper sends nothing for slices that are
   * not checked.
   */
  boolean onlyChecks() {
    for (RepairSource source : sources) {
      if (source.contributes(false)) {
        return false;
      }
    }
    return true;
  }
}
