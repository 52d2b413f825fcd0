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
 * Divides a DataNode's memory for repairs. A caller chooses how much memory its request needs, and
 * how fast the caller takes the answer. One caller could therefore hold all memory for any time. To
 * prevent this, the class keeps a part for this node's own repairs, and gives each caller a bounded
 * share of the other part:
 *
 * <pre>
 *   | kept: repairs that this node leads | shared: requests of other nodes and clients, and      |
 *   |                                    |     further repairs that this node leads              |
 *   0                                  1/4                                                       1
 * </pre>
 *
 * <p>The two parts have separate slabs, so that callers cannot fragment the kept part. Thread-safe.
 */
@InterfaceAudience.Private
public final class NodeMemory {
  /**
   * Of the whole memory, one part in this many is kept for repairs that this node leads: with 4, a
   * quarter.
   */
  private static final int KEPT_ONE_IN = 4;
  /** Of the shared memory, one caller may hold one part in this many: with 4, a quarter. */
  private static final int CALLER_ONE_IN = 4;
  /** Of the shared memory, work that can wait leaves one part in this many free: with 2, half. */
  private static final int SPARE_ONE_IN = 2;

  private final BufferPool kept;
  private final BufferPool shared;
  /** How many bytes of {@link #shared} each caller holds. */
  private final CallerShares callers;

  /**
   * @param bytesMost the most bytes of direct memory that all repairs of the node take from the
   *     process
   * @param requestBytesMost memory of the largest request that the node serves, bytes; a share is
   *     never smaller than one such request
   * @param pieceBytesMost the longest buffer that such a request needs in one piece, bytes
   */
  public NodeMemory(long bytesMost, long requestBytesMost, int pieceBytesMost) {
    kept = new BufferPool(bytesMost / KEPT_ONE_IN);
    long rest = bytesMost - bytesMost / KEPT_ONE_IN;
    shared = new BufferPool(rest, Math.max(BufferPool.slabBytes(rest), pieceBytesMost));
    callers = new CallerShares(Math.max(shared.bytesMost / CALLER_ONE_IN,
        Math.min(requestBytesMost, shared.bytesMost)));
  }

  /** @return bytes that one caller may hold */
  public long callerBytesMost() {
    return callers.shareMost;
  }

  /**
   * Says whether a caller's share is small enough to leave room for other callers.
   *
   * @return false if the largest request needs more than a caller's usual share
   */
  public boolean hasSmallShares() {
    return callerBytesMost() <= shared.bytesMost / CALLER_ONE_IN;
  }

  /** @return bytes that leases hold at present, in whole pages */
  public long usedBytes() {
    return kept.usedBytes() + shared.usedBytes();
  }

  /**
   * Returns the memory for repairs that this node leads. A lease comes from the kept part if that
   * part has enough free memory, and from the shared part otherwise.
   *
   * @return a source of leases from both parts
   */
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
   * Returns the memory for requests of other nodes and clients.
   *
   * @param caller address of the caller
   * @return a source of leases from the shared part, within the caller's share
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

  /**
   * Returns the memory for work that can wait, such as checks in the background. A lease comes from
   * the shared part, and leaves at least half of that part free, so that such work makes no repair
   * wait.
   *
   * @return a source of leases from the shared part
   */
  public BufferSource spare() {
    long most = shared.bytesMost - shared.bytesMost / SPARE_ONE_IN;
    return new BufferSource() {
      @Override
      public BufferSource.Lease lease(int... pieces) {
        return shared.usedBytes() + BufferPool.bytesFor(pieces) > most ? null
            : shared.lease(pieces);
      }

      @Override
      public BufferSource.Lease await(long msMost, int... pieces) throws InterruptedException {
        return refusal(pieces) == null ? shared.awaitWithin(most, msMost, pieces) : null;
      }

      @Override
      public String refusal(int... pieces) {
        long bytes = BufferPool.bytesFor(pieces);
        return bytes > most ? "buffers of " + bytes + " bytes are needed, and work that can wait"
            + " gets " + most : shared.refusal(pieces);
      }
    };
  }
}
