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

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The cause of a repair's failure at a node. Messages contain the number of the cause, so the
 * numbers never change.
 */
@InterfaceAudience.Private
public enum FailureCause {
  /**
   * Another node could not connect to the named node, or the named node reset or closed the
   * connection too early.
   */
  DEAD(1, true),
  /** The node sent no byte within the stall timeout. */
  STALLED(2, true),
  /** The node sends bytes far more slowly than nodes did in recent repairs. */
  SLOW(3, true),
  /** The stored bytes do not match their checksums. */
  CORRUPT_REPLICA(4, true),
  /**
   * The node has no finalised replica of the block, or its replica is shorter than the NameNode's
   * metadata of the file say.
   */
  NO_SUCH_BLOCK(5, true),
  /** The replica has another generation stamp than the file. */
  STALE_REPLICA(6, true),
  /** The node refused the block token. */
  ACCESS_TOKEN(7, true),
  /** The node had no free thread or no free buffer. */
  OVERLOADED(8, true),
  /**
   * The node sent something that the receiver does not understand, or bytes were damaged on the
   * way.
   */
  PROTOCOL(9, true),
  /** A disk or a library failed in a way that no other cause names. */
  INTERNAL(10, true),
  /** A checked slice does not satisfy the check relation. It is not known which node is wrong. */
  VERIFICATION(11, false),
  /** The target could not write the rebuilt unit. */
  WRITE(12, false),
  /**
   * The node's repair port gives no answer, or an invalid answer. Either the node is down, or it
   * does not run hdfs-ppr. A parent also reports this cause for a child that is too busy to answer.
   */
  UNREACHABLE(13, true),
  /**
   * The node cannot serve the request, and would refuse it again. For example, its version lacks a
   * feature that the repair needs, or the request needs more memory than the node has.
   */
  UNSUPPORTED(14, true);

  /** The number of the cause in messages */
  public final int number;
  private final boolean fault;

  FailureCause(int number, boolean fault) {
    this.number = number;
    this.fault = fault;
  }

  /**
   * Says whether the failure is a fault of the named node, so that a new plan without this node can
   * help.
   *
   * @return whether the next plan should leave out the node that the failure names
   */
  public boolean excludesNode() {
    return fault;
  }

  /**
   * Finds a cause.
   *
   * @param number the number of the cause in a message
   * @return the cause; {@link #INTERNAL} for a number that a newer version may have added
   */
  public static FailureCause ofNumber(int number) {
    for (FailureCause cause : values()) {
      if (cause.number == number) {
        return cause;
      }
    }
    return INTERNAL;
  }
}
