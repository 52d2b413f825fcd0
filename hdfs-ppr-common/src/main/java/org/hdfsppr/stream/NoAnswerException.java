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

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;

/**
 * A node gave no sign that it runs the extension: nothing listens at its address, or the process
 * there gives no answer, or an answer that makes no sense. This node's log has the details. The
 * parent gets only {@link #forParent}, which is the same for all of these cases. A stranger may ask
 * for a connection to any address, and must not learn from the answer what is behind that address.
 * Only a timeout has a cause of its own, because its duration shows it anyway.
 */
@InterfaceAudience.Private
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

  /** A child gave no valid answer on its repair port. */
  static NoAnswerException ofChild(FailureCause cause, NodeRef node, String message,
      Throwable thrown) {
    return new NoAnswerException(cause, cause == FailureCause.STALLED ? FailureCause.STALLED
        : FailureCause.UNREACHABLE, node, message, thrown);
  }

  /** As {@link #ofChild}, for a child that began to answer, so that a timeout reveals nothing. */
  static NoAnswerException amidAnswer(RepairException e) {
    return new NoAnswerException(e.failureCause(), FailureCause.UNREACHABLE, e.node(),
        e.getMessage(), e);
  }

  /**
   * Converts the failure to open a unit at {@code holder} with a stock read: into this exception,
   * unless the holder has answered.
   */
  static RepairException ofHolder(NodeRef holder, RepairException e) {
    boolean answered = !e.node().equals(holder) || e.failureCause() != FailureCause.DEAD
        && e.failureCause() != FailureCause.STALLED;
    return answered ? e
        : new NoAnswerException(e.failureCause(), e.failureCause(), holder, e.getMessage(), e);
  }

  /** Returns the failure that the parent gets. */
  static RepairException forParent(RepairException e) {
    return e instanceof NoAnswerException
        ? new RepairException(((NoAnswerException) e).heardCause, e.node(), FOR_PARENT, null) : e;
  }
}
