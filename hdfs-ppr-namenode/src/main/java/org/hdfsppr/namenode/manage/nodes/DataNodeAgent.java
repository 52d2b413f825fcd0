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
import java.util.EnumMap;
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
  /**
   * The kinds of orders, in the order in which an answer has them. Each kind has room of its own,
   * so that no kind keeps another from a node.
   */
  private enum Kind {
    REPAIR(ORDERS_MAX),
    /** A node leads one check at a time. */
    CHECK(4),
    /** Links and makings, for example: as many as a DataNode lets wait at a time. */
    OTHER(128),
    CANCEL(ORDERS_MAX);

    /** The greatest number of orders of this kind that wait for one heartbeat. */
    final int most;

    Kind(int most) {
      this.most = most;
    }

    static Kind of(ManagerCommand command) {
      if (command instanceof RepairCommand) {
        return REPAIR;
      } else if (command instanceof ScrubCommand) {
        return CHECK;
      }
      return command instanceof CancelCommand ? CANCEL : OTHER;
    }

    /** Returns whether a node fetches such orders now, and not at its next regular heartbeat. */
    boolean isUrgent() {
      return this == REPAIR || this == CANCEL;
    }
  }

  /**
   * The greatest number of blocks that are remembered as being in a node's memory. This is enough,
   * because a node's page cache is much smaller than its disks.
   */
  static final int RESIDENT_MAX = 1 << 13;

  private NodeRef node;
  private NodeLoad load;
  private SelfDescription own = new SelfDescription(null, null, null, List.of());
  private boolean knowsDoubt;
  private int checksAtATime = 1;
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
  private final Map<Kind, Deque<ManagerCommand>> orders = new EnumMap<>(Kind.class);
  /** The call with which the node waits for orders; null if it does not. */
  private WaitingCall waiting;
  /** Until when that call may be kept, monotonic ms. */
  private long waitingToMs;
  /** Whether an urgent order has come since the node last sent a heartbeat or got an answer. */
  private boolean hasNews;

  DataNodeAgent() {
    for (Kind kind : Kind.values()) {
      orders.put(kind, new ArrayDeque<>());
    }
  }

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
    checksAtATime = (request.commandFeatures & CommandFeatures.CHECK_QUEUE) == 0 ? 1
        : ScrubCommand.AT_A_TIME;
    commandFeatures = request.commandFeatures;
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
   * Adds an order, which waits for the node's next heartbeat. The node fetches a repair or a
   * cancellation now if it can.
   *
   * @param command what the node is to do
   * @return false if too many orders of its kind wait already
   */
  public boolean order(ManagerCommand command) {
    Kind kind = Kind.of(command);
    synchronized (this) {
      if (orders.get(kind).size() >= kind.most) {
        return false;
      }
      orders.get(kind).add(command);
    }
    if (kind.isUrgent()) {
      hurry();
    }
    return true;
  }

  /**
   * Cancels a repair, a check or another command. If a command that is no check has not been sent
   * yet, it never will be, and has no result.
   *
   * @param command names the job to stop
   */
  public void cancel(CancelCommand command) {
    synchronized (this) {
      for (Kind kind : new Kind[] {Kind.REPAIR, Kind.OTHER}) {
        if (orders.get(kind).removeIf(order -> order.id().equals(command.repairId))) {
          return;
        }
      }
    }
    // If too many cancellations wait already, the repair runs until its deadline.
    order(command);
  }

  /**
   * @return the orders that have not been sent yet, without cancellations: first repairs, then
   *     checks, then others; the caller sends them
   */
  public synchronized List<ManagerCommand> takeOrders() {
    List<ManagerCommand> taken = new ArrayList<>();
    orders.forEach((kind, waiting) -> {
      if (kind != Kind.CANCEL) {
        taken.addAll(waiting);
        waiting.clear();
      }
    });
    return taken;
  }

  /** @return the cancellations that have not been sent yet; the caller sends them */
  public synchronized List<CancelCommand> takeCancels() {
    List<CancelCommand> taken = new ArrayList<>();
    orders.get(Kind.CANCEL).forEach(command -> taken.add((CancelCommand) command));
    orders.get(Kind.CANCEL).clear();
    return taken;
  }

  /** Forgets all orders that have not been sent, because another NameNode is in charge. */
  public synchronized void dropOrders() {
    orders.values().forEach(Deque::clear);
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
