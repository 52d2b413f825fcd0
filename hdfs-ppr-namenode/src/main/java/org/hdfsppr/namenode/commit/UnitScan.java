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
package org.hdfsppr.namenode.commit;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.PatchCommand;
import org.hdfsppr.update.ByteRanges;
import org.hdfsppr.update.append.NumberedUpdate;
import org.hdfsppr.update.append.SignedTicket;

/** The updates of some commits in a unit's log, without their data. Used by one thread. */
@InterfaceAudience.Private
final class UnitScan {
  /**
   * The most ranges in memory after a page. Small updates that do not touch may be as many as a log
   * takes. A command takes fewer ranges than this, so that near ranges are joined in any case.
   */
  static final int RANGES_MAX = 4 * PatchCommand.RANGES_MAX;

  /** Throws an exception when a scan takes too long. */
  interface Check {
    void run() throws IOException;
  }

  /** The bytes that these updates write; joined ranges also have the bytes between them. */
  final ByteRanges ranges = new ByteRanges();
  private long first;
  private long last;
  private long bytes;

  private UnitScan() {
  }

  /**
   * Reads the list of a log.
   *
   * @param logs asks the leader
   * @param ticket a ticket of the unit, with a token that has COPY
   * @param committed the last commit whose updates do not count
   * @param commit the last commit whose updates count
   * @param check is called after each page but the last one
   * @throws IOException if the leader does not answer, or if the number of an update is missing
   */
  static UnitScan of(CommitLogs logs, SignedTicket ticket, long committed, long commit,
      Check check) throws IOException {
    UnitScan scan = new UnitScan();
    long after = 0;
    while (true) {
      LogPage page = logs.list(ticket, after);
      for (NumberedUpdate update : page.updates) {
        if (update.epoch > commit) {
          return scan;
        }
        if (update.epoch > committed) {
          scan.add(ticket, update);
        }
        after = update.sequence;
      }
      if (page.isLast) {
        return scan;
      }
      if (scan.ranges.ranges().size() > RANGES_MAX) {
        scan.ranges.joinTo(RANGES_MAX / 2);
      }
      check.run();
    }
  }

  private void add(SignedTicket ticket, NumberedUpdate update) throws IOException {
    if (last != 0 && update.sequence != last + 1) {
      throw new IOException("The log of " + ticket.ticket + " has update " + update.sequence
          + " after update " + last);
    }
    first = first == 0 ? update.sequence : first;
    last = update.sequence;
    bytes += update.length;
    ranges.add(update.offset, update.offset + update.length);
  }

  /** Returns the number of the first update; 0 if there is none. */
  long first() {
    return first;
  }

  /** Returns the number of the last update; 0 if there is none. */
  long last() {
    return last;
  }

  /** Returns how many updates there are. */
  long updates() {
    return first == 0 ? 0 : last - first + 1;
  }

  /** Returns the bytes of the updates. */
  long bytes() {
    return bytes;
  }
}
