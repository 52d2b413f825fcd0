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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.conf.Runbook;
import org.hdfsppr.manage.ScrubFinding;
import org.hdfsppr.manage.ScrubOutcome;
import org.hdfsppr.namenode.orders.OrderBook;
import org.hdfsppr.namenode.schedule.LinkLoads;
import org.hdfsppr.namenode.steps.ActiveService;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks all block groups again and again, as slowly as the settings say, and only where no repair
 * uses the DataNodes. Works in short steps, one after the other, on one thread; {@link #status} may
 * be called by any thread.
 */
@InterfaceAudience.Private
public final class BackgroundScrubber extends ActiveService {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundScrubber.class);
  /** If the NameNode did not answer, the scrubber asks again after this time, ms. */
  private static final long RETRY_MS = 10_000;
  /** If a configured path does not exist, the scrubber looks for it again after this time, ms. */
  private static final long MISSING_RETRY_MS = 600_000;
  /**
   * How many contradictions wait for the repair manager at most. The manager takes several in each
   * of its cycles. If more are found, the oldest one is dropped; the next pass finds it again.
   */
  private static final int DOUBTS_MAX = 1_000;
  /**
   * How many contradictions one step hands to the repair manager at most. The manager's queue must
   * keep room for superusers' commands.
   */
  static final int DOUBTS_PER_STEP = 4;

  /** How checks reach the NameNode, its repair manager and the DataNodes. Immutable. */
  public static final class Doors {
    private final ScrubNamespace namespace;
    private final ScrubGate gate;
    private final ScrubDataNodes nodes;
    private final OrderBook orders;

    /**
     * @param namespace the files of this NameNode
     * @param gate the way to the repair manager
     * @param nodes the way to the DataNodes
     * @param orders keeps the orders of checks, and gets the DataNodes' reports
     */
    public Doors(ScrubNamespace namespace, ScrubGate gate, ScrubDataNodes nodes,
        OrderBook orders) {
      this.namespace = namespace;
      this.gate = gate;
      this.nodes = nodes;
      this.orders = orders;
    }
  }

  private static final class Directory {
    private final String path;
    private PassNote note = PassNote.NONE;
    private ScrubPass pass;
    /**
     * Whether the note has to be read before the next step of this path, because another NameNode
     * may have written it.
     */
    private boolean isUnread;
    /** Until this time, monotonic, no step of this path is taken, because of the problem. */
    private long retryMs = Long.MIN_VALUE;
    private String problem = "";

    Directory(String path) {
      this.path = path;
    }

    ScrubStatus.Directory status() {
      return new ScrubStatus.Directory(path, note,
          pass != null ? pass.counts() : note.isUnderWay() ? note.counts : note.last);
    }
  }

  private static final class Contradiction {
    private final GroupId group;
    private final int wrongUnit;

    Contradiction(GroupId group, int wrongUnit) {
      this.group = group;
      this.wrongUnit = wrongUnit;
    }
  }

  private final PeerLog peerLog = new PeerLog(LOG);
  private final ScrubSettings settings;
  private final ScrubNamespace namespace;
  private final ScrubGate gate;
  private final Consumer<ScrubCounts> tally;
  private final LongSupplier clockMs;
  private final Clock wallClock;
  private final ScrubProgressStore ledger;
  private final ScrubOrders checks;
  private final Discoveries findings = new Discoveries();
  private final Deque<Contradiction> doubts = new ArrayDeque<>();
  private final List<Directory> directories = new ArrayList<>();
  private volatile ScrubStatus status;

  /**
   * @param settings the settings, with a rate above 0
   * @param doors the ways to namespace, repair manager and DataNodes, and the DataNodes' reports
   * @param tally takes the results for counters; called after each step with new results
   * @param clockMs the time, monotonic, ms
   * @param wallClock the time of day
   */
  public BackgroundScrubber(ScrubSettings settings, Doors doors, Consumer<ScrubCounts> tally,
      LongSupplier clockMs, Clock wallClock) {
    super("ppr-scrubber", "background checks", STEP_MS);
    this.settings = settings;
    this.namespace = doors.namespace;
    this.gate = doors.gate;
    this.tally = tally;
    this.clockMs = clockMs;
    this.wallClock = wallClock;
    ledger = new ScrubProgressStore(namespace);
    checks = new ScrubOrders(doors.orders, doors.nodes, gate, settings.bytesPerSecond, this::found);
    publish(ScrubStatus.State.WAITING, "this NameNode has just started");
  }

  /** @return the state of the checks for operators' pages, as of the last step */
  public ScrubStatus status() {
    return status;
  }

  @Override
  protected OptionalLong term() {
    return gate.isActive() ? OptionalLong.of(gate.term()) : OptionalLong.empty();
  }

  @Override
  protected boolean rest() {
    checks.takeReports(clockMs.getAsLong());
    handOverDoubts();
    publish(ScrubStatus.State.WAITING, "this NameNode is not active, or is in safe mode");
    return false;
  }

  /** Takes in all reports, and orders the checks that can begin now. */
  @Override
  protected boolean work() {
    long now = clockMs.getAsLong();
    checks.takeReports(now);
    Optional<String> why = gate.whyNot();
    if (why.isPresent()) {
      checks.cancelAll();
      checks.believeAll();
      handOverDoubts();
      directories.forEach(directory -> advance(directory, now));
      publish(ScrubStatus.State.WAITING, why.get());
    } else {
      checks.letRepairsGoFirst(now);
      check(now);
      handOverDoubts();
    }
    return false;
  }

  /** Drops all passes, because another NameNode may go on with them. */
  @Override
  protected void forget(boolean wasLoaded) {
    checks.forgetAll();
    directories.clear();
  }

  @Override
  protected boolean load(long term) {
    for (String path : settings.paths) {
      Directory directory = new Directory(path);
      readNote(directory);
      directories.add(directory);
    }
    return true;
  }

  /** Reads the note of a path. As long as the note cannot be read, no pass over the path begins. */
  private void readNote(Directory directory) {
    Optional<PassNote> note = ledger.read(directory.path);
    directory.isUnread = note.isEmpty();
    directory.note = note.orElse(PassNote.NONE);
    if (directory.isUnread) {
      directory.problem = "what was noted at " + directory.path + " cannot be read yet";
    }
  }

  private void check(long now) {
    Directory next = next(now);
    if (next != null) {
      try {
        next.pass.fill(now);
        checks.handOut(next.pass, loaded().getAsLong(), next.note.pass, now);
      } catch (FileNotFoundException e) {
        LOG.warn("Background checks of {} do not begin: it does not exist. It is looked for again"
            + " after {} s", next.path, MISSING_RETRY_MS / 1_000);
        checks.forget(next.pass);
        next.pass = null;
        next.note = PassNote.NONE;
        // The path may come back by a rename, and then have a note.
        next.isUnread = true;
        next.retryMs = now + MISSING_RETRY_MS;
        next.problem = next.path + " does not exist";
      } catch (IOException e) {
        peerLog.warn("list " + next.path, "Background checks of {} wait, because the NameNode did"
            + " not answer them: {}", next.path, e.toString());
        next.retryMs = now + RETRY_MS;
        // The message may contain paths of files, which not every reader of the status may see.
        next.problem = "the NameNode did not answer about " + next.path + ": "
            + e.getClass().getSimpleName();
      }
    }
    directories.forEach(directory -> advance(directory, now));
    Directory held = directories.stream().filter(directory -> now < directory.retryMs).findFirst()
        .orElse(null);
    Optional<String> repairs = gate.links().whyNot(LinkLoads.Work.CHECK, now);
    if (next != null && next.note.isUnderWay() && next != held && checks.size() == 0
        && repairs.isPresent()) {
      publish(ScrubStatus.State.WAITING, repairs.get());
    } else if (next != null && next.note.isUnderWay() && next != held) {
      publish(ScrubStatus.State.RUNNING, "pass " + next.note.pass + " over " + next.path
          + " is under way, with " + checks.size() + (checks.size() == 1 ? " check" : " checks")
          + " at the moment");
    } else if (held != null) {
      publish(ScrubStatus.State.WAITING, held.problem);
    } else {
      publish(ScrubStatus.State.IDLE, idle());
    }
  }

  /** Returns the path whose pass is under way or due; null if there is none. */
  private Directory next(long now) {
    Instant time = time();
    for (boolean mayBegin : new boolean[] {false, true}) {
      for (Directory directory : directories) {
        if (now < directory.retryMs) {
          continue;
        }
        if (directory.isUnread) {
          readNote(directory);
          directory.retryMs = directory.isUnread ? now + RETRY_MS : directory.retryMs;
        }
        if (directory.isUnread) {
          continue;
        }
        if (mayBegin && isDue(directory.note, time)) {
          directory.note = directory.note.begun(time);
          LOG.info("Background checks of {} begin, pass {}", directory.path,
              directory.note.pass);
        }
        if (directory.note.isUnderWay()) {
          if (directory.pass == null) {
            directory.pass = new ScrubPass(namespace, directory.path, directory.note);
          }
          return directory;
        }
      }
    }
    return null;
  }

  private boolean isDue(PassNote note, Instant now) {
    // If the last pass began in the future, the clock was wrong, and the next pass is due.
    return !note.isUnderWay() && (note.lastStarted == null || now.isBefore(note.lastStarted)
        || !now.isBefore(note.lastStarted.plusMillis(settings.intervalMs)));
  }

  private void advance(Directory directory, long now) {
    if (directory.pass == null) {
      return;
    }
    ScrubCounts news = directory.pass.takeNews();
    if (news.groups > 0) {
      tally.accept(news);
    }
    directory.note = directory.pass.advance();
    boolean isDone = directory.pass.isDone();
    if (isDone) {
      ScrubCounts found = directory.note.counts;
      directory.note = directory.note.finished(time());
      directory.pass = null;
      LOG.info("Background checks of {} have ended pass {}: {}", directory.path,
          directory.note.pass, found);
    }
    ledger.keep(directory.path, directory.note, isDone, now);
  }

  /** Returns the time of day, to milliseconds: logs and notes need no more. */
  private Instant time() {
    return wallClock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private String idle() {
    Instant first = null;
    for (Directory directory : directories) {
      Instant due = directory.note.lastStarted == null ? wallClock.instant()
          : directory.note.lastStarted.plusMillis(settings.intervalMs);
      first = first == null || due.isBefore(first) ? due : first;
    }
    return "the next pass begins at " + first.truncatedTo(ChronoUnit.SECONDS);
  }

  private void found(ScrubOrders.RunningScrub check, ScrubReport report) {
    ScrubTarget group = check.group;
    int unit = report.finding.wrongUnit;
    NodeRef node = unit == ScrubFinding.NO_UNIT ? null : group.nodeOf(unit);
    String text = sentence(group, report, node);
    findings.add(new Discovery(wallClock.instant(), group.id(), report.outcome(), unit, node,
        text));
    if (report.outcome() != ScrubOutcome.CONTRADICTION) {
      peerLog.warn("found " + report.outcome(), "A background check of {}, led by {}: {}",
          group.id(), name(check.leader), text);
      return;
    }
    LOG.error("A background check of {}, led by {}, finds wrong bytes although all checksums are"
        + " right: {}. {} says what to do", group.id(), name(check.leader), text,
        Runbook.CONTRADICTING_UNITS);
    if (doubts.size() == DOUBTS_MAX) {
      doubts.remove();
    }
    doubts.add(new Contradiction(group.id(), unit));
  }

  /** Returns the message of the check's leader, or if it is empty, a sentence about the result. */
  private static String sentence(ScrubTarget group, ScrubReport report, NodeRef node) {
    if (!report.message.isEmpty()) {
      return report.message;
    }
    int unit = report.finding.wrongUnit;
    switch (report.outcome()) {
      case CONTRADICTION:
        return unit == ScrubFinding.NO_UNIT ? "the others do not show which unit is wrong"
            : "unit " + unit + " (blk_" + group.id().blockId(unit) + " on "
                + (node == null ? "an unknown node" : name(node)) + ") is wrong";
      case UNREADABLE:
        return "a unit cannot be read";
      default:
        return "it was not checked, because of DataNodes " + report.finding.suspects;
    }
  }

  /** Returns a DataNode's host name and transfer port, which name it for people. */
  private static String name(NodeRef node) {
    return (node.hostName.isEmpty() ? node.ipAddr : node.hostName) + ":" + node.xferPort;
  }

  private void handOverDoubts() {
    for (int i = 0; i < DOUBTS_PER_STEP && !doubts.isEmpty(); i++) {
      Contradiction next = doubts.peek();
      if (!gate.doubt(next.group, next.wrongUnit)) {
        return;
      }
      doubts.remove();
    }
  }

  private void publish(ScrubStatus.State state, String why) {
    List<ScrubStatus.Directory> views = new ArrayList<>();
    directories.forEach(directory -> views.add(directory.status()));
    status = new ScrubStatus(state, why, settings.bytesPerSecond, views, findings.all(),
        findings.total());
  }

  /**
   * The latest findings, for the web page. Not thread-safe; the lists that {@link #all} returns are
   * immutable.
   */
  static final class Discoveries {
    /**
     * How many contradictions the list has at most. Older ones are only counted: operators begin
     * with some of them.
     */
    static final int CONTRADICTIONS_MAX = 100;
    /**
     * How many other findings the list has at most. They have a list of their own, so that a bad
     * disk does not push contradictions out.
     */
    static final int OTHERS_MAX = 50;

    private final Deque<Discovery> contradictions = new ArrayDeque<>();
    private final Deque<Discovery> others = new ArrayDeque<>();
    private long total;
    private List<Discovery> all = Collections.emptyList();

    void add(Discovery finding) {
      Deque<Discovery> list = finding.isContradiction() ? contradictions : others;
      list.addFirst(finding);
      if (list.size() > (finding.isContradiction() ? CONTRADICTIONS_MAX : OTHERS_MAX)) {
        list.removeLast();
      }
      total++;
      List<Discovery> joined = new ArrayList<>(contradictions);
      joined.addAll(others);
      all = Collections.unmodifiableList(joined);
    }

    /** Returns contradictions first, each kind from the latest to the oldest. */
    List<Discovery> all() {
      return all;
    }

    /** Returns how many findings there were, also those that are not in the list any more. */
    long total() {
      return total;
    }
  }
}
