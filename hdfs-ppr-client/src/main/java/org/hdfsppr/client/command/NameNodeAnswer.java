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

import java.util.List;

/**
 * One NameNode's answer to a command, or the reason why that NameNode could not be asked.
 * Immutable.
 */
final class NameNodeAnswer {
  final String nameNode;
  final ExitCode code;
  final String message;

  /**
   * @param nameNode the NameNode's name in the configuration
   * @param message the answer, or why the NameNode could not be asked, in one sentence
   */
  NameNodeAnswer(String nameNode, ExitCode code, String message) {
    this.nameNode = nameNode;
    this.code = code;
    this.message = message;
  }

  /**
   * Combines the answers to one exit code. It is {@code DONE} if at least one NameNode has done the
   * command. Otherwise it is {@code USAGE} if at least one NameNode has not understood the command.
   * Otherwise it is {@code FAILED}.
   */
  static ExitCode summary(List<NameNodeAnswer> answers) {
    ExitCode summary = ExitCode.FAILED;
    for (NameNodeAnswer answer : answers) {
      if (answer.code == ExitCode.DONE) {
        return ExitCode.DONE;
      }
      summary = answer.code == ExitCode.USAGE ? ExitCode.USAGE : summary;
    }
    return summary;
  }

  @Override
  public String toString() {
    return nameNode + ": " + message;
  }
}
