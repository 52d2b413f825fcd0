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
package org.apache.hadoop.hdfs.server.datanode.erasurecode;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.hdfsppr.loader.HadoopMembers;

/**
 * The members of stock's reconstruction classes that this package uses. The constructor looks them
 * up by name, notes those that the running Hadoop lacks, and keeps the private fields.
 */
final class WorkerMembers {
  private final HadoopMembers hadoop;

  final Field pool;
  final Field policy;
  final Field sources;
  final Field liveIndices;
  final Field writer;
  final Field targets;
  final Field targetIndices;
  final Field targetStorageTypes;
  final Field targetStorageIds;

  WorkerMembers(HadoopMembers.Classes classes) {
    hadoop = new HadoopMembers(classes);
    pool = hadoop.field("ErasureCodingWorker", "stripedReconstructionPool",
        ThreadPoolExecutor.class);
    if (pool != null && Modifier.isFinal(pool.getModifiers())) {
      hadoop.note("ErasureCodingWorker.stripedReconstructionPool is final");
    }
    hadoop.method("ErasureCodingWorker", "getXmitWeight", float.class);

    policy = hadoop.field("StripedReconstructor", "ecPolicy", ErasureCodingPolicy.class);
    hadoop.method("StripedReconstructor", "getBlockGroup", ExtendedBlock.class);
    hadoop.method("StripedReconstructor", "getBlockLen", long.class, int.class);
    hadoop.method("StripedReconstructor", "getLiveBitSet", BitSet.class);
    hadoop.method("StripedReconstructor", "getExcludeBitSet", BitSet.class);
    hadoop.method("StripedReconstructor", "getXmits", int.class);
    hadoop.method("StripedReconstructor", "getStripedReader", hadoop.find("StripedReader"));

    sources = hadoop.field("StripedReader", "sources", DatanodeInfo[].class);
    liveIndices = hadoop.field("StripedReader", "liveIndices", byte[].class);

    writer = hadoop.field("StripedBlockReconstructor", "stripedWriter",
        hadoop.find("StripedWriter"));
    Class<?> task = hadoop.find("StripedBlockReconstructor");
    if (task != null && !Runnable.class.isAssignableFrom(task)) {
      hadoop.note("StripedBlockReconstructor is not a Runnable");
    }
    targets = hadoop.field("StripedWriter", "targets", DatanodeInfo[].class);
    targetIndices = hadoop.field("StripedWriter", "targetIndices", short[].class);
    targetStorageTypes = hadoop.field("StripedWriter", "targetStorageTypes", StorageType[].class);
    targetStorageIds = hadoop.field("StripedWriter", "targetStorageIds", String[].class);
  }

  /** Looks the members up in the Hadoop that is running. */
  static WorkerMembers ofThisHadoop() {
    return new WorkerMembers(HadoopMembers.inPackageOf(WorkerMembers.class));
  }

  /**
   * Lists members that are missing or different. The worker is taken over only if the list is
   * empty.
   */
  List<String> missing() {
    return hadoop.missing();
  }
}
