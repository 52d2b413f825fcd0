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

/** What {@code hdfs ppr} returns to the shell: one list for all commands. */
@InterfaceAudience.Private
public enum ExitCode {
  /** The command has done what it was asked to do. */
  DONE(0),
  /** The command was understood, and refused or failed. */
  FAILED(1),
  /** The command, or one of its arguments, was not understood; nothing was tried. */
  USAGE(2),
  /** A check of the cluster found groups without units to spare. No command returns it yet. */
  AT_RISK(3),
  /** A check of the cluster found repairs that do not advance. No command returns it yet. */
  STUCK(4);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  /** @return the number that the shell sees */
  public int code() {
    return code;
  }
}
