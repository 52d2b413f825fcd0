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

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Reads {@link PprKeys#NAMENODE_LINK_RATE_KEY}, the capacity of a DataNode's link in each
 * direction.
 */
@InterfaceAudience.Private
public final class LinkRate {
  private static final long LEAST = 1_000;
  private static final long MOST = 1_000_000_000_000L;

  private LinkRate() {
  }

  /**
   * @param settings the settings of the daemon
   * @return bytes/s; the default if the operator has not set the key
   * @throws IllegalArgumentException if the value is not allowed; the message names the key, its
   *     value and the allowed values
   */
  public static long of(SettingsReader settings) {
    return settings.number(PprKeys.NAMENODE_LINK_RATE_KEY, PprKeys.NAMENODE_LINK_RATE_DEFAULT,
        LEAST, MOST);
  }

  /**
   * Like {@link #of}, but without a default. This is for decisions that would be wrong if the
   * assumed default differed from the real rate.
   *
   * @param settings the settings of the daemon
   * @return bytes/s; 0 if the operator has not set the key
   */
  public static long ifSet(SettingsReader settings) {
    return settings.isSet(PprKeys.NAMENODE_LINK_RATE_KEY) ? of(settings) : 0;
  }
}
