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

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.cost.LossTolerance;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.queue.SchedulingClaims;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims the lost groups of all policies whose code is known, while the claims are open. The
 * manager's thread looks codes up in advance, and never under the NameNode's lock. Stock keeps the
 * groups of a policy until the policy has been looked up. Thread-safe.
 */
@InterfaceAudience.Private
public final class PolicyClaims implements SchedulingClaims {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyClaims.class);

  /** A code, and which losses it survives. */
  private static final class Known {
    private final LinearCode code;
    private final int guaranteed;
    /**
     * For each set of lost units, whether the code survives the loss. A set is a bit mask, so that
     * there are at most 2^16 sets.
     */
    private final Map<Integer, Boolean> survives = new ConcurrentHashMap<>();

    Known(LinearCode code) {
      this.code = code;
      this.guaranteed = LossTolerance.guaranteed(code);
    }

    int spare(List<Integer> unreadable) {
      int spare = guaranteed - unreadable.size();
      if (spare >= 0) {
        return spare;
      }
      int mask = 0;
      for (int unit : unreadable) {
        mask |= 1 << unit;
      }
      // A code that is not MDS survives some losses of more units than the number that it
      // guarantees.
      return survives.computeIfAbsent(mask, lost -> LossTolerance.survives(code, lost)) ? 0 : spare;
    }
  }

  private final CodeSource source;
  private final boolean claimsLeaving;
  private final Map<GroupPolicy, Known> known = new ConcurrentHashMap<>();
  private final Set<GroupPolicy> unknown = ConcurrentHashMap.newKeySet();
  private volatile boolean open;

  /**
   * Makes claims that are closed and know no code yet.
   *
   * @param source looks up the code of a policy
   */
  public PolicyClaims(CodeSource source) {
    this(source, true);
  }

  /**
   * Makes claims that are closed and know no code yet.
   *
   * @param source looks up the code of a policy
   * @param claimsLeaving whether units on nodes that are being decommissioned are claimed;
   *     otherwise stock copies all of them
   */
  public PolicyClaims(CodeSource source, boolean claimsLeaving) {
    this.source = source;
    this.claimsLeaving = claimsLeaving;
  }

  @Override
  public boolean losses(GroupPolicy policy) {
    return open && known.containsKey(policy);
  }

  /**
   * Also claims units on nodes that are being decommissioned, if repairs rebuild a part of these
   * units, see {@code LeavingShare}.
   */
  @Override
  public boolean leaving(GroupPolicy policy) {
    return claimsLeaving && losses(policy);
  }

  @Override
  public int spareUnits(GroupPolicy policy, List<Integer> unreadable) {
    Known code = known.get(policy);
    return code == null ? SchedulingClaims.super.spareUnits(policy, unreadable)
        : code.spare(unreadable);
  }

  /**
   * Opens or closes the claims.
   *
   * @return whether this call has changed them
   */
  boolean setOpen(boolean on) {
    boolean news = open != on;
    open = on;
    return news;
  }

  /** @return whether groups of known policies are claimed */
  public boolean isOpen() {
    return open;
  }

  /**
   * Looks up the codes of new policies.
   *
   * @param policies the policies that files may have
   * @return whether a policy has become known
   */
  public boolean lookUp(List<GroupPolicy> policies) {
    boolean news = false;
    for (GroupPolicy policy : policies) {
      if (known.containsKey(policy) || unknown.contains(policy)) {
        continue;
      }
      try {
        known.put(policy, new Known(source.code(policy)));
        news = true;
      } catch (IOException | RuntimeException | LinkageError e) {
        // A broken foreign codec throws a RuntimeException or LinkageError, for example because its
        // native library is missing or because it refuses its options. Such a codec must not keep
        // the other codes from being looked up.
        unknown.add(policy);
        LOG.warn("Groups of {} stay with stock reconstruction: {}", policy, e.toString(), e);
      }
    }
    return news;
  }
}
