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
package org.hdfsppr.conformance;

import org.apache.hadoop.classification.InterfaceAudience;

/** Lines as the plugin writes them. */
@InterfaceAudience.Private
final class PluginLines {
  private PluginLines() {
  }

  static String example(Sign sign) {
    switch (sign) {
      case REPAIR:
        return "org.hdfsppr.datanode.RepairTask - Repaired BP-17-127.0.0.1-1763:blk_-92_1001";
      case FALLBACK:
        return "org.hdfsppr.datanode.RepairTask - falling back to the stock worker for blk_-92";
      default:
        throw new IllegalArgumentException(sign + " is Hadoop's, not the plugin's");
    }
  }
}
