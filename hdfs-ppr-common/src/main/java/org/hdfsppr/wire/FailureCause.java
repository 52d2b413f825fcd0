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
 * Why a repair failed at a node. The numbers travel and never change.
 */
@InterfaceAudience.Private
public enum FailureCause {
  /** The connection could not be made, or was reset or closed too early. */
  DEAD(1, true),
  /** No byte came for the whole stall timeout. */
  STALLED(2, true),
  /** Bytes come, but far slower than links here have lately been. */
  SLOW(3, true),
  /** The stored bytes do not match their checksums. */
  CORRUPT_REPLICA(4, true),
  /** There is no finalised replica of the block, or it is shorter than the file says. */
  NO_SUCH_BLOCK(5, true),
  /** The replica has another generation stamp than the file. */
  STALE_REPLICA(6, true),
  /** The block token was refused. */
  ACCESS_TOKEN(7, true),
  /** No thread or buffer was free. */
  OVERLOADED(8, true),
  /** The peer said something that this version does not understand, or bytes were damaged. */
  PROTOCOL(9, true),
  /** A disk or a library failed in a way that no other cause names. */
  INTERNAL(10, true),
  /** A checked slice did not add up; who was wrong is not known. */
  VERIFICATION(11, false),
  /** The rebuilt unit could not be written. */
  WRITE(12, false),
  /**
   * There is no answer on the repair port, or none that makes sense: the node is down, or does not
   * run the extension. What a parent says of a child, it says for those that are too busy as well.
   */
  UNREACHABLE(13, true),
  /** The node speaks the protocol, but an older version that lacks something this repair needs. */
  UNSUPPORTED(14, true);

  private final int number;
  private final boolean fault;

  FailureCause(int number, boolean fault) {
    this.number = number;
    this.fault = fault;
  }

  public int number() {
    return number;
  }

  /** Whether it makes sense to plan anew without the node that the failure names. */
  public boolean excludesNode() {
    return fault;
  }

  /** The cause with {@code number}; what a newer version may have added is {@link #INTERNAL}. */
  public static FailureCause ofNumber(int number) {
    for (FailureCause cause : values()) {
      if (cause.number == number) {
        return cause;
      }
    }
    return INTERNAL;
  }
}
