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
 * Values of settings that earlier versions knew. A daemon that finds one starts, with the value
 * that has taken its place: a site file of before an upgrade must not keep it from starting.
 */
@InterfaceAudience.Private
public final class RemovedValues {
  /**
   * By name, what commits use instead. "cau" decides between both for each range of bytes and pair
   * of racks, and so never sends more than either.
   */
  private static final Map<String, String> STRATEGIES =
      Map.of("parity-delta", "cau", "data-delta", "cau");

  private RemovedValues() {
  }

  /**
   * Returns the value that holds if a setting has a certain value.
   *
   * @param key the setting's name
   * @param value a value of it
   * @return what replaced the value, or the value itself if it has not been removed
   */
  public static String current(String key, String value) {
    return PprKeys.NAMENODE_COMMIT_STRATEGY_KEY.equals(key)
        ? STRATEGIES.getOrDefault(value, value) : value;
  }
}
