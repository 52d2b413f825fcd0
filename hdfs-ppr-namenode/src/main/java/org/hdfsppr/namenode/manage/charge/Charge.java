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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.endings.StockHandOver;
import org.hdfsppr.namenode.manage.nodes.Agents;
import org.hdfsppr.namenode.manage.nodes.ClusterWatch;
import org.hdfsppr.namenode.queue.ReconstructionQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether this NameNode or stock schedules repairs: when claims open and close, when this
 * NameNode has listened for long enough to order repairs, and from when on the silence of a
 * DataNode counts. Used by the manager's thread.
 */
@InterfaceAudience.Private
public final class Charge {
  private static final Logger LOG = LoggerFactory.getLogger(Charge.class);
  /**
   * After it became active a NameNode listens for as long as DataNodes may wait between attempts to
   * reach it, to hear of repairs that another NameNode ordered.
   */
  private static final long LISTEN_MS = 11_000;
  /** Two heartbeats; that is enough where all live nodes have been heard of. */
  private static final long LISTEN_MS_MIN = 2_500;
  /**
   * For this time after it became active a NameNode believes DataNodes that name a repair which
   * another NameNode has ordered. It cannot check that. Later such a group is repaired once more at
   * worst.
   */
  private static final long OTHERS_TURN_MS = 300_000;
  /** Cycles that are further apart than this, in ms, mean a pause of the whole process. */
  private static final long PAUSE_MS = 2_000;
  /** Repairs are taken over when a third of the nodes takes part; fewer would be overloaded. */
  private static final int AGENTS_ONE_IN = 3;
  /** Cycles in a row that may fail before stock gets all groups. */
  private static final int FAILED_CYCLES_MAX = 5;

  private final ReconstructionQueue books;
  private final ClusterWatch cluster;
  private final Agents agents;
  private final PolicyClaims claims;
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
  /** Whether the log says, since this NameNode became active, what the claims are now. */
  private boolean said;

  /**
   * Keeps its arguments and does nothing else.
   *
   * @param books the NameNode's books
   * @param cluster the NameNode's DataNodes and policies, as of the last look
   * @param agents the DataNodes that run the extension
   * @param claims the policies whose groups are scheduled here
   */
  public Charge(ReconstructionQueue books, ClusterWatch cluster, Agents agents,
      PolicyClaims claims) {
    this.books = books;
    this.cluster = cluster;
    this.agents = agents;
    this.claims = claims;
  }

  /**
   * Notes a pause of this process. It has heard of no DataNode meanwhile, so that their silence
   * does not count for a while.
   *
   * @param nowMs the time now, monotonic, ms
   */
  public void noticePause(long nowMs) {
    if (nowMs - lastCycleMs > PAUSE_MS) {
      judgeSilenceFromMs = nowMs + Agents.SILENCE_MS_MAX;
    }
    lastCycleMs = nowMs;
    if (judgesSilence(nowMs)) {
      agents.tidy();
    }
  }

  /**
   * @param nowMs the time now, monotonic, ms
   * @return whether a DataNode that is silent now has had the time to be heard of
   */
  public boolean judgesSilence(long nowMs) {
    return nowMs >= judgeSilenceFromMs;
  }

  /**
   * Opens or closes the claims. They are open from before this NameNode becomes active until it has
   * listened. A NameNode that has just been started or made active knows of few replicas. Stock
   * would rebuild at once all units that are not reported yet, and some of them on a node that
   * turns out to have another unit of the group.
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
    boolean changed =
        claims.setOpen(allowed && (enoughAgents || listens) && nowMs >= closedUntilMs);
    if (active && (changed || !said && isSettled(nowMs))) {
      said = true;
      LOG.info(claims.isOpen() ? "Repairs are scheduled here, {} DataNodes take part"
          : allowed ? "Repairs are stock's: {} DataNodes take part"
          : "dfs.namenode.replication.max-streams is 0: nothing is repaired", participants);
    }
    if (news || changed) {
      books.claimsChanged();
    }
  }

  /**
   * Whether the claims stay as they are, so that the log can say how they are. Claims open before
   * this NameNode becomes active, and no change is seen then. They close again if this NameNode
   * hears of too few DataNodes while it listens.
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
    // The books' changes that were polled before have been forgotten.
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
   * @return whether this NameNode has heard of repairs that are under way, so that others may begin
   */
  public boolean hasListened(long nowMs) {
    long listened = nowMs - activeSinceMs;
    return listened >= LISTEN_MS
        || listened >= LISTEN_MS_MIN && cluster.participants() >= cluster.nodes().size();
  }

  /**
   * @param termOfOrder the term in which the repair was ordered
   * @param nowMs the time now, monotonic, ms
   * @return whether a DataNode may still carry out what another NameNode ordered in an earlier term
   */
  public boolean isOthersTurn(long termOfOrder, long nowMs) {
    return termOfOrder < term && nowMs - activeSinceMs < OTHERS_TURN_MS;
  }

  /**
   * Follows the term of the books.
   *
   * @param polled the term that the books named in the last poll
   * @return whether the books are in another term than before
   */
  public boolean follow(long polled) {
    boolean news = polled != term;
    term = polled;
    return news;
  }

  /** @return the term of what is ordered now */
  public long term() {
    return term;
  }

  /** Notes that a cycle ended without an error. */
  public void cycleDone() {
    failedCycles = 0;
  }

  /**
   * Notes that a cycle ended with an error. If some cycles in a row fail, stock schedules for a
   * time.
   *
   * @param nowMs the time now, monotonic, ms
   */
  public void cycleFailed(long nowMs) {
    if (++failedCycles >= FAILED_CYCLES_MAX) {
      failedCycles = 0;
      closedUntilMs = nowMs + StockHandOver.STOCKS_TURN_MS;
      LOG.error("Repairs are left to stock for {} ms: {} cycles failed in a row",
          StockHandOver.STOCKS_TURN_MS, FAILED_CYCLES_MAX);
      if (claims.setOpen(false)) {
        books.claimsChanged();
      }
    }
  }

  /** @return whether groups of known policies are scheduled here and not by stock */
  public boolean isInCharge() {
    return active && claims.isOpen();
  }

  /**
   * @param nowMs the time now, monotonic, ms
   * @return for how long stock still schedules because cycles have failed, ms; 0 if it does not
   */
  public long closedForMs(long nowMs) {
    return nowMs >= closedUntilMs ? 0 : closedUntilMs - nowMs;
  }

  /**
   * @param nowMs the time now, monotonic, ms
   * @return why repairs are, or are not, scheduled here
   */
  public String why(long nowMs) {
    int participants = cluster.participants();
    if (!active) {
      return "this NameNode is not active, or is in safe mode";
    } else if (!allowed) {
      return "dfs.namenode.replication.max-streams is 0";
    } else if (closedForMs(nowMs) > 0) {
      return FAILED_CYCLES_MAX + " cycles failed in a row; its log says why";
    } else if (!claims.isOpen()) {
      return participants + " of " + cluster.nodes().size() + " DataNodes take part, too few";
    } else if (!hasListened(nowMs)) {
      return "this NameNode listens to DataNodes before it orders repairs";
    }
    return participants + " of " + cluster.nodes().size() + " DataNodes take part";
  }
}
