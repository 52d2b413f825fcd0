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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hdfsppr.client.patience.ClientLink;
import org.hdfsppr.coder.code.LinearCode;

/**
 * Reads any range of a block group for one stream. It cuts the range into {@link UnitPiece}s, one
 * for each unit that has some of the bytes, gets all pieces at the same time, and puts them
 * together. Thread-safe.
 */
@InterfaceAudience.Private
public final class GroupReader implements GroupSource {
  private final ReadContext context;
  private final LinearCode code;
  private final UnitByteCache cache;
  private final UnitPiece.Ways ways;
  private final ReadNotice notice;

  /**
   * @param context the state that all streams of the client share
   * @param units reads units for the stream
   * @param code the code of the stream's file
   */
  public GroupReader(ReadContext context, UnitReader units, LinearCode code) {
    this.context = context;
    this.code = code;
    this.cache = new UnitByteCache(context.settings.cacheBytes);
    this.ways = new UnitPiece.Ways(context, new UnitFetcher(units),
        new RangeRebuilder(context, units, code), cache);
    this.notice = new ReadNotice(context, new ReadPlans(context, code));
  }

  @Override
  public boolean isBeyondStock(LocatedGroup group) {
    for (int unit = 0; unit < group.dataUnits(); unit++) {
      DatanodeInfo holder = group.holder(unit);
      if (group.unitBytes(unit) > 0 && !isUsable(group, unit)
          && (code.subChunks() > 1
              || holder != null && context.health.isSlow(holder.getDatanodeUuid()))) {
        return true;
      }
    }
    return false;
  }

  private boolean isUsable(LocatedGroup group, int unit) {
    DatanodeInfo holder = group.holder(unit);
    return holder != null
        && !context.health.isLost(holder.getDatanodeUuid(), group.id().blockId(unit))
        && !context.health.isSlow(holder.getDatanodeUuid());
  }

  @Override
  public void read(LocatedGroup group, long from, ByteBuffer dst) throws IOException {
    List<UnitRange> ranges = UnitRange.of(from, from + dst.remaining(), code.dataUnits(),
        group.cellBytes());
    try (ClientLink.Use use = context.link.begin()) {
      read(group, from, ranges, dst, use);
    }
  }

  private void read(LocatedGroup group, long from, List<UnitRange> ranges, ByteBuffer dst,
      ClientLink.Use use) throws IOException {
    ByteBuffer target = dst.duplicate();
    List<UnitPiece> pieces = new ArrayList<>();
    OpenRead read = new OpenRead(group, ranges.size(), use);
    long start = context.nanoClock.getAsLong();
    try {
      for (UnitRange range : ranges) {
        UnitPiece piece = new UnitPiece(ways, read, range, isUsable(group, range.unit));
        pieces.add(piece);
        read.add(piece);
      }
      pieces.forEach(UnitPiece::begin);
      // Rebuilds begin after all direct reads have begun, because a rebuild waits for pieces that
      // are read directly. If no other thread is free, the reader's own thread runs the direct
      // reads and then the rebuilds.
      pieces.forEach(UnitPiece::goOn);
      for (UnitPiece piece : pieces) {
        ByteBuffer bytes = await(group, piece, pieces, start);
        piece.range.copyTo(target, from, bytes, code.dataUnits(), group.cellBytes());
      }
      if (use.teaches() && pieces.stream().allMatch(UnitPiece::isFromItsDataNode)) {
        context.costs.read(dst.remaining(),
            context.nanoClock.getAsLong() - start);
      }
      dst.position(dst.limit());
    } finally {
      pieces.forEach(UnitPiece::end);
    }
  }

  private ByteBuffer await(LocatedGroup group, UnitPiece piece, List<UnitPiece> pieces, long start)
      throws IOException {
    IOException failure;
    try {
      return BoundedWait.get(piece.result(),
          start + context.waitNanosMost - context.nanoClock.getAsLong());
    } catch (TimeoutException e) {
      failure = new IOException("Unit " + piece.range + " of block group " + group.id()
          + " has not come for " + TimeUnit.NANOSECONDS.toSeconds(context.waitNanosMost)
          + " s", e);
    } catch (IOException e) {
      failure = e;
    }
    for (UnitPiece other : pieces) {
      Optional<UntrustedBytesException> doubt = other.doubt();
      if (doubt.isPresent()) {
        if (doubt.get() != failure) {
          doubt.get().addSuppressed(failure);
        }
        throw doubt.get();
      }
    }
    throw failure;
  }

  @Override
  public void decodedByStock(LocatedGroup group) {
    notice.decodedByStock(group);
  }

  @Override
  public void clear() {
    cache.clear();
  }
}
