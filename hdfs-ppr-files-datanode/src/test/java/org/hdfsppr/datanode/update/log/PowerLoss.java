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

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;

/** A log on a machine that loses all that was not synced when it loses power. */
@InterfaceAudience.Private
public final class PowerLoss {
  private MemoryFolder folder = new MemoryFolder();
  private long boot = LogBed.BOOT;

  /** Opens the log. */
  public UpdateLog open() throws IOException {
    return LogBed.open(folder, boot, LogLimits.of(LogLimits.BYTES_MIN));
  }

  /** Loses power; the log has to be opened again. */
  public void happen() {
    folder = folder.afterTotalLoss();
    boot++;
  }

  /** Returns how many bytes were read from the disk since it lost power last. */
  public long bytesRead() {
    return folder.bytesRead();
  }

  /** Lets the sync after the next write fail. */
  public void failSync() {
    folder.failAfter(1, false);
  }
}
