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
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.PprCodec;
import org.hdfsppr.coder.gf.RegionKernel;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RequestBounds;
import org.hdfsppr.wire.UnsupportedRequestException;

/**
 * Bounds a request's demands on a node. A request gets at most the memory that the largest repair
 * of this version's codes needs, and at most the node's own stall timeout. A well-formed request
 * can demand far more, such as rows for eight units of eight sub-chunks in slices of a megabyte,
 * which no code and no setting needs. Immutable.
 */
@InterfaceAudience.Private
public final class RequestLimits {
  private final int sliceBytes;
  /** The most bytes of memory that a request may need */
  public final long bytesMost;
  /** Length of the longest buffer that a request may need in one piece, bytes */
  public final int pieceBytesMost;
  private final int stallTimeoutMs;
  private final RegionKernel kernel;

  /**
   * @param sliceBytes the length of the node's own slices, bytes; the node always admits requests
   *     with slices of {@link SliceGeometry#SLICE_BYTES}
   * @param stallTimeoutMs the node's own stall timeout, milliseconds
   * @param kernel does this node's arithmetic in GF(256); the memory of a request includes the
   *     kernel's tables
   */
  public RequestLimits(int sliceBytes, int stallTimeoutMs, RegionKernel kernel) {
    this.kernel = kernel;
    this.sliceBytes = Math.max(sliceBytes, SliceGeometry.SLICE_BYTES);
    this.stallTimeoutMs = stallTimeoutMs;
    long most = 0;
    int piece = 0;
    List<LinearCode> codes = Arrays.stream(PprCodec.values())
        .flatMap(codec -> codec.shippedCodes().stream()).collect(Collectors.toList());
    for (LinearCode code : codes) {
      // A conversion may change a group to this code from a code with more sub-chunks. The units
      // are then divided as in the old code.
      int subChunks = codes.stream().filter(from -> from.dataUnits() == code.dataUnits())
          .mapToInt(LinearCode::subChunks).max().getAsInt();
      // The largest repair rebuilds all units that the code can lose, with all other units at one
      // node. A conversion to the code calculates at most all its parities at once.
      int rows = code.parityUnits() * subChunks + 1;
      // A child sends at most one row for each sub-chunk that its subtree reads, and a check row.
      int[] derived = new int[RequestBounds.UNITS_MAX];
      Arrays.fill(derived, subChunks + 1);
      int[] pieces = PartialSum.pieces(rows, this.sliceBytes, rows,
          RequestBounds.UNITS_MAX * subChunks, kernel, derived);
      most = Math.max(most, BufferPool.bytesFor(pieces));
      piece = Math.max(piece, Arrays.stream(pieces).max().getAsInt());
    }
    bytesMost = most;
    pieceBytesMost = piece;
  }

  /**
   * Checks a well-formed request.
   *
   * @param request the request
   * @return the same request, with the node's own stall timeout if the request demands a longer
   *     timeout
   * @throws UnsupportedRequestException if the request demands more memory than any repair needs
   */
  public PartialSumRequest admit(PartialSumRequest request) throws UnsupportedRequestException {
    long bytes = BufferPool.bytesFor(PartialSum.pieces(request, kernel));
    if (bytes > bytesMost) {
      throw new UnsupportedRequestException("The request needs " + bytes + " bytes of memory for "
          + request.rowsMost() + " rows and "
          + request.subtree.sources.size() + " units of " + request.geometry.subChunks()
          + " sub-chunks in slices of " + request.geometry.sliceBytes()
          + " bytes; with slices of " + sliceBytes + " bytes the largest repair needs " + bytesMost
          + ". A node of version 0.2.0 or older asks for other slices if dfs.ppr.slice.bytes is set"
          + " there; take it out");
    }
    return request.withStallTimeoutWithin(stallTimeoutMs);
  }
}
