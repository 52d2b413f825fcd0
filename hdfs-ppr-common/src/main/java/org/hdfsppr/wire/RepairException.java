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
package org.hdfsppr.wire;

import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;

/** A repair failed. The exception names the cause of the failure and the node that failed. */
@InterfaceAudience.Private
public class RepairException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Why the repair failed. */
  public final FailureCause failureCause;
  /** The node that failed; if a link is slow, the node that sends over it */
  public final transient NodeRef node;
  /** If a link is slow, the node that receives over it; otherwise null */
  public final transient NodeRef otherSuspect;

  /**
   * @param failureCause the cause
   * @param node the node that failed
   * @param message details for a log
   * @param thrown the exception that was caught, or null
   */
  public RepairException(FailureCause failureCause, NodeRef node, String message,
      Throwable thrown) {
    this(failureCause, node, null, message, thrown);
  }

  private RepairException(FailureCause failureCause, NodeRef node, NodeRef otherSuspect,
      String message, Throwable thrown) {
    super(message, thrown);
    this.failureCause = Objects.requireNonNull(failureCause, "failureCause");
    this.node = Objects.requireNonNull(node, "node");
    this.otherSuspect = otherSuspect;
  }

  /**
   * Makes the exception for a slow link between two nodes. It is not known which of the two nodes
   * makes the link slow.
   *
   * @param lower the node that sends
   * @param upper the node that receives
   * @param message details for a log
   * @return the exception
   */
  public static RepairException slowLink(NodeRef lower, NodeRef upper, String message) {
    return new RepairException(FailureCause.SLOW, lower, upper, message, null);
  }

  @Override
  public String toString() {
    return failureCause + " at " + node
        + (otherSuspect == null ? "" : " or " + otherSuspect) + ": " + getMessage();
  }
}
