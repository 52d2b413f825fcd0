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
package org.hdfsppr.namenode.manage.charge;

import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.nodes.ClusterWatch;
import org.hdfsppr.namenode.manage.nodes.DataNodeAgents;
import org.hdfsppr.namenode.manage.status.RepairPause;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether this NameNode's repair manager or stock schedules repairs. For this it opens or
 * closes the claims on groups: the queue keeps claimed groups from stock. It also decides when this
 * NameNode has listened for long enough to order repairs, and from what time on the silence of a
 * DataNode counts. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class SchedulingAuthority {
  private static final Logger LOG = LoggerFactory.getLogger(SchedulingAuthority.class);
  /** How long stock may try a group that has no plan or has failed too often, ms. */
  public static final long STOCKS_TURN_MS = 300_000;
  /**
   * How long a NameNode that has become active listens before it orders repairs, ms. It listens
   * because DataNodes report the repairs that another NameNode has ordered. DataNodes may wait this
   * long between two attempts to reach a NameNode.
   */
  private static final long LISTEN_MS = 11_000;
  /**
   * How long a NameNode listens at least, ms: the time of two heartbeats. It listens no longer if
   * it has heard from all live nodes by then.
   */
  private static final long LISTEN_MS_MIN = 2_500;
  /**
   * How long a NameNode that has become active waits at most for its CORE groups before it orders
   * repairs, ms. If it did not know a row's CORE group yet, the row's repair could put two blocks
   * of a column onto one node. Some 15,000 groups are read in a second, those with lost units
   * first.
   */
  private static final long COLUMNS_MS_MAX = 60_000;
  /**
   * How long a NameNode that has become active believes a DataNode's claim to run a repair for
   * another NameNode, ms. It cannot check such a claim. If it does not believe a true claim, at
   * worst the group is repaired twice.
   */
  private static final long OTHERS_TURN_MS = 300_000;
  /**
   * If more time than this passes between two cycles, ms, the whole process is assumed to have
   * paused.
   */
  private static final long PAUSE_MS = 2_000;
  /**
   * This NameNode schedules repairs if at least one in this many nodes takes part: with 3, a third
   * of them. Fewer nodes would be overloaded.
   */
  private static final int AGENTS_ONE_IN = 3;
  /** The number of cycles in a row that may fail before stock gets all groups. */
  private static final int FAILED_CYCLES_MAX = 5;

  private final ReconstructionQueue books;
  private final ClusterWatch cluster;
  private final DataNodeAgents agents;
  private final PolicyClaims claims;
  private final PauseKeeper pauses;
  private final UnreadRecords records;
  private final BooleanSupplier knowsColumns;
  private boolean active;
  private long activeSinceMs;
  private long term;
  private long lastCycleMs = Long.MIN_VALUE / 2;
  private long judgeSilenceFromMs;
  private long closedUntilMs = Long.MIN_VALUE;
  private int failedCycles;
  /** Whether enough DataNodes take part, or did until a moment ago. */
  private boolean enoughAgents;
  private boolean allowed = true;
  /** Why records of files forbid repairs here; empty if none do. */
  private Optional<String> refusal = Optional.empty();
  /**
   * Whether the log has said, since this NameNode became active, whether stock or this manager
   * schedules repairs.
   */
  private boolean said;

  /**
   * Makes an instance for a NameNode that is not active.
   *
   * @param books the NameNode's queue of lost groups
   * @param cluster the NameNode's DataNodes and policies, as of the last look
   * @param agents the DataNodes that send heartbeats to the repair manager
   * @param claims claims the groups of the policies that are scheduled here
   * @param pauses says whether an operator has paused all repairs
   * @param records says whether the namespace has records that this NameNode cannot read
   * @param knowsColumns says whether this NameNode has read its CORE groups
   */
  public SchedulingAuthority(ReconstructionQueue books, ClusterWatch cluster, DataNodeAgents agents,
      PolicyClaims claims, PauseKeeper pauses, UnreadRecords records,
      BooleanSupplier knowsColumns) {
    this.records = records;
    this.knowsColumns = knowsColumns;
    this.books = books;
    this.cluster = cluster;
    this.agents = agents;
    this.claims = claims;
    this.pauses = pauses;
  }

  /**
   * Notes whether this process has paused. A paused process receives no heartbeats, so that for a
   * while after the pause the silence of a DataNode does not count.
   *
   * @param nowMs the time now, monotonic, ms
   */
  public void noticePause(long nowMs) {
    if (nowMs - lastCycleMs > PAUSE_MS) {
      judgeSilenceFromMs = nowMs + DataNodeAgents.SILENCE_MS_MAX;
    }
    lastCycleMs = nowMs;
    if (judgesSilence(nowMs)) {
      agents.tidy();
    }
  }

  /**
   * @param nowMs the time now, monotonic, ms
   * @return whether each live DataNode has had the time to send a heartbeat, so that silence counts
   */
  public boolean judgesSilence(long nowMs) {
    return nowMs >= judgeSilenceFromMs;
  }

  /**
   * Opens or closes the claims. While they are open, this manager schedules the repairs of claimed
   * groups; otherwise stock does. From before this NameNode becomes active until it has listened,
   * they stay open even if too few DataNodes take part. The reason is that a NameNode that has just
   * been started or made active knows of few replicas. Stock would at once rebuild all units that
   * are not reported yet, some of them on nodes that have another unit of the group but have not
   * reported it yet.
   *
   * <p>During an operator's pause they stay open, too, even if only few DataNodes take part:
   * otherwise stock would begin the repairs that the operator does not want now. While an operator
   * has left all repairs to stock, they are always closed.
   *
   * @param nowMs the time now, monotonic, ms
   */
  public void claim(long nowMs) {
    boolean news = claims.lookUp(cluster.policies());
    boolean listens = !active || nowMs - activeSinceMs < LISTEN_MS;
    int participants = cluster.participants();
    long least = Math.max(1,
        cluster.staying() / (enoughAgents ? 2 * AGENTS_ONE_IN : AGENTS_ONE_IN));
    enoughAgents = participants >= least || enoughAgents && !judgesSilence(nowMs);
    allowed = cluster.allowsRepairs();
    refusal = records.refusal(active, nowMs);
    boolean changed =
        claims.setOpen(allowed && (enoughAgents || listens || pauses.isOn())
            && nowMs >= closedUntilMs && !pauses.isStocks() && refusal.isEmpty());
    if (active && (changed || !said && isSettled(nowMs))) {
      said = true;
      LOG.info(claims.isOpen() ? "Repairs are scheduled here, {} DataNodes take part"
          : pauses.isStocks() ? "Repairs are stock's, as an operator wishes; {} DataNodes take part"
          : refusal.isPresent() ? "Repairs are stock's, because of records that this NameNode"
              + " cannot read; {} DataNodes take part"
          : allowed ? "Repairs are stock's: {} DataNodes take part"
          : "dfs.namenode.replication.max-streams is 0: nothing is repaired", participants);
    }
    if (news || changed) {
      books.claimsChanged();
    }
  }

  /**
   * Returns whether the claims will stay as they are, so that the log can say whether stock or this
   * manager schedules repairs. Claims open before this NameNode becomes active, so that they do not
   * change at that moment. They close again if this NameNode hears of too few DataNodes while it
   * listens.
   */
  private boolean isSettled(long nowMs) {
    return claims.isOpen() ? enoughAgents && hasListened(nowMs) : !allowed;
  }

  /**
   * Notes that this NameNode is active.
   *
   * @param nowMs the time now, monotonic, ms
   * @return whether it was not active before
   */
  public boolean begin(long nowMs) {
    if (active) {
      return false;
    }
    active = true;
    activeSinceMs = nowMs;
    said = false;
    // The polls before took changes off the queue's list, and their results were dropped. The queue
    // therefore has to look at all groups again.
    books.claimsChanged();
    LOG.info("This NameNode schedules repairs");
    return true;
  }

  /**
   * Notes that this NameNode is not active.
   *
   * @return whether it was active before
   */
  public boolean end() {
    boolean wasActive = active;
    active = false;
    return wasActive;
  }

  /** @return whether this NameNode is active and not in safe mode */
  public boolean isActive() {
    return active;
  }

  /**
   * @param nowMs the time now, monotonic, ms
   * @return whether this NameNode has had the time to hear of repairs under way, and to read its
   *     CORE groups, so that it may begin repairs
   */
  public boolean hasListened(long nowMs) {
    long listened = nowMs - activeSinceMs;
    boolean hasHeard = listened >= LISTEN_MS
        || listened >= LISTEN_MS_MIN && cluster.participants() >= cluster.nodes().size();
    return hasHeard && (listened >= COLUMNS_MS_MAX || knowsColumns.getAsBoolean());
  }

  /**
   * @param termOfOrder the term in which the repair was ordered
   * @param nowMs the time now, monotonic, ms
   * @return whether a DataNode may still carry out a repair that another NameNode ordered in an
   *     earlier term
   */
  public boolean isOthersTurn(long termOfOrder, long nowMs) {
    return termOfOrder < term && nowMs - activeSinceMs < OTHERS_TURN_MS;
  }

  /**
   * Takes note of the term of the NameNode's queue.
   *
   * @param polled the term that the last poll returned
   * @return whether the term has changed
   */
  public boolean follow(long polled) {
    boolean news = polled != term;
    term = polled;
    return news;
  }

  /** Notes that a cycle ended without an error. */
  public void cycleDone() {
    failedCycles = 0;
  }

  /**
   * Notes that a cycle ended with an error. If some cycles in a row fail, stock schedules all
   * repairs for a time.
   *
   * @param nowMs the time now, monotonic, ms
   */
  public void cycleFailed(long nowMs) {
    if (++failedCycles >= FAILED_CYCLES_MAX) {
      failedCycles = 0;
      closedUntilMs = nowMs + STOCKS_TURN_MS;
      LOG.error("Repairs are left to stock for {} ms: {} cycles failed in a row",
          STOCKS_TURN_MS, FAILED_CYCLES_MAX);
      if (claims.setOpen(false)) {
        books.claimsChanged();
      }
    }
  }

  /**
   * @return how many parity files of CORE groups there are whose columns this NameNode cannot use,
   *     because it lacks the jar that reads their records
   */
  public int unreadCoreRecords() {
    return records.core();
  }

  /** @return whether the NameNode's settings allow repairs of lost blocks at all */
  public boolean isAllowed() {
    return allowed;
  }

  /** @return whether groups of known policies are scheduled here and not by stock */
  public boolean isInCharge() {
    return active && claims.isOpen();
  }

  /**
   * @param nowMs the time now, monotonic, ms
   * @return for how long stock still schedules all repairs because cycles have failed, ms; 0 if it
   *     does not
   */
  public long closedForMs(long nowMs) {
    return nowMs >= closedUntilMs ? 0 : closedUntilMs - nowMs;
  }

  /**
   * @param nowMs the time now, monotonic, ms
   * @return why this NameNode schedules repairs, or why not, in words for an operator
   */
  public String why(long nowMs) {
    int participants = cluster.participants();
    if (!active) {
      return "this NameNode is not active, or is in safe mode";
    } else if (!allowed) {
      return "dfs.namenode.replication.max-streams is 0";
    } else if (refusal.isPresent()) {
      return refusal.get();
    } else if (pauses.isStocks()) {
      return "an operator has left all repairs to stock " + pauses.leftToStock()
          .flatMap(RepairPause::until).map(until -> "until "
          + until.truncatedTo(ChronoUnit.SECONDS))
          .orElse("until 'hdfs ppr -resume'");
    } else if (closedForMs(nowMs) > 0) {
      return FAILED_CYCLES_MAX + " cycles failed in a row; its log says why";
    } else if (!claims.isOpen()) {
      return participants + " of " + cluster.nodes().size() + " DataNodes take part, too few";
    } else if (pauses.isOn()) {
      return "an operator has paused all repairs";
    } else if (!hasListened(nowMs)) {
      return "this NameNode listens to DataNodes, and reads its CORE groups, before it orders"
          + " repairs";
    }
    return participants + " of " + cluster.nodes().size() + " DataNodes take part";
  }
}
