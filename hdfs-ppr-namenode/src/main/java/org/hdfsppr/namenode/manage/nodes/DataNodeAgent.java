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
package org.hdfsppr.namenode.manage.nodes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.CancelCommand;
import org.hdfsppr.manage.CommandFeatures;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.ManagerCommand;
import org.hdfsppr.manage.NodeLoad;
import org.hdfsppr.manage.NodeSelf;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.manage.ReadGroup;
import org.hdfsppr.manage.RepairCommand;
import org.hdfsppr.manage.ResidentBlocks;
import org.hdfsppr.manage.RunningRepair;
import org.hdfsppr.manage.ScrubCommand;
import org.hdfsppr.manage.SelfReport;
import org.hdfsppr.namenode.doctor.NodeFacts;
import org.hdfsppr.namenode.doctor.NodeFacts.SelfDescription;
import org.hdfsppr.namenode.manage.status.ExtensionStatus;
import org.hdfsppr.namenode.rpc.WaitingCall;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.RequestFeatures;

/**
 * The last heartbeat of this project's plugin on one DataNode, and the orders that wait for its
 * next heartbeat. Thread-safe.
 */
@InterfaceAudience.Private
public final class DataNodeAgent {
  /**
   * The greatest number of orders that wait for one heartbeat. This is more than a node can carry
   * out in minutes.
   */
  static final int ORDERS_MAX = 512;
  /** The greatest number of checks that wait for one heartbeat. A node leads one at a time. */
  private static final int SCRUBS_MAX = 4;
  /**
   * The greatest number of other commands, such as links and makings, that wait for one heartbeat:
   * as many as a DataNode lets wait at a time.
   */
  private static final int OTHERS_MAX = 128;
  /**
   * The greatest number of blocks that are remembered as being in a node's memory. This is enough,
   * because a node's page cache is much smaller than its disks.
   */
  static final int RESIDENT_MAX = 1 << 13;

  private NodeRef node;
  private NodeLoad load;
  private SelfDescription own = new SelfDescription(null, null, null, List.of());
  private boolean knowsDoubt;
  private boolean knowsScrub;
  private int checksAtATime = 1;
  private boolean knowsColumns;
  private long commandFeatures;
  /**
   * Whether the node sees all reads of old versions by clients; null if its plugin is too old to
   * say.
   */
  private Boolean seesReads;
  private boolean knowsNarrowLinks;
  private long heardMs;
  private List<RunningRepair> running = Collections.emptyList();
  private final Set<Long> resident = new HashSet<>();
  private boolean residentComplete;
  private final DegradedMarks readDegraded = new DegradedMarks();
  private final Deque<RepairCommand> repairs = new ArrayDeque<>();
  private final Deque<CancelCommand> cancels = new ArrayDeque<>();
  private final Deque<ScrubCommand> scrubs = new ArrayDeque<>();
  private final Deque<ManagerCommand> others = new ArrayDeque<>();
  /** The call with which the node waits for orders; null if it does not. */
  private WaitingCall waiting;
  /** Until when that call may be kept, monotonic ms. */
  private long waitingToMs;
  /** Whether an urgent order has come since the node last sent a heartbeat or got an answer. */
  private boolean hasNews;

  /**
   * Takes note of a heartbeat.
   *
   * @param request the node's heartbeat
   * @param nowMs the time now, monotonic, ms
   * @param wallClockMs the NameNode's wall clock now, ms since 1970 (UTC)
   * @param wantsResident whether the scheduler asks for the blocks that the node has in memory
   */
  synchronized void hear(HeartbeatRequest request, long nowMs, long wallClockMs,
      boolean wantsResident) {
    hearOfItself(request, wallClockMs);
    // The answer to this heartbeat has the orders.
    hasNews = false;
    node = request.node;
    load = request.load;
    knowsDoubt = request.knowsDoubt();
    knowsScrub = (request.commandFeatures & CommandFeatures.SCRUB) != 0;
    checksAtATime = (request.commandFeatures & CommandFeatures.CHECK_QUEUE) == 0 ? 1
        : ScrubCommand.AT_A_TIME;
    commandFeatures = request.commandFeatures;
    knowsColumns = (request.commandFeatures & CommandFeatures.CORE) != 0;
    knowsNarrowLinks =
        RequestFeatures.covers(request.requestFeatures, RequestFeatures.NARROW_LINKS);
    seesReads = request.oldReads == OldReads.UNSAID ? null : request.oldReads.seesAll;
    running = request.running;
    heardMs = nowMs;
    readDegraded.hear(request.readDegraded, nowMs);
    if (!wantsResident) {
      return;
    }
    ResidentBlocks news = request.resident;
    if (news.complete) {
      resident.clear();
      residentComplete = true;
    }
    news.removed.forEach(resident::remove);
    for (long block : news.added) {
      if (resident.size() < RESIDENT_MAX) {
        resident.add(block);
      }
    }
  }

  private void hearOfItself(HeartbeatRequest request, long wallClockMs) {
    SelfReport report = request.selfReport;
    boolean isOther = !request.softwareVersion.equals(own.software);
    // After an upgrade, what the older version said does not hold any more.
    NodeSelf self = report.self().orElse(isOther ? null : own.self().orElse(null));
    Long clockOffsetMs = report.wallClockMs == SelfReport.NO_CLOCK ? null
        : Long.valueOf(report.wallClockMs - wallClockMs);
    own = new SelfDescription(request.softwareVersion, self, clockOffsetMs, report.unreachable);
  }

  /** @return whether the node has not said its versions and settings yet */
  public synchronized boolean lacksSelf() {
    return own.self().isEmpty();
  }

  /** Returns whether a heartbeat has arrived here. */
  synchronized boolean isHeard() {
    return load != null;
  }

  /** Returns whether the node sees all reads of old versions of files by clients. */
  synchronized boolean seesReads() {
    return Boolean.TRUE.equals(seesReads);
  }

  /** Returns what the node has said about itself, after its first heartbeat. */
  synchronized NodeFacts facts(long nowMs, boolean isSilent) {
    return new NodeFacts(node, own, load, nowMs - heardMs, isSilent, commandFeatures, seesReads);
  }

  /** @return the node's name and addresses, as its last heartbeat says */
  public synchronized NodeRef node() {
    return node;
  }

  /** @return the node's load, as its last heartbeat says */
  public synchronized NodeLoad load() {
    return load;
  }

  /** @return whether the node can repair groups whose units contradict each other */
  public synchronized boolean knowsDoubt() {
    return knowsDoubt;
  }

  /**
   * Returns whether the node knows narrow links: it can send only the linearly independent rows of
   * a sum, and derive the other rows of a sum that it receives.
   */
  synchronized boolean knowsNarrowLinks() {
    return knowsNarrowLinks;
  }

  /** Returns whether the node can rebuild a unit from a column of CORE. */
  synchronized boolean knowsColumns() {
    return knowsColumns;
  }

  /** @return whether the node can check that the units of a group agree */
  public synchronized boolean knowsScrub() {
    return knowsScrub;
  }

  /** @return how many checks the node accepts at a time, the running one included */
  public synchronized int checksAtATime() {
    return checksAtATime;
  }

  /**
   * @param features bits of {@link CommandFeatures}
   * @return whether the node knows all of them, as its last heartbeat says
   */
  public synchronized boolean knows(long features) {
    return RequestFeatures.covers(commandFeatures, features);
  }

  /**
   * @return what operators are shown of this node, as of its last heartbeat; null before the first
   *     one
   */
  public synchronized ExtensionStatus status() {
    return load == null ? null
        : new ExtensionStatus(load, heardMs, own.software,
            own.self().map(self -> self.kernel).orElse(null));
  }

  /** @return the time of the node's last heartbeat, monotonic, ms */
  public synchronized long heardMs() {
    return heardMs;
  }

  /**
   * @return the repairs that the node was running as their destination, as its last heartbeat says
   */
  public synchronized List<RunningRepair> running() {
    return running;
  }

  synchronized Set<Long> resident() {
    return new HashSet<>(resident);
  }

  /** @return whether the node has reported all its blocks in memory since its first heartbeat */
  public synchronized boolean isResidentComplete() {
    return residentComplete;
  }

  /**
   * @return the groups that the node has reported since the last call, because clients read them
   *     degraded
   */
  public synchronized List<ReadGroup> takeReadDegraded() {
    return readDegraded.takeNews();
  }

  /** @return whether the node has lately reported any group that clients read degraded */
  public synchronized boolean saysAnyReadDegraded() {
    return !readDegraded.isEmpty();
  }

  /** Returns whether the node has lately reported that clients read this group degraded. */
  synchronized boolean saysReadDegraded(ReadGroup group, long nowMs) {
    return readDegraded.contains(group, nowMs);
  }

  private synchronized <C> boolean add(Deque<C> orders, int most, C command) {
    return orders.size() < most && orders.add(command);
  }

  private <C> boolean addUrgent(Deque<C> orders, int most, C command) {
    boolean isAdded = add(orders, most, command);
    if (isAdded) {
      hurry();
    }
    return isAdded;
  }

  /**
   * Has the node fetch its orders now, and not at its next regular heartbeat. The caller must not
   * hold this object's lock, because the method sends an answer.
   */
  public void hurry() {
    WaitingCall call;
    synchronized (this) {
      call = waiting;
      waiting = null;
      hasNews = call == null;
    }
    if (call != null) {
      call.answer(true);
    }
  }

  /**
   * Keeps a call until there are orders. A call that was kept before is answered: the node has sent
   * another one, because it has stopped waiting for the earlier one.
   *
   * @param call the call of the node
   * @param toMs until when it may be kept, monotonic ms
   */
  void await(WaitingCall call, long toMs) {
    WaitingCall earlier;
    boolean isDue;
    synchronized (this) {
      earlier = waiting;
      isDue = hasNews;
      hasNews = false;
      waiting = isDue ? null : call;
      waitingToMs = toMs;
    }
    if (earlier != null) {
      earlier.answer(false);
    }
    if (isDue) {
      call.answer(true);
    }
  }

  /** Answers the call that is kept if its time is over. */
  void endWait(long nowMs) {
    WaitingCall call;
    synchronized (this) {
      if (waiting == null || nowMs < waitingToMs) {
        return;
      }
      call = waiting;
      waiting = null;
    }
    call.answer(false);
  }

  /**
   * Adds an order, which the node fetches now if it can.
   *
   * @param command the repair that the node is to run
   * @return false if too many orders wait already
   */
  public boolean order(RepairCommand command) {
    return addUrgent(repairs, ORDERS_MAX, command);
  }

  /**
   * Adds a check that waits for the node's next heartbeat.
   *
   * @param command the check that the node is to lead
   * @return false if too many checks wait already
   */
  public boolean order(ScrubCommand command) {
    return add(scrubs, SCRUBS_MAX, command);
  }

  /**
   * Adds a command that is neither a repair nor a check, and that waits for the node's next
   * heartbeat.
   *
   * @param command what the node is to do
   * @return false if too many such commands wait already
   */
  public boolean order(ManagerCommand command) {
    return add(others, OTHERS_MAX, command);
  }

  /**
   * @return the commands that are neither repairs nor checks, and have not been sent yet; the
   *     caller sends them
   */
  public synchronized List<ManagerCommand> takeOthers() {
    List<ManagerCommand> taken = new ArrayList<>(others);
    others.clear();
    return taken;
  }

  /** @return the checks that have not been ordered yet; the caller sends them */
  public synchronized List<ScrubCommand> takeScrubs() {
    List<ScrubCommand> taken = new ArrayList<>(scrubs);
    scrubs.clear();
    return taken;
  }

  /**
   * Cancels a repair, a check or another command. If a command that is no check has not been sent
   * yet, it never will be, and has no result.
   *
   * @param command names the job to stop
   */
  public void cancel(CancelCommand command) {
    synchronized (this) {
      if (repairs.removeIf(repair -> repair.repairId.equals(command.repairId))
          || others.removeIf(other -> other.id().equals(command.repairId))) {
        return;
      }
    }
    // If too many cancellations wait already, the repair runs until its deadline.
    addUrgent(cancels, ORDERS_MAX, command);
  }

  /** @return the commands that have not been sent yet; the caller sends them */
  public synchronized List<RepairCommand> takeRepairs() {
    List<RepairCommand> taken = new ArrayList<>(repairs);
    repairs.clear();
    return taken;
  }

  /** @return the cancellations that have not been sent yet; the caller sends them */
  public synchronized List<CancelCommand> takeCancels() {
    List<CancelCommand> taken = new ArrayList<>(cancels);
    cancels.clear();
    return taken;
  }

  /** Forgets all orders that have not been sent, because another NameNode is in charge. */
  public synchronized void dropOrders() {
    repairs.clear();
    cancels.clear();
    scrubs.clear();
    others.clear();
  }

  /**
   * Remembers the groups that clients read degraded, as one DataNode reports them. The report is
   * only a claim: the caller decides whether such a group waits for a repair and whether the node
   * has a unit of it. Each group is remembered for a while, even if it does not wait at present;
   * the number of groups is bounded. Each node has marks of its own, so that no node can displace
   * the reports of others. Not thread-safe.
   */
  public static final class DegradedMarks {
    /**
     * The greatest number of groups; if there are more, the oldest is forgotten. A waiting group
     * has been marked in the queue long before it is forgotten.
     */
    static final int GROUPS_MAX = 1024;
    /**
     * How long a group is remembered, ms: several times the interval at which a DataNode repeats
     * which groups clients still read.
     */
    public static final long KEEP_MS = 600_000;

    /** When each mark ends, monotonic, ms, the oldest mark first. */
    private final Map<ReadGroup, Long> untilMs = new LinkedHashMap<>();
    /** The marks that {@link #takeNews} has not returned yet; {@link #untilMs} has them, too. */
    private final Set<ReadGroup> news = new LinkedHashSet<>();

    /**
     * Takes note of a report.
     *
     * @param groups the groups that clients read degraded
     * @param nowMs the time now, monotonic, ms
     */
    void hear(Collection<ReadGroup> groups, long nowMs) {
      forgetOld(nowMs);
      for (ReadGroup group : groups) {
        untilMs.remove(group);
        if (untilMs.size() >= GROUPS_MAX) {
          Iterator<ReadGroup> oldest = untilMs.keySet().iterator();
          news.remove(oldest.next());
          oldest.remove();
        }
        untilMs.put(group, nowMs + KEEP_MS);
        news.add(group);
      }
    }

    private void forgetOld(long nowMs) {
      Iterator<Map.Entry<ReadGroup, Long>> oldest = untilMs.entrySet().iterator();
      while (oldest.hasNext()) {
        Map.Entry<ReadGroup, Long> mark = oldest.next();
        if (mark.getValue() > nowMs) {
          return;
        }
        oldest.remove();
        news.remove(mark.getKey());
      }
    }

    /** Returns the groups that were reported since the last call. */
    List<ReadGroup> takeNews() {
      List<ReadGroup> taken = new ArrayList<>(news);
      news.clear();
      return taken;
    }

    boolean contains(ReadGroup group, long nowMs) {
      Long until = untilMs.get(group);
      return until != null && until > nowMs;
    }

    /** Returns whether there were no marks at the time of the last report. */
    boolean isEmpty() {
      return untilMs.isEmpty();
    }

    int size() {
      return untilMs.size();
    }
  }
}
