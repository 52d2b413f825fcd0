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

/** The commands and pages that log lines and errors recommend to an operator. */
@InterfaceAudience.Private
public final class Runbook {
  /** The command that checks whether a file's units agree, and that names a wrong unit. */
  public static final String VERIFY_FILE = "'hdfs ppr -verify FILE'";

  /** The page of the documentation about groups whose units contradict each other. */
  public static final String CONTRADICTING_UNITS = "docs/contradicting-units.md";

  private Runbook() {
  }
}
