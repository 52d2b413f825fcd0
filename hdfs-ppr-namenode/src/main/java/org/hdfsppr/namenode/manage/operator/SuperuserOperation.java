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
package org.hdfsppr.namenode.manage.operator;

import java.util.function.Function;

/**
 * One of the commands for superusers: it reads the arguments, and returns what the manager's thread
 * is to do.
 */
abstract class SuperuserOperation {
  /** What one command asks for. */
  static final class Wish {
    final String what;
    final Function<SuperuserOperations, Outcome> action;

    /**
     * @param what the group, node or time to which the operation applies, for the audit log; may be
     *     empty
     * @param action carries it out, in the manager's thread
     */
    Wish(String what, Function<SuperuserOperations, Outcome> action) {
      this.what = what;
      this.action = action;
    }
  }

  final String name;
  final String auditName;
  final String usage;

  /**
   * @param name the first word of the command, lower case
   * @param auditName the operation's name in the NameNode's audit log
   * @param usage the command with its arguments, and an example if it has any
   */
  SuperuserOperation(String name, String auditName, String usage) {
    this.name = name;
    this.auditName = auditName;
    this.usage = usage;
  }

  /** Returns whether the command may have this number of arguments after its name. */
  abstract boolean takes(int arguments);

  /**
   * Reads the arguments.
   *
   * @param arguments the words after the name; their number is one that {@link #takes} accepts
   * @throws IllegalArgumentException if they make no sense; the message is a sentence
   */
  abstract Wish read(String... arguments);
}
