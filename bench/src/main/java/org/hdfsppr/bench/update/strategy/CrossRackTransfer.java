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
package org.hdfsppr.bench.update.strategy;

import java.util.Collection;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** Bytes of a unit that cross from one rack to another one. Immutable. */
@InterfaceAudience.Private
public final class CrossRackTransfer {
  /** What crosses. */
  public enum Kind {
    /** New bytes, for a log that keeps them until the parity follows. */
    REPLICA,
    /** New bytes minus committed ones, for a log that keeps them until the parity follows. */
    DELTA_REPLICA,
    /** New bytes of a data unit, for a parity node that calculates the parity of them. */
    NEW_DATA,
    /** Bytes of a data unit as they were, for a parity node. */
    OLD_DATA,
    /** New bytes of a data unit minus committed ones. */
    DATA_DELTA,
    /** What has to be added to a parity unit. */
    PARITY_DELTA;

    /** @return whether this keeps new bytes safe and leaves the parity as it is */
    public boolean isReplica() {
      return this == REPLICA || this == DELTA_REPLICA;
    }
  }

  /** What crosses */
  public final Kind kind;
  /** The data unit that the bytes come from; the parity unit that takes a parity delta */
  public final int unit;
  /** The rack that sends */
  public final int fromRack;
  /** The rack that receives */
  public final int toRack;
  /** The number of bytes */
  public final long length;

  /**
   * @param kind what crosses
   * @param unit the data unit that the bytes come from; with a parity delta, the parity unit
   *     that takes it
   * @param fromRack the rack that sends
   * @param toRack the rack that receives
   * @param length the number of bytes
   */
  CrossRackTransfer(Kind kind, int unit, int fromRack, int toRack, long length) {
    this.kind = kind;
    this.unit = unit;
    this.fromRack = fromRack;
    this.toRack = toRack;
    this.length = length;
  }

  /**
   * @param transfers some transfers
   * @return the sum of their lengths
   */
  public static long bytes(Collection<CrossRackTransfer> transfers) {
    return transfers.stream().mapToLong(transfer -> transfer.length).sum();
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof CrossRackTransfer)) {
      return false;
    }
    CrossRackTransfer other = (CrossRackTransfer) o;
    return kind == other.kind && unit == other.unit && fromRack == other.fromRack
        && toRack == other.toRack && length == other.length;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, unit, fromRack, toRack, length);
  }

  @Override
  public String toString() {
    return kind + " of unit " + unit + ", rack " + fromRack + " to " + toRack + ", " + length;
  }
}
