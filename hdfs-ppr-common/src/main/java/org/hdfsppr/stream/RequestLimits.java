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

import java.util.Arrays;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RequestCodec;
import org.hdfsppr.wire.UnsupportedRequestException;

/**
 * What one request may ask of a node: memory for no more than the largest repair of the codes that
 * this version has, and no more patience than the node has itself. A request that is well-formed
 * can ask for far more, eight rows of eight sub-chunks in slices of a megabyte for one, which no
 * code and no setting has. Immutable.
 */
@InterfaceAudience.Private
public final class RequestLimits {
  private final int sliceBytes;
  private final long bytesMost;
  private final int pieceBytesMost;
  private final int stallTimeoutMs;
  private final RegionKernel kernel;

  /**
   * @param sliceBytes the node's own {@link PprKeys#SLICE_BYTES_KEY}; the default is always taken,
   *     so that nodes with smaller slices still serve those without the setting
   * @param stallTimeoutMs the node's own patience, milliseconds
   * @param kernel what multiplies here, whose tables count as well
   */
  public RequestLimits(int sliceBytes, int stallTimeoutMs, RegionKernel kernel) {
    this.kernel = kernel;
    this.sliceBytes = Math.max(sliceBytes, PprKeys.SLICE_BYTES_DEFAULT);
    this.stallTimeoutMs = stallTimeoutMs;
    long most = 0;
    int piece = 0;
    for (PprCodec codec : PprCodec.values()) {
      for (LinearCode code : codec.shippedCodes()) {
        // All units that the code can lose, in one repair, and all others at one node.
        int rows = code.parityUnits() * code.subChunks() + 1;
        int[] pieces = PartialSum.pieces(rows, this.sliceBytes, 2,
            RequestCodec.UNITS_MAX * code.subChunks(), kernel);
        most = Math.max(most, BufferPool.bytesFor(pieces));
        piece = Math.max(piece, Arrays.stream(pieces).max().getAsInt());
      }
    }
    bytesMost = most;
    pieceBytesMost = piece;
  }

  /** Memory that a request may need, bytes. */
  public long bytesMost() {
    return bytesMost;
  }

  /** The longest buffer that such a request needs in one piece, bytes. */
  public int pieceBytesMost() {
    return pieceBytesMost;
  }

  /**
   * Checks a request that is well-formed.
   *
   * @return the same request, with the node's own patience if it asks for more
   * @throws UnsupportedRequestException if it asks for more memory than any repair needs
   */
  public PartialSumRequest admit(PartialSumRequest request) throws UnsupportedRequestException {
    long bytes = BufferPool.bytesFor(PartialSum.pieces(request, kernel));
    if (bytes > bytesMost) {
      throw new UnsupportedRequestException("The request needs " + bytes + " bytes of memory for "
          + (request.lostRows() + request.checkRows()) + " rows and "
          + request.subtree().sources().size() + " units of " + request.geometry().subChunks()
          + " sub-chunks in slices of " + request.geometry().sliceBytes()
          + " bytes; with slices of " + sliceBytes + " bytes the largest repair needs " + bytesMost
          + ". Set " + PprKeys.SLICE_BYTES_KEY + " alike on all nodes");
    }
    return request.withStallTimeoutWithin(stallTimeoutMs);
  }
}
