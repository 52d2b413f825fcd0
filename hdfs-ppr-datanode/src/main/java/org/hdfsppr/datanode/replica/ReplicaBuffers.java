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

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.DirectBufferPool;

/**
 * The small direct buffers that readers and writers of replicas keep while they are open. Slices
 * are not among them: those belong to whoever reads or writes.
 */
@InterfaceAudience.Private
final class ReplicaBuffers {
  /** Held weakly between uses, so an idle DataNode gives the memory back. */
  static final DirectBufferPool POOL = new DirectBufferPool();

  /** Stored sums at a time: with the usual 512 bytes per sum, those of 1 MiB of data. */
  static final int SUMS_BYTES = 8 * 1024;

  private ReplicaBuffers() {
  }
}
