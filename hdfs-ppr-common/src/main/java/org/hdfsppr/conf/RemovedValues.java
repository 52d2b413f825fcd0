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
package org.hdfsppr.conf;

import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Values of settings that earlier versions knew and that have been replaced. A daemon that finds
 * such a value uses the new value in its place, so that it still starts with the site file from
 * before an upgrade.
 */
@InterfaceAudience.Private
public final class RemovedValues {
  /**
   * By name of a removed strategy of commits, the strategy in its place. "cau" chooses between the
   * two removed strategies for each range of bytes and each pair of racks. It therefore never sends
   * more bytes than either of them.
   */
  private static final Map<String, String> STRATEGIES =
      Map.of("parity-delta", "cau", "data-delta", "cau");

  private RemovedValues() {
  }

  /**
   * Returns the value that is in effect if a setting has a certain value.
   *
   * @param key the setting's name
   * @param value the configured value
   * @return what replaced the value, or the value itself if it has not been removed
   */
  public static String current(String key, String value) {
    return PprKeys.NAMENODE_COMMIT_STRATEGY_KEY.equals(key)
        ? STRATEGIES.getOrDefault(value, value) : value;
  }
}
