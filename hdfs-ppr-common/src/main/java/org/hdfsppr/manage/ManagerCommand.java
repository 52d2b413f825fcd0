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
package org.hdfsppr.manage;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.proto.ManagerProtos.CommandProto;

/**
 * An order of a manager to one DataNode. A command either starts a job or stops a job. For each
 * kind of command, one class implements this interface and converts the command into its message,
 * and another class on the DataNode carries it out. Immutable.
 */
@InterfaceAudience.Private
public interface ManagerCommand {
  /** A command that its receiver reads by a {@link CommandKind}. */
  interface OfKind extends ManagerCommand {
    /** @return the message */
    CommandProto toProto();
  }

  /**
   * Names the kind of the command for logs and refusals.
   *
   * @return the kind, such as {@code repair}
   */
  String kind();

  /** @return the id of the job that the command starts or stops; the job's result names this id */
  String id();

  /** @return the term of the manager that gives the command */
  long term();
}
