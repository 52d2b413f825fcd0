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
package org.hdfsppr.namenode.scrub;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.apache.hadoop.classification.InterfaceAudience;

/** Takes the reports of checks from the threads that answer heartbeats. Thread-safe. */
@InterfaceAudience.Private
public final class ScrubInbox {
  /** All ids of checks begin with this text, so that the inbox finds the results of checks. */
  public static final String ID_PREFIX = "scrub-";
  /** How many reports wait at most: twice as many as the checks that may be under way. */
  private static final int REPORTS_MAX = 2 * ScrubPass.WINDOW_MAX;

  private final BlockingQueue<ScrubReport> reports = new ArrayBlockingQueue<>(REPORTS_MAX);
  private volatile boolean open;

  /**
   * Keeps a report for the next step of the scrubber.
   *
   * @param report what a DataNode says
   * @return false if too many reports wait; the DataNode has to repeat it
   */
  public boolean tell(ScrubReport report) {
    // While this NameNode checks nothing, it does not need the report, and the DataNode may forget
    // it.
    return !open || reports.offer(report);
  }

  ScrubReport poll() {
    return reports.poll();
  }

  /** Begins to take reports, or drops those that it holds and ignores all further ones. */
  void setOpen(boolean isOpen) {
    open = isOpen;
    if (!isOpen) {
      reports.clear();
    }
  }
}
