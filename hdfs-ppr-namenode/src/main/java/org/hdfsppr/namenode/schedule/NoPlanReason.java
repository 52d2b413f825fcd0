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
package org.hdfsppr.namenode.schedule;

import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/** The reasons why the scheduler has no plan for a group now. */
@InterfaceAudience.Private
public enum NoPlanReason {
  /** The units that can be read now do not determine the lost ones. */
  TOO_FEW_SOURCES("the units that can be read do not determine the lost ones"),
  /** No node may store the rebuilt units. */
  NO_DESTINATION("no DataNode may take the lost units"),
  /** This NameNode does not know the code. */
  UNKNOWN_CODE("the code is not known here"),
  /** The group has lost no unit that has bytes. */
  NOTHING_LOST("no unit with bytes is lost"),
  /** Planning failed with an error, which was logged. */
  FAILED("planning failed with an error");

  /** The reason, to be written behind a colon. */
  public final String words;

  NoPlanReason(String words) {
    this.words = words;
  }

  /** @return the name as the value of a metric's tag or label, such as {@code no_destination} */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
