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

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A log file has other bytes than were written to it. A crash can leave the last write incomplete;
 * that alone is no corruption. The log has not changed the file.
 * The other holders of the log still have the updates.
 */
@InterfaceAudience.Private
public final class CorruptLogException extends UpdateLogException {
  private static final long serialVersionUID = 1L;

  public final String file;
  /** Where in the file the first wrong record begins, bytes. */
  public final long offset;

  CorruptLogException(LogFolder folder, String file, long offset, String what) {
    super("The update log in " + folder + " is corrupt: file " + file + ", byte " + offset + ": "
        + what + ". Updates from there on are to be had from the replicas of this log only; the"
        + " file is as it was found");
    this.file = file;
    this.offset = offset;
  }
}
