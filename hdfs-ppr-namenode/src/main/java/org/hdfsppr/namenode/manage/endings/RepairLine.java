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
package org.hdfsppr.namenode.manage.endings;

import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.Assignment;
import org.hdfsppr.namenode.track.GrantRecord;

/** Says in the one line that the log has of each repair what was repaired, where and how. */
@InterfaceAudience.Private
final class RepairLine {
  private static final double MS_PER_S = 1000;

  private RepairLine() {
  }

  /** Returns bytes, seconds, destinations and topology of a repair that ends now. */
  static String of(GrantRecord record, long nowMs) {
    Assignment all = record.assignment;
    String targets = all.targets.stream().map(target -> target.unit + "@" + target.node)
        .collect(Collectors.joining(", "));
    return String.format(Locale.ROOT, "%d bytes in %.1f s to [%s], %s",
        record.bytes, (nowMs - record.startedMs) / MS_PER_S,
        targets, all.topology);
  }
}
