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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.util.LightWeightLinkedSet;
import org.hdfsppr.loader.HadoopMembers;

/**
 * Looks up by name the members of stock's block management that this package uses, checks that the
 * running Hadoop has them, and writes to some of the fields.
 */
final class BlockManagerMembers {
  private static final String QUEUE = "LowRedundancyBlocks";
  private static final String PENDING = "PendingReconstructionBlocks";

  private final HadoopMembers hadoop;

  /**
   * A set shrinks its hash table when less than this share of the table is in use. Stock's sets
   * shrink at a fifth. A table with 50,000 entries takes 10 ms to shrink, and the NameNode's lock
   * is held all that time. At this share, the table has few entries left when it shrinks, so that
   * the time does not matter.
   */
  private static final float SHRINKS_AT = 0.01f;
  private static final float GROWS_AT = 0.75f;
  private static final int CAPACITY = 16;

  /** The field with a queue's sets, one for each priority. */
  private final Field prioritySets;

  final Field queue;
  /** The fields that hold the state of a queue. */
  final List<Field> queueState;

  BlockManagerMembers(HadoopMembers.Classes classes) {
    hadoop = new HadoopMembers(classes);
    Class<?> block = hadoop.find("BlockInfo");
    Class<?> storage = hadoop.find("DatanodeStorageInfo");
    Class<?> storages = HadoopMembers.array(storage);
    Class<?> node = hadoop.find("DatanodeDescriptor");
    Class<?> counts = hadoop.find("NumberReplicas");
    Class<?> placement = hadoop.find("BlockPlacementStatus");

    queue = hadoop.field("BlockManager", "neededReconstruction", hadoop.find(QUEUE));
    hadoop.field("BlockManager", "pendingReconstruction", hadoop.find(PENDING));
    hadoop.method("BlockManager", "isPopulatingReplQueues", boolean.class);
    hadoop.method("BlockManager", "getStoredBlock", block, Block.class);
    hadoop.method("BlockManager", "getBlockPoolId", String.class);
    hadoop.method("BlockManager", "getDatanodeManager", hadoop.find("DatanodeManager"));
    hadoop.method("BlockManager", "getCorruptReplicas", Collection.class, Block.class);
    hadoop.method("BlockManager", "isExcess", boolean.class, node, block);
    hadoop.method("BlockManager", "countNodes", counts, block);
    hadoop.method("BlockManager", "isNeededReconstruction", boolean.class, block, counts);
    hadoop.method("BlockManager", "getExpectedRedundancyNum", short.class, block);
    hadoop.method("BlockManager", "getExpectedLiveRedundancyNum", short.class, block, counts);
    hadoop.method("BlockManager", "getBlockCollection", hadoop.find("BlockCollection"), block);
    hadoop.method("BlockManager", "getStoragePolicy", BlockStoragePolicy.class, byte.class);
    hadoop.method("BlockManager", "getBlockPlacementStatus", placement, block);
    hadoop.method("BlockManager", "getBlockPlacementStatus", placement, block, storages);
    hadoop.method("BlockManager", "getBlockTokenSecretManager", BlockTokenSecretManager.class);
    hadoop.method("BlockPlacementStatus", "isPlacementPolicySatisfied", boolean.class);
    hadoop.method("BlockPlacementStatus", "getAdditionalReplicasRequired", int.class);

    queueState = hadoop.sharedState(QUEUE);
    prioritySets = hadoop.field(QUEUE, "priorityQueues", List.class);
    hadoop.method(QUEUE, "add", boolean.class, block, int.class, int.class, int.class, int.class);
    hadoop.method(QUEUE, "update", void.class, block, int.class, int.class, int.class, int.class,
        int.class, int.class);
    hadoop.method(QUEUE, "remove", boolean.class, block, int.class, int.class);
    hadoop.method(QUEUE, "clear", void.class);
    hadoop.method(QUEUE, "chooseLowRedundancyBlocks", List.class, int.class, boolean.class);
    hadoop.method(QUEUE, "size", int.class);
    hadoop.method(QUEUE, "getLowRedundancyBlockCount", int.class);
    hadoop.method(QUEUE, "getCorruptBlockSize", int.class);
    hadoop.method(QUEUE, "getCorruptECBlockGroups", long.class);
    hadoop.method(QUEUE, "getLowRedundancyECBlockGroups", long.class);
    hadoop.method(QUEUE, "getHighestPriorityECBlockCount", long.class);
    hadoop.method(QUEUE, "contains", boolean.class, block);
    hadoop.method(QUEUE, "iterator", Iterator.class, int.class);
    hadoop.method(QUEUE, "iterator", Iterator.class);

    hadoop.method(PENDING, "increment", void.class, block, storages);
    hadoop.method(PENDING, "remove", hadoop.find(PENDING + "$PendingBlockInfo"), block);
    hadoop.method(PENDING, "getNumReplicas", int.class, block);
    hadoop.method(PENDING, "getTargets", List.class, block);

    hadoop.method("DatanodeStorageInfo", "incrementBlocksScheduled", void.class, storages);
    hadoop.method("DatanodeStorageInfo", "decrementBlocksScheduled", void.class, storages);
    hadoop.method("DatanodeStorageInfo", "getDatanodeDescriptor", node);
    hadoop.method("DatanodeDescriptor", "isAlive", boolean.class);
    hadoop.method("DatanodeDescriptor", "getBlocksScheduled", int.class, StorageType.class);
    hadoop.method("DatanodeDescriptor", "getStorageInfos", storages);
    hadoop.method("DatanodeStorageInfo", "getRemaining", long.class);
    hadoop.method("DatanodeManager", "getDatanode", node, String.class);
    hadoop.method("DatanodeManager", "shouldAvoidStaleDataNodesForWrite", boolean.class);
    hadoop.method("DatanodeManager", "getStaleInterval", long.class);
    hadoop.method("DatanodeManager", "getSlowNodesUuidSet", Set.class);
    hadoop.method("DatanodeManager", "getFSClusterStats", hadoop.find("FSClusterStats"));
    hadoop.method("FSClusterStats", "getInServiceXceiverAverage", double.class);
    hadoop.method("FSClusterStats", "getStorageTypeStats", Map.class);
    hadoop.method("StorageTypeStats", "getNodesInServiceXceiverCount", int.class);
    hadoop.method("DatanodeDescriptor", "getStorageTypes", EnumSet.class);
    hadoop.method("BlockManager", "getStriptedBlockPlacementPolicy",
        hadoop.find("BlockPlacementPolicy"));
    hadoop.method("BlockPlacementPolicy", "getExcludeSlowNodesEnabled", boolean.class);
    hadoop.field("BlockPlacementPolicyDefault", "considerLoad", boolean.class);
    hadoop.field("BlockPlacementPolicyDefault", "considerLoadFactor", double.class);

    hadoop.method("BlockInfo", "isDeleted", boolean.class);
    hadoop.method("BlockInfo", "isComplete", boolean.class);
    hadoop.method("BlockInfoStriped", "getErasureCodingPolicy", ErasureCodingPolicy.class);
    hadoop.method("BlockInfoStriped", "getRealDataBlockNum", short.class);
    hadoop.method("BlockInfoStriped", "getStorageAndIndexInfos", Iterable.class);
    hadoop.method("BlockInfoStriped$StorageAndBlockIndex", "getStorage", storage);
    hadoop.method("BlockInfoStriped$StorageAndBlockIndex", "getBlockIndex", byte.class);
    hadoop.method("BlockCollection", "getStoragePolicyID", byte.class);
    storagePolicy();
  }

  /** Looks up the members in the running Hadoop. */
  static BlockManagerMembers ofThisHadoop() {
    return new BlockManagerMembers(HadoopMembers.inPackageOf(BlockManagerMembers.class));
  }

  /**
   * Returns the members that are missing or have another type. The queue can be taken over only if
   * this list is empty.
   */
  List<String> missing() {
    return hadoop.missing();
  }

  /** Makes {@code to} use the same lists and counters as {@code from}; nothing is copied. */
  void share(LowRedundancyBlocks from, LowRedundancyBlocks to) {
    for (Field field : queueState) {
      set(field, to, HadoopMembers.get(field, from, Object.class));
    }
  }

  /**
   * Replaces the sets of an empty queue by sets that shrink their tables late. A set shrinks its
   * table while the NameNode's lock is held, and a large table takes long.
   */
  void shrinkLate(LowRedundancyBlocks empty) {
    @SuppressWarnings("unchecked")
    List<LightWeightLinkedSet<BlockInfo>> sets =
        HadoopMembers.get(prioritySets, empty, List.class);
    sets.replaceAll(set -> new LightWeightLinkedSet<>(CAPACITY, GROWS_AT, SHRINKS_AT));
  }

  static void set(Field field, Object owner, Object value) {
    HadoopMembers.set(field, owner, value);
  }

  private void storagePolicy() {
    try {
      Method method = BlockStoragePolicy.class.getMethod("chooseStorageTypes", short.class,
          Iterable.class, EnumSet.class, boolean.class);
      if (method.getReturnType() == List.class) {
        return;
      }
    } catch (NoSuchMethodException e) {
      hadoop.note("method List BlockStoragePolicy.chooseStorageTypes: " + e.getMessage());
      return;
    }
    hadoop.note("method List BlockStoragePolicy.chooseStorageTypes (it returns something else)");
  }
}
