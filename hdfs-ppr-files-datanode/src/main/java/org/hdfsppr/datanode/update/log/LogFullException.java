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
package org.hdfsppr.datanode.update.log;

import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A log has no room until a commit lets it drop records. Writers wait for that. The exception names
 * the file whose commit makes room soonest.
 */
@InterfaceAudience.Private
public final class LogFullException extends UpdateLogException {
  private static final long serialVersionUID = 1L;

  /** The file with the oldest update that the log still needs; null if it needs none. */
  public final UUID file;

  LogFullException(String what, UUID file) {
    super("The update log is full: " + what + (file == null ? ""
        : ". It has room again after a commit of file " + file));
    this.file = file;
  }
}
