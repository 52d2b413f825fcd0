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
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.util.LightWeightLinkedSet;

/**
 * The members of stock's block management that are used here, looked up by name: whether they
 * exist in the Hadoop that is running, and the fields that are written.
 */
@InterfaceAudience.Private
final class BlockManagerMembers {
  /** Finds a class of this package by its simple name; tests put others in their place. */
  interface Classes {
    Class<?> find(String simpleName) throws ClassNotFoundException;
  }

  private static final String QUEUE = "LowRedundancyBlocks";
  private static final String PENDING = "PendingReconstructionBlocks";

  private final Classes classes;
  private final List<String> missing = new ArrayList<>();

  /**
   * Stock's sets halve their tables when a fifth of them is used, which with 50,000 entries takes
   * 10 ms, all at once and under the NameNode's lock. With so little used it takes no time.
   */
  private static final float SHRINKS_AT = 0.01f;
  private static final float GROWS_AT = 0.75f;
  private static final int CAPACITY = 16;

  /** A queue's sets, by priority. */
  private final Field prioritySets;

  final Field queue;
  /** All that a queue consists of. */
  final List<Field> queueState = new ArrayList<>();

  BlockManagerMembers(Classes classes) {
    this.classes = classes;
    Class<?> block = find("BlockInfo");
    Class<?> storage = find("DatanodeStorageInfo");
    Class<?> storages = array(storage);
    Class<?> node = find("DatanodeDescriptor");
    Class<?> counts = find("NumberReplicas");
    Class<?> placement = find("BlockPlacementStatus");

    queue = field("BlockManager", "neededReconstruction", find(QUEUE));
    field("BlockManager", "pendingReconstruction", find(PENDING));
    method("BlockManager", "isPopulatingReplQueues", boolean.class);
    method("BlockManager", "getStoredBlock", block, Block.class);
    method("BlockManager", "getBlockPoolId", String.class);
    method("BlockManager", "getDatanodeManager", find("DatanodeManager"));
    method("BlockManager", "getCorruptReplicas", Collection.class, Block.class);
    method("BlockManager", "isExcess", boolean.class, node, block);
    method("BlockManager", "countNodes", counts, block);
    method("BlockManager", "isNeededReconstruction", boolean.class, block, counts);
    method("BlockManager", "getExpectedRedundancyNum", short.class, block);
    method("BlockManager", "getExpectedLiveRedundancyNum", short.class, block, counts);
    method("BlockManager", "getBlockCollection", find("BlockCollection"), block);
    method("BlockManager", "getStoragePolicy", BlockStoragePolicy.class, byte.class);
    method("BlockManager", "getBlockPlacementStatus", placement, block);
    method("BlockManager", "getBlockPlacementStatus", placement, block, storages);
    method("BlockPlacementStatus", "isPlacementPolicySatisfied", boolean.class);
    method("BlockPlacementStatus", "getAdditionalReplicasRequired", int.class);

    queueState();
    prioritySets = field(QUEUE, "priorityQueues", List.class);
    method(QUEUE, "add", boolean.class, block, int.class, int.class, int.class, int.class);
    method(QUEUE, "update", void.class, block, int.class, int.class, int.class, int.class,
        int.class, int.class);
    method(QUEUE, "remove", boolean.class, block, int.class, int.class);
    method(QUEUE, "clear", void.class);
    method(QUEUE, "chooseLowRedundancyBlocks", List.class, int.class, boolean.class);
    method(QUEUE, "size", int.class);
    method(QUEUE, "getLowRedundancyBlockCount", int.class);
    method(QUEUE, "getCorruptBlockSize", int.class);
    method(QUEUE, "getCorruptECBlockGroups", long.class);
    method(QUEUE, "getLowRedundancyECBlockGroups", long.class);
    method(QUEUE, "getHighestPriorityECBlockCount", long.class);
    method(QUEUE, "contains", boolean.class, block);
    method(QUEUE, "iterator", Iterator.class, int.class);
    method(QUEUE, "iterator", Iterator.class);

    method(PENDING, "increment", void.class, block, storages);
    method(PENDING, "remove", find(PENDING + "$PendingBlockInfo"), block);
    method(PENDING, "getNumReplicas", int.class, block);
    method(PENDING, "getTargets", List.class, block);

    method("DatanodeStorageInfo", "incrementBlocksScheduled", void.class, storages);
    method("DatanodeStorageInfo", "decrementBlocksScheduled", void.class, storages);
    method("DatanodeStorageInfo", "getDatanodeDescriptor", node);
    method("DatanodeDescriptor", "isAlive", boolean.class);
    method("DatanodeDescriptor", "getBlocksScheduled", int.class, StorageType.class);
    method("DatanodeDescriptor", "getStorageInfos", storages);
    method("DatanodeStorageInfo", "getRemaining", long.class);
    method("DatanodeManager", "getDatanode", node, String.class);
    method("DatanodeManager", "shouldAvoidStaleDataNodesForWrite", boolean.class);
    method("DatanodeManager", "getStaleInterval", long.class);
    method("DatanodeManager", "getSlowNodesUuidSet", Set.class);
    method("DatanodeManager", "getFSClusterStats", find("FSClusterStats"));
    method("FSClusterStats", "getInServiceXceiverAverage", double.class);
    method("FSClusterStats", "getStorageTypeStats", Map.class);
    method("StorageTypeStats", "getNodesInServiceXceiverCount", int.class);
    method("DatanodeDescriptor", "getStorageTypes", EnumSet.class);
    method("BlockManager", "getStriptedBlockPlacementPolicy", find("BlockPlacementPolicy"));
    method("BlockPlacementPolicy", "getExcludeSlowNodesEnabled", boolean.class);
    field("BlockPlacementPolicyDefault", "considerLoad", boolean.class);
    field("BlockPlacementPolicyDefault", "considerLoadFactor", double.class);

    method("BlockInfo", "isDeleted", boolean.class);
    method("BlockInfo", "isComplete", boolean.class);
    method("BlockInfoStriped", "getErasureCodingPolicy", ErasureCodingPolicy.class);
    method("BlockInfoStriped", "getRealDataBlockNum", short.class);
    method("BlockInfoStriped", "getStorageAndIndexInfos", Iterable.class);
    method("BlockInfoStriped$StorageAndBlockIndex", "getStorage", storage);
    method("BlockInfoStriped$StorageAndBlockIndex", "getBlockIndex", byte.class);
    method("BlockCollection", "getStoragePolicyID", byte.class);
    storagePolicy();
  }

  /** Those of the Hadoop that is running. */
  static BlockManagerMembers ofThisHadoop() {
    String prefix = BlockManagerMembers.class.getPackage().getName() + ".";
    ClassLoader loader = BlockManagerMembers.class.getClassLoader();
    return new BlockManagerMembers(name -> {
      Class<?> found = Class.forName(prefix + name, false, loader);
      if (found.getClassLoader() != loader) {
        // Then it is not in this package, whatever its name: its members are not to be reached.
        throw new ClassNotFoundException(name + " in our own class loader");
      }
      return found;
    });
  }

  /** What does not exist or is not as expected; nothing can be taken over unless this is empty. */
  List<String> missing() {
    return Collections.unmodifiableList(missing);
  }

  /** Lets {@code to} be what {@code from} is: the same lists and counters, not copies. */
  void share(LowRedundancyBlocks from, LowRedundancyBlocks to) {
    for (Field field : queueState) {
      set(field, to, get(field, from));
    }
  }

  /** Lets an empty queue get smaller without a long hold of whatever lock it is under. */
  void shrinkLate(LowRedundancyBlocks empty) {
    @SuppressWarnings("unchecked")
    List<LightWeightLinkedSet<BlockInfo>> sets =
        (List<LightWeightLinkedSet<BlockInfo>>) get(prioritySets, empty);
    sets.replaceAll(set -> new LightWeightLinkedSet<>(CAPACITY, GROWS_AT, SHRINKS_AT));
  }

  static Object get(Field field, Object owner) {
    try {
      return field.get(owner);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Made accessible, yet not: " + field, e);
    }
  }

  static void set(Field field, Object owner, Object value) {
    try {
      field.set(owner, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Made accessible, yet not: " + field, e);
    }
  }

  private void queueState() {
    Class<?> type = find(QUEUE);
    if (type == null) {
      return;
    }
    for (Field field : type.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())) {
        continue;
      }
      if (field.getType().isPrimitive()) {
        // Such a field cannot be shared.
        note("field " + QUEUE + "." + field.getName() + " being an object");
      } else if (open(field, "field " + QUEUE + "." + field.getName())) {
        queueState.add(field);
      }
    }
  }

  private void storagePolicy() {
    try {
      Method method = BlockStoragePolicy.class.getMethod("chooseStorageTypes", short.class,
          Iterable.class, EnumSet.class, boolean.class);
      if (method.getReturnType() == List.class) {
        return;
      }
    } catch (NoSuchMethodException e) {
      missing.add("method List BlockStoragePolicy.chooseStorageTypes: " + e.getMessage());
      return;
    }
    missing.add("method List BlockStoragePolicy.chooseStorageTypes (it returns something else)");
  }

  private Class<?> find(String simpleName) {
    try {
      return classes.find(simpleName);
    } catch (ClassNotFoundException e) {
      note("class " + simpleName);
      return null;
    }
  }

  private static Class<?> array(Class<?> type) {
    return type == null ? null : java.lang.reflect.Array.newInstance(type, 0).getClass();
  }

  private Field field(String owner, String name, Class<?> type) {
    Class<?> in = find(owner);
    if (in == null || type == null) {
      return null;
    }
    String description = "field " + owner + "." + name + " of type " + type.getSimpleName();
    try {
      Field field = in.getDeclaredField(name);
      if (field.getType() != type) {
        note(description + " (it is a " + field.getType().getSimpleName() + ")");
        return null;
      }
      return open(field, description) ? field : null;
    } catch (NoSuchFieldException e) {
      note(description);
      return null;
    }
  }

  private boolean open(Field field, String description) {
    try {
      field.setAccessible(true);
      return true;
    } catch (RuntimeException e) {
      // Not open to reflection: InaccessibleObjectException, SecurityException.
      note(description + " (" + e.getMessage() + ")");
      return false;
    }
  }

  /** Looks for a method in a class, or in those that it extends. */
  private void method(String owner, String name, Class<?> type, Class<?>... parameters) {
    Class<?> in = find(owner);
    if (in == null || type == null || Stream.of(parameters).anyMatch(p -> p == null)) {
      return;
    }
    String description = "method " + type.getSimpleName() + " " + owner + "." + name
        + Stream.of(parameters).map(Class::getSimpleName)
            .collect(Collectors.joining(", ", "(", ")"));
    for (Class<?> c = in; c != null; c = c.getSuperclass()) {
      try {
        Method method = c.getDeclaredMethod(name, parameters);
        if (method.getReturnType() != type) {
          note(description + " (it returns something else)");
        }
        if (Modifier.isPrivate(method.getModifiers())) {
          note(description + " (it is private)");
        }
        return;
      } catch (NoSuchMethodException e) {
        // Look on in the class that it extends; after the last one it is noted below.
        continue;
      }
    }
    note(description);
  }

  private void note(String what) {
    if (!missing.contains(what)) {
      missing.add(what);
    }
  }
}
