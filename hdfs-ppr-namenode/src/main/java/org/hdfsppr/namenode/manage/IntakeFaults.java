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
package org.hdfsppr.namenode.manage;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.hdfsppr.namenode.queue.QueueFaults;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Confines an error at one group to that group, which is looked at again some seconds later. A poll
 * reports each group once. Without this class, all groups behind the error would wait until the
 * NameNode's queue reports them again by itself, which takes hours for a long queue. Has at most as
 * many groups as the NameNode's queue. Used by the manager's thread.
 */
final class IntakeFaults {
  private static final Logger LOG = LoggerFactory.getLogger(IntakeFaults.class);
  /** The time from the first error until the groups with an error are looked at again, ms. */
  static final long AGAIN_MS = 10_000;

  private final PeerLog peerLog = new PeerLog(LOG);
  private final QueueFaults count;
  private final Set<GroupId> groups = new LinkedHashSet<>();
  private long againMs;

  /** @param count counts the errors */
  IntakeFaults(QueueFaults count) {
    this.count = count;
  }

  /** Runs the work that takes in a lost group; if it fails, the group is looked at again later. */
  void takeIn(GroupId group, long nowMs, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      if (groups.isEmpty()) {
        againMs = nowMs + AGAIN_MS;
      }
      groups.add(group);
      say(e, "{} could not be taken in, and is looked at again in {} s", group, AGAIN_MS / 1_000,
          e);
    }
  }

  /**
   * Runs the work that takes in that a group is gone, or how its repair has ended. If it fails, the
   * manager notices this later: when the NameNode refuses the group's next repair, or when the
   * repair is overdue.
   */
  void takeEnd(GroupId group, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      say(e, "The end of a repair of {}, or that it is gone, could not be taken in", group, e);
    }
  }

  private void say(Throwable e, String format, Object... arguments) {
    count.lookFailed();
    peerLog.error(e.getClass().getName(), format, arguments);
  }

  /** Removes and returns groups with an error, if it is time to look at them again. */
  List<GroupId> takeDue(long nowMs, int max) {
    List<GroupId> due = new ArrayList<>();
    if (nowMs >= againMs) {
      Iterator<GroupId> next = groups.iterator();
      while (due.size() < max && next.hasNext()) {
        due.add(next.next());
        next.remove();
      }
    }
    return due;
  }

  void clear() {
    groups.clear();
  }
}
