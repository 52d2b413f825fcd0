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
package org.hdfsppr.client.verify;

import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/** What a check of one group has found. */
@InterfaceAudience.Private
public enum Verdict {
  /** All units that are there were read and agree. */
  AGREES(true, "agrees"),
  /** The units contradict each other. */
  CONTRADICTION(false, "CONTRADICTION"),
  /** A unit could not be read. The other units agree, or nothing is left to check them with. */
  UNREADABLE(false, "UNREADABLE UNITS"),
  /** The group could not be checked. */
  NOT_CHECKED(false, "NOT CHECKED"),
  /** The file or the group was deleted before its check ended. */
  GONE(true, "gone"),
  /** A writer may still write the group, so that it was not checked. */
  OPEN(true, "open");

  /** Whether nothing about the group needs attention */
  public final boolean fine;
  /** The verdict in a report for people; in capitals if it needs attention */
  public final String title;

  Verdict(boolean fine, String title) {
    this.fine = fine;
    this.title = title;
  }

  /** @return the name in JSON */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
