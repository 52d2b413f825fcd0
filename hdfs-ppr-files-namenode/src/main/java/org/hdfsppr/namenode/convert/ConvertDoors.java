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
package org.hdfsppr.namenode.convert;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.version.VersionEngine;

/** What conversion jobs use of the NameNode. Immutable. */
@InterfaceAudience.Private
public final class ConvertDoors {
  final ConvertGate gate;
  final JobFolder folder;
  final ConvertNamespace namespace;
  final VersionEngine engine;

  /**
   * @param gate says whether this NameNode is the active one
   * @param folder keeps the records of jobs
   * @param namespace looks up files and directories, and sets policies
   * @param engine makes versions of files; the jobs do not close it
   */
  public ConvertDoors(ConvertGate gate, JobFolder folder, ConvertNamespace namespace,
      VersionEngine engine) {
    this.gate = gate;
    this.folder = folder;
    this.namespace = namespace;
    this.engine = engine;
  }
}
