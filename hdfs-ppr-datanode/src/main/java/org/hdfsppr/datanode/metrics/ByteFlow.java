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
package org.hdfsppr.datanode.metrics;

import org.apache.hadoop.classification.InterfaceAudience;

/** The sources and destinations of the bytes of repairs, and of clients' degraded reads. */
@InterfaceAudience.Private
public enum ByteFlow {
  /** Bytes read from the files of this DataNode's replicas. */
  HELPER_DISK_READ("HelperDiskReadBytes", "Read from local replicas for repairs"),
  /** Bytes of this DataNode's replicas that were read from the chunk cache. */
  CHUNK_CACHE_HIT("ChunkCacheHitBytes", "Of local replicas, found in the chunk cache"),
  /** Partial results sent to the next node of a tree. */
  SENT_TO_PARENTS("SentToParentsBytes", "Partial results sent to parents"),
  /** Partial results received from the nodes below in a tree. */
  RECEIVED_FROM_CHILDREN("ReceivedFromChildrenBytes", "Partial results received from children"),
  /** Partial results received from nodes of other racks. */
  RECEIVED_ACROSS_RACKS("ReceivedAcrossRacksBytes", "Received from nodes of other racks"),
  /**
   * Bytes that this DataNode received by stock's read protocol, from nodes that do not run
   * hdfs-ppr.
   */
  RECEIVED_BY_STOCK_READS("ReceivedByStockReadsBytes", "Received by stock reads for repairs"),
  /** Rebuilt bytes that this DataNode wrote to a replica of its own. */
  REPLICA_WRITTEN("ReplicaWrittenBytes", "Rebuilt and written to local replicas"),
  /** Rebuilt bytes that this DataNode sent to another DataNode. */
  SENT_TO_REMOTE_TARGETS("SentToRemoteTargetsBytes", "Rebuilt and sent to other DataNodes");

  final String metricName;
  final String description;

  ByteFlow(String metricName, String description) {
    this.metricName = metricName;
    this.description = description;
  }
}
