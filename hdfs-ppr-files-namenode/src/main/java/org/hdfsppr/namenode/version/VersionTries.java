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
package org.hdfsppr.namenode.version;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a version. If that fails, makes it anew some times. Used by one thread at a time. */
final class VersionTries implements SteppedMaking<VersionOutcome> {
  private static final Logger LOG = LoggerFactory.getLogger(VersionTries.class);
  /**
   * How often a version is made at most, if each try fails. A cause such as the death of a node in
   * the middle of the work rarely occurs three times.
   */
  private static final int TRIES_MAX = 3;

  private final EngineParts parts;
  private final VersionRequest request;
  private final VersionJanitor janitor;
  private final MakingTerm term;
  /** When the first try began, monotonic ms. */
  private long askedMs;
  private int tries;
  /** Makes the version in the present try; null before the first one. */
  private VersionMaker maker;
  /**
   * If a try ends with an exception, it may have published its version before that. This value is
   * kept for that case.
   */
  private long durableInMs;
  private VersionOutcome outcome;

  VersionTries(EngineParts parts, VersionRequest request, VersionJanitor janitor, MakingTerm term) {
    this.parts = parts;
    this.request = request;
    this.janitor = janitor;
    this.term = term;
  }

  private void beginTry() {
    tries++;
    askedMs = tries == 1 ? parts.clockMs.getAsLong() : askedMs;
    // The first try may have failed because a digest was missing. If the nodes read all units of
    // the old version, digests of these are not needed.
    VersionRequest next = tries == 1 ? request : request.readingOld();
    maker = new VersionMaker(parts, next, janitor, term, new MakingGuard(parts,
        request.commit().isPresent() ? parts.gate::whyNoCommit : parts.gate::whyNot,
        term.isStopped, term.isCancelled, askedMs));
  }

  @Override
  public Progress step() {
    if (maker == null) {
      beginTry();
    }
    Progress progress = maker.step();
    if (!progress.isDone()) {
      return progress;
    }
    VersionOutcome end = maker.outcome();
    maker.release();
    durableInMs = Math.max(durableInMs, end.durableInMs);
    if (end.end != VersionEnd.FAILED || !maker.isWorthAnotherTry() || tries == TRIES_MAX) {
      outcome = end.ofLastTry().durableIn(durableInMs);
      return Progress.DONE;
    }
    LOG.info("The {} begins anew, because try {} of {} has failed: {}", request, tries,
        TRIES_MAX, end);
    if (request.commit().isEmpty()) {
      // The next try may have to wait for repairs, for hours.
      term.claim.giveBack();
    }
    beginTry();
    return Progress.AT_ONCE;
  }

  @Override
  public VersionOutcome outcome() {
    return outcome;
  }

  /** The version may be published, because an OutOfMemoryError can come at any step. */
  @Override
  public VersionOutcome failed(Throwable e) {
    return VersionOutcome.notPublished(VersionEnd.FAILED, e.toString(), VersionBytes.NONE)
        .durableIn(PowerCutDurability.UNSAID_MS);
  }

  @Override
  public void release() {
    try {
      if (maker != null) {
        maker.release();
      }
    } finally {
      term.claim.giveBack();
    }
  }
}
