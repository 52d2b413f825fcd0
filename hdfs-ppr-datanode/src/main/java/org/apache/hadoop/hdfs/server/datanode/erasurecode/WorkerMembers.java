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
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * The members of stock's reconstruction classes that are used here, looked up by name: whether
 * they exist in the Hadoop that is running, and the private fields among them.
 */
@InterfaceAudience.Private
final class WorkerMembers {
  /** Finds a class of this package by its simple name; tests put others in their place. */
  interface Classes {
    Class<?> find(String simpleName) throws ClassNotFoundException;
  }

  private final Classes classes;
  private final List<String> missing = new ArrayList<>();

  final Field pool;
  final Field policy;
  final Field sources;
  final Field liveIndices;
  final Field writer;
  final Field targets;
  final Field targetIndices;
  final Field targetStorageTypes;
  final Field targetStorageIds;

  WorkerMembers(Classes classes) {
    this.classes = classes;
    pool = field("ErasureCodingWorker", "stripedReconstructionPool", ThreadPoolExecutor.class);
    if (pool != null && Modifier.isFinal(pool.getModifiers())) {
      missing.add("ErasureCodingWorker.stripedReconstructionPool is final");
    }
    method("ErasureCodingWorker", "getXmitWeight", float.class);

    policy = field("StripedReconstructor", "ecPolicy", ErasureCodingPolicy.class);
    method("StripedReconstructor", "getBlockGroup", ExtendedBlock.class);
    method("StripedReconstructor", "getBlockLen", long.class, int.class);
    method("StripedReconstructor", "getLiveBitSet", BitSet.class);
    method("StripedReconstructor", "getExcludeBitSet", BitSet.class);
    method("StripedReconstructor", "getXmits", int.class);
    method("StripedReconstructor", "getStripedReader", find("StripedReader"));

    sources = field("StripedReader", "sources", DatanodeInfo[].class);
    liveIndices = field("StripedReader", "liveIndices", byte[].class);

    writer = field("StripedBlockReconstructor", "stripedWriter", find("StripedWriter"));
    Class<?> task = find("StripedBlockReconstructor");
    if (task != null && !Runnable.class.isAssignableFrom(task)) {
      missing.add("StripedBlockReconstructor is not a Runnable");
    }
    targets = field("StripedWriter", "targets", DatanodeInfo[].class);
    targetIndices = field("StripedWriter", "targetIndices", short[].class);
    targetStorageTypes = field("StripedWriter", "targetStorageTypes", StorageType[].class);
    targetStorageIds = field("StripedWriter", "targetStorageIds", String[].class);
  }

  /** Those of the Hadoop that is running. */
  static WorkerMembers ofThisHadoop() {
    String prefix = WorkerMembers.class.getPackage().getName() + ".";
    ClassLoader loader = WorkerMembers.class.getClassLoader();
    return new WorkerMembers(name -> Class.forName(prefix + name, false, loader));
  }

  /** What does not exist or is not as expected; nothing can be taken over unless this is empty. */
  List<String> missing() {
    return Collections.unmodifiableList(missing);
  }

  /** A field's value, of the type that was checked. */
  static <T> T get(Field field, Object owner, Class<T> type) {
    try {
      return type.cast(field.get(owner));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Made accessible, yet not: " + field, e);
    }
  }

  private Class<?> find(String simpleName) {
    try {
      return classes.find(simpleName);
    } catch (ClassNotFoundException e) {
      note("class " + simpleName);
      return null;
    }
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
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      note(description);
      return null;
    } catch (RuntimeException e) {
      // Not open to reflection: InaccessibleObjectException, SecurityException.
      note(description + " (" + e.getMessage() + ")");
      return null;
    }
  }

  private void method(String owner, String name, Class<?> type, Class<?>... parameters) {
    Class<?> in = find(owner);
    if (in == null || type == null) {
      return;
    }
    String description = "method " + type.getSimpleName() + " " + owner + "." + name;
    try {
      if (in.getDeclaredMethod(name, parameters).getReturnType() != type) {
        note(description + " (it returns something else)");
      }
    } catch (NoSuchMethodException e) {
      note(description);
    }
  }

  private void note(String what) {
    if (!missing.contains(what)) {
      missing.add(what);
    }
  }
}
