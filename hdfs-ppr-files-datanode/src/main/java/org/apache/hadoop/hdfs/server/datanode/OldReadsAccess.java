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
package org.apache.hadoop.hdfs.server.datanode;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitShm;
import org.hdfsppr.loader.HadoopMembers;

/**
 * Gives access to what stock's DataNode knows about its readers: the logger of its client trace,
 * the names of the threads that send blocks, and the slots of clients that read by short circuit. A
 * version of Hadoop may lack one of these; the others can then still be used. Thread-safe.
 */
@InterfaceAudience.Private
public final class OldReadsAccess {
  /** The names of the static field with the logger, in Hadoop 3.4 and later, and before. */
  private static final List<String> LOGGERS = List.of("CLIENT_TRACE_LOG", "ClientTraceLog");

  private final DataNode datanode;
  /** Members of stock's classes; each is null if this version of Hadoop lacks it. */
  private final Field threadGroup;
  private final Field segments;

  private OldReadsAccess(DataNode datanode, Field threadGroup, Field segments) {
    this.datanode = datanode;
    this.threadGroup = threadGroup;
    this.segments = segments;
  }

  /**
   * @param datanode the DataNode
   * @param missing takes the names of missing members, as texts that can follow "this Hadoop lacks"
   * @return an object with access to the members that are there
   */
  public static OldReadsAccess of(DataNode datanode, List<String> missing) {
    HadoopMembers hadoop = new HadoopMembers(HadoopMembers.inPackageOf(DataNode.class));
    Field threadGroup = hadoop.field("DataNode", "threadGroup", ThreadGroup.class);
    hadoop.method("DataNode", "getShortCircuitRegistry", ShortCircuitRegistry.class);
    Field segments = hadoop.field("ShortCircuitRegistry", "segments", HashMap.class);
    missing.addAll(hadoop.missing());
    return new OldReadsAccess(datanode, threadGroup, segments);
  }

  /**
   * @return the logger of the client trace, an object of slf4j or of commons-logging; empty if this
   *     version of Hadoop has none
   */
  public static Optional<Object> traceLogger() {
    for (String name : LOGGERS) {
      try {
        // The field is visible to this class, which is in the package of DataNode.
        return Optional.ofNullable(DataNode.class.getDeclaredField(name).get(null));
      } catch (NoSuchFieldException e) {
        continue;
      } catch (IllegalAccessException | RuntimeException e) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** @return the name of the logger of the client trace */
  public static String traceLoggerName() {
    return DataNode.class.getName() + ".clienttrace";
  }

  /** @return the names of the threads that serve connections at the moment */
  public List<String> threadNames() {
    ThreadGroup group = threadGroup == null ? null
        : HadoopMembers.get(threadGroup, datanode, ThreadGroup.class);
    if (group == null) {
      return Collections.emptyList();
    }
    // More threads may start before enumerate, so the array has more room than the group
    // has threads now.
    Thread[] threads = new Thread[group.activeCount() * 5 / 4 + 16];
    int found = group.enumerate(threads, false);
    List<String> names = new ArrayList<>(found);
    for (int i = 0; i < found; i++) {
      names.add(threads[i].getName());
    }
    return names;
  }

  /**
   * @return the blocks whose replicas clients of this host have open for short-circuit reads, by
   *     their slots in shared memory
   */
  public List<ExtendedBlockId> slots() {
    ShortCircuitRegistry registry = datanode.getShortCircuitRegistry();
    if (segments == null || registry == null) {
      return Collections.emptyList();
    }
    List<ExtendedBlockId> blocks = new ArrayList<>();
    synchronized (registry) {
      for (Object each : HadoopMembers.get(segments, registry, Map.class).values()) {
        ShortCircuitShm segment = (ShortCircuitShm) each;
        for (ShortCircuitShm.SlotIterator slots = segment.slotIterator(); slots.hasNext();) {
          blocks.add(slots.next().getBlockId());
        }
      }
    }
    return blocks;
  }
}
