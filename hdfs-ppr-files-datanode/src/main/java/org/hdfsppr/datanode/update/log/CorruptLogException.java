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
 * The bytes of a log are not those that were written, and this is more than the torn write that an
 * end of the process or the machine leaves. The log has not changed the file. The other holders of
 * the log have the updates.
 */
@InterfaceAudience.Private
public final class CorruptLogException extends UpdateLogException {
  private static final long serialVersionUID = 1L;

  public final String file;
  /** The offset of the first wrong record in the file, bytes. */
  public final long offset;

  CorruptLogException(LogFolder folder, String file, long offset, String what) {
    super("The update log in " + folder + " is corrupt: file " + file + ", byte " + offset + ": "
        + what + ". Updates from there on are to be had from the replicas of this log only; the"
        + " file is as it was found");
    this.file = file;
    this.offset = offset;
  }
}
