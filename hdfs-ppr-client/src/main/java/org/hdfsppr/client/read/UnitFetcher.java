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
package org.hdfsppr.client.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Reads ranges of units from the DataNodes that hold the units. If a DataNode fails, this class
 * asks the NameNode once where the unit is now. It reads once more if the unit has moved or the
 * token has expired. Thread-safe.
 */
final class UnitFetcher {
  private final UnitReader units;

  UnitFetcher(UnitReader units) {
    this.units = units;
  }

  /**
   * Reads a range of a unit that has a holder.
   *
   * @param isHad returns whether the bytes have already come in another way, so that a second try
   *     is not needed
   */
  UnitOutcome fetch(LocatedGroup group, UnitRange range, UnitReader.Reading reading,
      BooleanSupplier isHad) {
    ByteBuffer dst = ByteBuffer.allocate(range.length());
    try {
      try {
        units.readUnit(group, range.unit, range.from, dst, reading);
        return UnitOutcome.read(dst.flip());
      } catch (IOException e) {
        return isHad.getAsBoolean() ? UnitOutcome.failed(e) : again(group, range, dst, reading, e);
      }
    } catch (IOException | RuntimeException e) {
      return UnitOutcome.failed(IoFailures.of(e));
    }
  }

  /** Reads once more if the token has expired or the unit has moved. */
  private UnitOutcome again(LocatedGroup group, UnitRange range, ByteBuffer dst,
      UnitReader.Reading reading, IOException first) throws IOException {
    LocatedGroup fresh;
    try {
      fresh = units.refreshed(group);
    } catch (UntrustedBytesException other) {
      return UnitOutcome.failed(first, other);
    } catch (IOException none) {
      first.addSuppressed(none);
      return UnitOutcome.failed(first);
    }
    DatanodeInfo now = fresh.holder(range.unit);
    if (now == null
        || now.equals(group.holder(range.unit)) && !units.isTokenExpired(first)) {
      return UnitOutcome.failed(first);
    }
    dst.clear();
    units.readUnit(fresh, range.unit, range.from, dst, reading);
    return UnitOutcome.read(dst.flip());
  }
}
