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

/**
 * How a DataNode shares out its memory for repairs. A caller chooses what a request needs and how
 * fast it takes the answer, so that it could hold all memory for as long as it likes. Therefore:
 *
 * <pre>
 *   | kept: repairs that this node leads | shared: what it does for others, and further repairs  |
 *   |                                    |     that it leads; each caller has a share of it      |
 *   0                                  1/4                                                       1
 * </pre>
 *
 * <p>The two parts do not share slabs, so that callers cannot cut up what is kept either.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class NodeMemory {
  /** What is kept for repairs that this node leads, one part in this many. */
  private static final int KEPT_ONE_IN = 4;
  /** What one caller may hold of what is shared, one part in this many. */
  private static final int CALLER_ONE_IN = 4;

  private final BufferPool kept;
  private final BufferPool shared;
  /** Of {@link #shared}, bytes. */
  private final CallerShares callers;

  /**
   * @param bytesMost direct memory that all repairs of the node ever take from the process
   * @param requestBytesMost the largest request that the node serves; a caller can make one
   *     however small its share would be
   * @param pieceBytesMost the longest buffer that such a request needs in one piece
   */
  public NodeMemory(long bytesMost, long requestBytesMost, int pieceBytesMost) {
    kept = new BufferPool(bytesMost / KEPT_ONE_IN);
    long rest = bytesMost - bytesMost / KEPT_ONE_IN;
    shared = new BufferPool(rest, Math.max(BufferPool.slabBytes(rest), pieceBytesMost));
    callers = new CallerShares(Math.max(shared.bytesMost() / CALLER_ONE_IN,
        Math.min(requestBytesMost, shared.bytesMost())));
  }

  /** What one caller may hold, bytes. */
  public long callerBytesMost() {
    return callers.shareMost();
  }

  /** Whether a caller's share is as small as it is meant to be. */
  public boolean hasSmallShares() {
    return callerBytesMost() <= shared.bytesMost() / CALLER_ONE_IN;
  }

  /** Bytes in use. */
  public long usedBytes() {
    return kept.usedBytes() + shared.usedBytes();
  }

  /** Bytes taken from the process. */
  public long allocatedBytes() {
    return kept.allocatedBytes() + shared.allocatedBytes();
  }

  /** Memory for the repairs that this node leads. */
  public BufferSource leading() {
    return new BufferSource() {
      @Override
      public BufferSource.Lease lease(int... pieces) {
        BufferSource.Lease lease = kept.lease(pieces);
        return lease != null ? lease : shared.lease(pieces);
      }

      @Override
      public String refusal(int... pieces) {
        return kept.refusal(pieces) == null ? null : shared.refusal(pieces);
      }
    };
  }

  /**
   * Memory for what this node does for others.
   *
   * @param caller the address that asks
   */
  public BufferSource helping(String caller) {
    return new BufferSource() {
      @Override
      public BufferSource.Lease lease(int... pieces) {
        long bytes = BufferPool.bytesFor(pieces);
        if (!callers.take(caller, bytes)) {
          return null;
        }
        BufferSource.Lease lease = null;
        try {
          lease = shared.lease(pieces);
        } finally {
          if (lease == null) {
            callers.give(caller, bytes);
          }
        }
        return lease == null ? null : lease.whenClosed(() -> callers.give(caller, bytes));
      }

      @Override
      public String refusal(int... pieces) {
        return shared.refusal(pieces);
      }
    };
  }
}
