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
package org.hdfsppr.datanode.replica;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import org.hdfsppr.stream.BufferPool;
import org.hdfsppr.stream.BufferSource;

/**
 * Lends the small direct buffers that readers and writers of replicas keep while they are open, and
 * bounds the bytes of these buffers for the whole process. Slices have other buffers, which belong
 * to their repair. Thread-safe.
 */
final class ReplicaBuffers {
  /**
   * The bound for the readers' buffers, bytes. A node has 256 helper threads by default. Each
   * thread uses some 12 KiB for each sub-chunk that it reads, and 64 KiB while it loads a chunk
   * into the cache. With one sub-chunk each, all threads together need about 19 MiB.
   */
  static final long READ_BYTES_MOST = 48L << 20;
  /**
   * The bound for the writers' buffers, bytes; each writer uses 8 KiB. It is separate from the
   * readers' bound, so that readers on other nodes cannot keep this node from writing rebuilt
   * units.
   */
  static final long WRITE_BYTES_MOST = 16L << 20;
  /**
   * The length of the pieces of memory from which buffers are cut, bytes. No buffer can be longer,
   * so a reader cannot read a part of a chunk if the chunk is longer.
   */
  private static final int SLAB_BYTES = 2 << 20;

  static final ReplicaBuffers READERS = new ReplicaBuffers(READ_BYTES_MOST);
  static final ReplicaBuffers WRITERS = new ReplicaBuffers(WRITE_BYTES_MOST);

  /**
   * The length of a buffer for stored sums, bytes. With the usual 512 bytes of data per sum, the
   * buffer holds the sums of 1 MiB of data.
   */
  static final int SUMS_BYTES = 8 * 1024;

  private final BufferPool pool;
  private final Map<ByteBuffer, BufferSource.Lease> leases =
      Collections.synchronizedMap(new IdentityHashMap<>());

  ReplicaBuffers(long bytesMost) {
    pool = new BufferPool(bytesMost, SLAB_BYTES);
  }

  /**
   * Takes a buffer, which the caller must give back.
   *
   * @param bytes length of the buffer
   * @throws NoBuffersException if too few bytes are free, or no buffer can be so long
   */
  ByteBuffer getBuffer(int bytes) throws NoBuffersException {
    BufferSource.Lease lease = pool.lease(bytes);
    if (lease == null) {
      String never = pool.refusal(bytes);
      throw new NoBuffersException(never != null ? never
          : "all " + pool.bytesMost + " bytes of buffers for replicas are in use");
    }
    ByteBuffer buffer = lease.carve(bytes);
    leases.put(buffer, lease);
    return buffer;
  }

  /** Gives back a buffer of {@link #getBuffer}. */
  void returnBuffer(ByteBuffer buffer) {
    leases.remove(buffer).close();
  }
}
