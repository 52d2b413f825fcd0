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
package org.apache.hadoop.hdfs;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * What Hadoop's client tells whoever wants to know which ranges of units it reads, of which its own
 * tests make use, and so can ours. Early releases of Hadoop 3.3 have no such hook.
 */
@InterfaceAudience.Private
final class ReadHook {
  private static final Method HOOK = find();

  private ReadHook() {
  }

  private static Method find() {
    try {
      return DFSClientFaultInjector.class.getMethod("onCreateBlockReader", LocatedBlock.class,
          int.class, long.class, long.class);
    } catch (NoSuchMethodException e) {
      DFSClient.LOG.debug("Nobody is told which ranges are read", e);
      return null;
    }
  }

  /** A range of a unit is going to be read. */
  static void reads(LocatedBlock block, int unit, long offset, long length) {
    if (HOOK == null) {
      return;
    }
    try {
      HOOK.invoke(DFSClientFaultInjector.get(), block, unit, offset, length);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("Hadoop's hook for those who watch reads failed", e);
    }
  }
}
