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
package org.hdfsppr.stream;

import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;

/**
 * A node gave no sign that it runs hdfs-ppr: nothing listens at its address, or the process there
 * gives no answer, or an invalid answer. This node's log has the details. The parent gets only the
 * failure that {@link #forParent} returns, which is the same for all of these cases. An unknown
 * caller may ask this node to connect to any address. The caller must not learn from the answer
 * what is behind that address. Only a timeout has a cause of its own, because the caller sees
 * anyway how long the attempt took.
 */
final class NoAnswerException extends RepairException {
  private static final long serialVersionUID = 1L;
  private static final String FOR_PARENT =
      "it does not answer as a DataNode would; the log of the one that asked it says more";

  private final FailureCause heardCause;

  private NoAnswerException(FailureCause cause, FailureCause heardCause, NodeRef node,
      String message, Throwable thrown) {
    super(cause, node, message, thrown);
    this.heardCause = heardCause;
  }

  /** Makes the exception for a child that gave no valid answer on its repair port. */
  static NoAnswerException ofChild(FailureCause cause, NodeRef node, String message,
      Throwable thrown) {
    return new NoAnswerException(cause, cause == FailureCause.STALLED ? FailureCause.STALLED
        : FailureCause.UNREACHABLE, node, message, thrown);
  }

  /**
   * Like {@link #ofChild}, but for a child that stopped in the middle of its answer. The parent
   * gets the cause UNREACHABLE even if the child timed out.
   */
  static NoAnswerException amidAnswer(RepairException e) {
    return new NoAnswerException(e.failureCause, FailureCause.UNREACHABLE, e.node,
        e.getMessage(), e);
  }

  /**
   * Converts the failure of a stock read that could not open a unit at {@code holder}. Returns a
   * {@link NoAnswerException} if the holder did not answer, and {@code e} unchanged if the holder
   * answered.
   */
  static RepairException ofHolder(NodeRef holder, RepairException e) {
    boolean answered = !e.node.equals(holder) || e.failureCause != FailureCause.DEAD
        && e.failureCause != FailureCause.STALLED;
    return answered ? e
        : new NoAnswerException(e.failureCause, e.failureCause, holder, e.getMessage(), e);
  }

  /**
   * Returns the failure that this node reports to its parent. It hides the details of a {@link
   * NoAnswerException}, and returns every other exception unchanged.
   */
  static RepairException forParent(RepairException e) {
    return e instanceof NoAnswerException
        ? new RepairException(((NoAnswerException) e).heardCause, e.node, FOR_PARENT, null) : e;
  }
}
