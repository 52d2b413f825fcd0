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
 * Reads which part of its slices a repair or a degraded read checks with the help of an additional
 * unit. DataNodes and clients check slices accordingly. The NameNode needs the rate to estimate
 * their load.
 */
@InterfaceAudience.Private
public final class VerificationRate {
  private static final String FULL = "full";
  private static final String SAMPLED = "sampled";
  private static final String OFF = "off";
  /**
   * With "sampled", a repair checks one slice in this many. The additional helper then reads only
   * this part of its unit. The check still finds each unit that is wrong throughout.
   */
  private static final int SAMPLED_ONE_IN = 64;

  private VerificationRate() {
  }

  /**
   * Reads {@link PprKeys#VERIFY_KEY}.
   *
   * @param settings the settings of the daemon or client
   * @return n, if one slice in n is checked; 0 if no slice is checked
   * @throws IllegalArgumentException if a value is not allowed; the message names the key, its
   *     value and the allowed values
   */
  public static int oneIn(SettingsReader settings) {
    String verify =
        settings.choice(PprKeys.VERIFY_KEY, PprKeys.VERIFY_DEFAULT, SAMPLED, FULL, OFF);
    switch (verify) {
      case FULL:
        return 1;
      case OFF:
        return 0;
      default:
        return SAMPLED_ONE_IN;
    }
  }
}
