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
package org.hdfsppr.datanode.update;

import java.io.IOException;
import java.util.Optional;
import org.hdfsppr.datanode.update.log.LogFullException;
import org.hdfsppr.datanode.update.log.RecordRefusedException;
import org.hdfsppr.datanode.update.log.UnitState;
import org.hdfsppr.datanode.update.log.UpdateLog;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateAnswer;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the answers to requests that a log has refused or failed to carry out. */
final class LogRefusals {
  private static final Logger LOG = LoggerFactory.getLogger(LogRefusals.class);
  /**
   * Writes into the DataNode's log file at a bounded rate. For failures that each request may
   * cause.
   */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  private LogRefusals() {
  }

  /**
   * Returns how far an update log has the history of a unit: the term, the last update, and whether
   * any are missing.
   */
  static LogPosition position(UpdateLog log, UnitId unit) {
    Optional<UnitState> state = log.state(unit);
    return state.map(known -> new LogPosition(known.term, known.last, known.epochLeast(),
        known.isComplete(), known.pending)).orElse(LogPosition.NOTHING);
  }

  /**
   * Returns the answer for a failure of this node's log.
   *
   * @param what the request that failed, as text for the DataNode's log file
   * @param position the position of the log in the history of the unit
   */
  static UpdateAnswer of(IOException e, String what, LogPosition position) {
    if (e instanceof RecordRefusedException) {
      return UpdateAnswer.refused(status(((RecordRefusedException) e).reason), e.getMessage(),
          null, position);
    }
    if (e instanceof LogFullException) {
      return UpdateAnswer.refused(UpdateStatus.LOG_FULL, e.getMessage(), null, position);
    }
    if (e instanceof LogNotOpenYetException) {
      return UpdateAnswer.refused(UpdateStatus.OVERLOADED, e.getMessage(), null, position);
    }
    PEER_LOG.warn("update log: " + e.getClass().getName(), "{} failed: {}", what,
        PeerText.oneLine(e.toString()));
    // The text of the exception may name a path of this host, so that the answer leaves it out.
    return UpdateAnswer.refused(UpdateStatus.FAILED, e.getClass().getName()
        + ", the log of this DataNode says more", null, position);
  }

  private static UpdateStatus status(RecordRefusedException.Reason reason) {
    switch (reason) {
      case STALE_TERM:
        return UpdateStatus.STALE_TERM;
      case UNKNOWN_TERM:
        return UpdateStatus.TERM_OVER;
      case SEQUENCE:
      case EPOCH:
      default:
        return UpdateStatus.SEQUENCE;
    }
  }
}
