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
package org.hdfsppr.client.command;

import org.apache.hadoop.classification.InterfaceAudience;

/** The exit codes that {@code hdfs ppr} returns to the shell. All commands use this list. */
@InterfaceAudience.Private
public enum ExitCode {
  /** The command has done its work. */
  DONE(0),
  /** The command was understood, but was refused or has failed. */
  FAILED(1),
  /** The command or one of its arguments was not understood, so nothing was tried. */
  USAGE(2),
  /** A check of the cluster found groups that have no unit to spare, or have lost too many. */
  AT_RISK(3),
  /** A check of the cluster found repairs that do not advance. */
  STUCK(4);

  /** The number that the shell sees */
  public final int code;

  ExitCode(int code) {
    this.code = code;
  }
}
